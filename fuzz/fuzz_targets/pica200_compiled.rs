#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shisa_fuzz_targets::pica200_compiled(data);
});
