//! The fields of a preset, taken one by one; what is left over at the end is unknown.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

use super::value;
use crate::params::{Param, Patch};

/// Characters in a name, a category, a tag or an author.
pub const MAX_LINE_CHARS: usize = 64;
/// Characters in a description.
const MAX_DESCRIPTION_CHARS: usize = 1000;
/// Tags of one preset.
const MAX_TAGS: usize = 16;

/// The version of Ictus that wrote the file. Checked first: a file without it is something else.
pub fn version(map: &Map<String, Value>) -> Result<String> {
    match map.get("ictus") {
        Some(Value::String(version)) if !version.is_empty() => {
            Ok(version.chars().take(MAX_LINE_CHARS).collect())
        }
        _ => bail!("field 'ictus': expected the version that wrote the file, such as \"0.1.0\""),
    }
}

/// What has not been looked at yet.
pub struct Fields(Map<String, Value>);

impl Fields {
    /// All of a file.
    pub fn new(mut map: Map<String, Value>) -> Self {
        map.remove("ictus");
        Self(map)
    }

    /// A field, if it is there.
    pub fn take(&mut self, field: &str) -> Option<Value> {
        self.0.remove(field)
    }

    /// A line of text that may be missing.
    pub fn line(&mut self, field: &str) -> Result<String> {
        let longest = if field == "description" { MAX_DESCRIPTION_CHARS } else { MAX_LINE_CHARS };
        match self.take(field) {
            None => Ok(String::new()),
            Some(Value::String(text)) => {
                check_line(&text, longest).with_context(|| format!("field '{field}'"))?;
                Ok(text)
            }
            Some(other) => bail!("field '{field}': expected a text, found {}", kind(&other)),
        }
    }

    /// A name, which must be there.
    pub fn name(&mut self, field: &str) -> Result<String> {
        let name = self.line(field)?;
        ensure!(!name.trim().is_empty(), "field '{field}' is missing or empty");
        Ok(name)
    }

    /// The tags.
    pub fn tags(&mut self) -> Result<Vec<String>> {
        let tags = match self.take("tags") {
            None => return Ok(Vec::new()),
            Some(Value::Array(tags)) => tags,
            Some(other) => bail!("field 'tags': expected a list of texts, found {}", kind(&other)),
        };
        ensure!(
            tags.len() <= MAX_TAGS,
            "field 'tags': {} tags; allowed are up to {MAX_TAGS}",
            tags.len()
        );
        let read = |(i, tag): (usize, Value)| match tag {
            Value::String(tag) => {
                check_line(&tag, MAX_LINE_CHARS).with_context(|| format!("field 'tags[{i}]'"))?;
                Ok(tag)
            }
            other => bail!("field 'tags[{i}]': expected a text, found {}", kind(&other)),
        };
        tags.into_iter().enumerate().map(read).collect()
    }

    /// The parameters: defaults, and what the file says. `version` wrote it.
    pub fn params(&mut self, version: &str) -> Result<Patch> {
        let params = match self.take("params") {
            Some(Value::Object(params)) => params,
            Some(other) => {
                bail!("field 'params': expected an object with parameters, found {}", kind(&other))
            }
            None => bail!("field 'params' is missing"),
        };
        let mut patch = Patch::default();
        for (id, value) in &params {
            let Some(param) = Param::from_id(id) else {
                let known: Vec<_> = Param::ALL.iter().map(|param| param.spec().id).collect();
                bail!(
                    "field 'params.{id}': no parameter '{id}' (written by Ictus {version}, this is {}); there are {}",
                    env!("CARGO_PKG_VERSION"),
                    known.join(", ")
                );
            };
            value::read(&mut patch, param, value)
                .with_context(|| format!("field 'params.{id}'"))?;
        }
        Ok(patch)
    }

    /// Nothing may be left.
    pub fn end(self) -> Result<()> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(field) => bail!(
                "field '{field}' is not known; there are ictus, format, name, category, tags, author, description, \
                 params, modes, surface, tuning"
            ),
        }
    }
}

/// Whether a line can be shown: not too long, and in one line.
pub fn check_line(text: &str, longest: usize) -> Result<()> {
    let count = text.chars().count();
    ensure!(count <= longest, "{count} characters; allowed are up to {longest}");
    ensure!(
        !text.chars().any(char::is_control),
        "line breaks and other control characters are not allowed"
    );
    Ok(())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a switch",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
