//! Hands libFuzzer's inputs to the target `texts`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| noughts_fuzz::texts(input));
