//! JSON in which every field occurs once. The usual reader lets the last of two win, and what the
//! first said is lost without a word.

use std::fmt;

use anyhow::{Context, Result};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Read a text.
pub fn read(text: &str) -> Result<Value> {
    Ok(serde_json::from_str::<Strict>(text).context("is not a preset")?.0)
}

/// What occurs twice in a text, if anything does, in words.
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
