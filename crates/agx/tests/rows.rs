//! Rows as a whole.

use shisa_agx::text::Words;
use shisa_agx::{Agx, Ctx, Imageblock, Options, Revision, SUITE, fetch, length};
use shisa_diag::Limits;
use shisa_rows::{Isa, testing};

#[test]
fn rows_are_sound() {
    // The same with a tile, with what choices settle, and in the other revision's text.
    let chosen = testing::Suite {
        ctx: |_| Ctx {
            imageblock: Some(Imageblock::default()),
            options: settled(),
            revision: Revision::Mesa26,
            ..Ctx::default()
        },
        ..SUITE
    };
    for suite in [SUITE, chosen] {
        let report = suite.run();
        assert_eq!(report.faults, Vec::<String>::new());
        for lifted in &report.lifted {
            shisa_eval::Program::new(lifted, &Limits::default())
                .unwrap_or_else(|d| panic!("{d}: {lifted:?}"));
        }
    }
}

/// The last value of every choice.
fn settled() -> Options {
    let mut options = Options::DEFAULT;
    for choice in Options::CHOICES {
        assert!(choice.values.last().is_some_and(|(value, _)| options.set(choice.key, value)));
    }
    options
}

/// Words of all rows with any bits set, and bytes of all kinds: their text assembles to the same bytes, or is `.bytes`.
#[test]
fn every_word_comes_back_from_its_text() {
    let words = Words::new(Ctx::default());
    let forms = Agx::table().forms();
    let (mut random, mut whole, mut bytes) = (testing::Random(20), 0, 0);
    for i in 0..300_000 {
        let form = &forms[i % forms.len()];
        let noise = u128::from(random.bits()) << 64 | u128::from(random.bits());
        // A third has bits anywhere, a third only where the row has a meaning, a third few bits.
        let noise = match i / forms.len() % 3 {
            0 => noise,
            1 => {
                let known = form.known();
                noise & known
            }
            _ => noise & (u128::from(random.bits()) * 0x1_0000_0000_0000_0001) & noise.rotate_left(31),
        };
        let word = noise & !form.mask | form.bits;
        let Some(insn) = fetch(&word.to_le_bytes()) else { continue };
        let digits: String = word.to_le_bytes()[..length(&insn)].iter().map(|b| format!("{b:02x}")).collect();
        let (mut text, mut again) = (Vec::new(), Vec::new());
        words.disassemble(&digits, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let done = words.assemble(&text, &mut again);
        assert_eq!(done.map(|()| String::from_utf8(again).unwrap()), Ok(digits), "{text}");
        if text.starts_with(".bytes ") { bytes += 1 } else { whole += 1 }
    }
    assert!(whole > 50_000 && bytes > 50_000, "{whole} by text, {bytes} as bytes");
}
