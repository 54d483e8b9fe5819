//! Hands libFuzzer's inputs to the target `ssh`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| noughts_fuzz::ssh(input));
