//! See `tests/robustness/fuzz/targets.rs`.
#![no_main]

#[path = "../../tests/robustness/fuzz/targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::recipe(data));
