//! The fields and values of a preset, read with errors that name the field.

use std::fmt;

use anyhow::{Context, Result, bail, ensure};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::params::{Param, ParamKind, Patch};

/// Longest name, category, tag or author, characters: what fits a line of the browser.
pub const MAX_LINE_CHARS: usize = 64;
/// Longest description, characters.
const MAX_DESCRIPTION_CHARS: usize = 1000;
/// Most tags of a preset.
const MAX_TAGS: usize = 16;

/// The version of Ictus that wrote the file. A file without it is not a preset.
pub fn version(map: &Map<String, Value>) -> Result<String> {
    match map.get("ictus") {
        Some(Value::String(version)) if !version.is_empty() => {
            Ok(version.chars().take(MAX_LINE_CHARS).collect())
        }
        _ => bail!("field 'ictus': expected the version that wrote the file, such as \"0.1.0\""),
    }
}

/// The fields that have not been read yet.
pub struct Fields(Map<String, Value>);

impl Fields {
    /// All fields of a file.
    pub fn new(mut map: Map<String, Value>) -> Self {
        map.remove("ictus");
        Self(map)
    }

    /// Removes and returns a field.
    pub fn take(&mut self, field: &str) -> Option<Value> {
        self.0.remove(field)
    }

    /// An optional line of text.
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

    /// A mandatory, non-empty line of text.
    pub fn name(&mut self, field: &str) -> Result<String> {
        let name = self.line(field)?;
        ensure!(!name.trim().is_empty(), "field '{field}' is missing or empty");
        Ok(name)
    }

    /// The optional list of tags.
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

    /// The parameters; missing ones have their default. `version` wrote the file.
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
            read_value(&mut patch, param, value).with_context(|| format!("field 'params.{id}'"))?;
        }
        Ok(patch)
    }

    /// Fails if an unknown field is left.
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

/// Checks that a text has at most `longest` characters and no control characters.
fn check_line(text: &str, longest: usize) -> Result<()> {
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

/// Sets a parameter to a JSON value.
fn read_value(patch: &mut Patch, param: Param, value: &Value) -> Result<()> {
    match value {
        // A number without a unit is in SI units, even where the display uses per cent.
        Value::Number(number) => set_si(patch, param, number.as_f64(), &number.to_string()),
        Value::String(text) => set_text(patch, param, text),
        Value::Bool(on) => set_text(patch, param, if *on { "on" } else { "off" }),
        Value::Null => set_si(patch, param, None, "null"),
        Value::Array(_) => set_si(patch, param, None, "[…]"),
        Value::Object(_) => set_si(patch, param, None, "{…}"),
    }
}

/// Sets a parameter from text. A value out of range is an error, not clamped.
pub fn set_text(patch: &mut Patch, param: Param, text: &str) -> Result<()> {
    set_si(patch, param, param.spec().parse_si(text), text)
}

fn set_si(patch: &mut Patch, param: Param, si: Option<f64>, text: &str) -> Result<()> {
    let spec = param.spec();
    let shown: String = text.chars().take(60).collect();
    let allowed = || format!("'{shown}' is not allowed for {}: {}", spec.name, spec.range_text());
    let si = si.with_context(allowed)?;
    let (min, max) = spec.range_si();
    let slack = match spec.kind {
        // The displayed limits may be rounded.
        ParamKind::Float { .. } => 1e-4 * (max - min).abs().min(si.abs()),
        _ if si.fract() != 0.0 => bail!(allowed()),
        _ => 0.0,
    };
    if !(min - slack..=max + slack).contains(&si) {
        bail!(allowed());
    }
    patch.set(param, si);
    Ok(())
}

/// A stored value as JSON: a text with the unit, or a number without one.
pub fn write_value(param: Param, stored: f32) -> Value {
    let spec = param.spec();
    let text = spec.exact_text(stored);
    match spec.kind {
        ParamKind::Choice(_) => Value::String(text),
        ParamKind::Toggle => Value::Bool(stored >= 0.5),
        ParamKind::Whole { .. } => Value::from(stored as i64),
        ParamKind::Float { .. } => match text.parse::<f64>() {
            Ok(number) => Value::from(number),
            Err(_) => Value::String(text),
        },
    }
}

/// Reads JSON in which every field occurs once.
///
/// serde_json keeps the last of two equal fields and silently drops the first.
pub fn read_json(text: &str) -> Result<Value> {
    Ok(serde_json::from_str::<Strict>(text).context("is not a preset")?.0)
}

/// An error message if a field occurs twice in a text.
pub fn duplicate_key(text: &str) -> Option<String> {
    let fault = serde_json::from_str::<Strict>(text).err()?.to_string();
    fault.contains(TWICE).then_some(fault)
}

const TWICE: &str = "occurs twice";

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader).map(Strict)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, Strict(value))) = fields.next_entry::<String, Strict>()? {
            if map.contains_key(&name) {
                let name: String = name.chars().take(64).collect();
                return Err(A::Error::custom(format!("field '{name}' {TWICE}")));
            }
            map.insert(name, value);
        }
        Ok(map.into())
    }
}
