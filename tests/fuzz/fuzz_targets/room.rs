//! Hands libFuzzer's inputs to the target `room`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| noughts_fuzz::room(input));
