#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shisa_fuzz_targets::compiled(data);
});
