//! One value of a preset, and its place in the patch.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::params::{Param, ParamKind, Patch};

/// Set a parameter to what a file says.
pub fn read(patch: &mut Patch, param: Param, value: &Value) -> Result<()> {
    match value {
        // Without a unit a number is in SI, also where people read per cent.
        Value::Number(number) => set_si(patch, param, number.as_f64(), &number.to_string()),
        Value::String(text) => set_text(patch, param, text),
        Value::Bool(on) => set_text(patch, param, if *on { "on" } else { "off" }),
        Value::Null => set_si(patch, param, None, "null"),
        Value::Array(_) => set_si(patch, param, None, "[…]"),
        Value::Object(_) => set_si(patch, param, None, "{…}"),
    }
}

/// Set one value from text. What is out of range is an error here: nobody is served by a silent
/// correction of what was written.
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
        // The ends as they are shown may be rounded.
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

/// A stored value as JSON: with its unit, a bare number where it has none.
pub fn write(param: Param, stored: f32) -> Value {
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
