//! Fields of instructions: their bits are those of the file's bytes, and fixed bits have their value.

use shisa::{File, Listing, Settings};

const SOURCES: [(&str, &str); 4] = [
    ("fog.frag.agal", include_str!("../../../../examples/fog.frag.agal")),
    ("figure.v.pica", include_str!("../../../../examples/figure.v.pica")),
    ("glow.maxwell", include_str!("../../../../examples/glow.maxwell")),
    ("collatz.agx", include_str!("../../../../examples/collatz.agx")),
];

/// The bits of bytes, the lowest first, as a number.
fn bits(bytes: &[u8], lo: usize, width: usize) -> u64 {
    let bit = |n: usize| u64::from(bytes[n / 8] >> (n % 8) & 1);
    (0..width).map(|n| bit(lo + n) << n).sum()
}

#[test]
fn fields_are_the_bits_of_the_file() {
    for (name, source) in SOURCES {
        let mut settings = Settings::untrusted();
        settings.name = Some(name.to_owned());
        let text = File::open(source.as_bytes(), &settings).unwrap();
        let isa = text.isa().unwrap();
        let language = shisa::Language::of(source.as_bytes(), &settings).unwrap();
        let assembled = shisa::assemble(source, language, &settings).unwrap().bytes;
        let file = File::open(&assembled, &Settings::untrusted().isa(isa)).unwrap();
        let program = file.program(1).unwrap();
        let (mut inside, mut outside) = (0, 0);
        for instruction in program.instructions(&Listing::new()).unwrap() {
            let size = instruction.bytes.len() / 2;
            let bytes = &assembled[instruction.offset..instruction.offset + size];
            let fields = program.fields(instruction.offset).unwrap();
            assert!(!fields.is_empty(), "{name}: {instruction:?}");
            for pair in fields.windows(2) {
                assert!(pair[0].lo + pair[0].width <= pair[1].lo, "{name}: {pair:?}");
            }
            for field in &fields {
                let (lo, width) = (usize::from(field.lo), usize::from(field.width));
                if lo + width > 8 * size {
                    outside += 1;
                    continue;
                }
                inside += 1;
                assert_eq!(field.value, format!("{:#x}", bits(bytes, lo, width)), "{name}: {field:?}");
                assert!(!field.what.starts_with("0x") || field.what == field.value, "{name}: {field:?}");
            }
        }
        assert!(inside > 20, "{name}");
        // Control bits and operand descriptors are not in the instruction's bytes.
        assert_eq!(outside > 0, name.ends_with("maxwell") || name.ends_with("pica"), "{name}");
        assert!(program.fields(usize::MAX).unwrap().is_empty(), "{name}");
    }
}
