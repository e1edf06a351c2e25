//! Checks a table of rows for contradictions.

use crate::{Isa, Word};
use alloc::{format, string::String, vec::Vec};

/// All faults of a table, as text; empty for a sound table. Meant for tests.
///
/// It checks that no two rows match the same word unless one yields to the other ([`crate::Form::otherwise`] yields to
/// all rows before it); that no two fields of a row, and no
/// two parts of an operand, share a bit; that suffixes begin with a dot and contain no character that ends a mnemonic;
/// that every row has a summary; and that every example decodes to its row.
pub fn audit<I: Isa>() -> Vec<String> {
    let forms = I::table().forms();
    let mut faults = Vec::new();
    for (i, a) in forms.iter().enumerate() {
        for b in &forms[i + 1..] {
            let both = a.mask & b.mask;
            let named = a.yields_to.contains(&Some(b.name)) || b.yields_to.contains(&Some(a.name));
            let declared = named || b.otherwise;
            if a.bits & both == b.bits & both && !declared {
                faults.push(format!("{} and {} match the same words", a.name, b.name));
            }
            if a.bits & both == b.bits & both && a.yields_to.contains(&Some(b.name)) {
                faults.push(format!("{} yields to {} but comes before it in the table", a.name, b.name));
            }
        }
        let mut taken = I::Word::default();
        taken.set(0, 64, a.mask as u64);
        taken.set(64, 64, (a.mask >> 64) as u64);
        for f in a.fields() {
            for bit in 0..I::Word::BITS {
                if f.mask::<I::Word>().get(bit, 1) != 0 {
                    if taken.get(bit, 1) != 0 {
                        faults.push(format!("{}: bit {bit} has two meanings", a.name));
                    }
                    taken.set(bit, 1, 1);
                }
            }
        }
        for op in a.operands {
            let (mut end, width) = (0, op.field.width());
            for (i, part) in op.kind.parts().iter().enumerate() {
                let lo = u32::from(part.lo);
                if lo < end {
                    faults.push(format!("{}: the part \"{}\" overlaps the previous part", a.name, part.name));
                }
                end = lo + u32::from(part.width);
                let last = i + 1 == op.kind.parts().len();
                if lo < width && end > width && !last {
                    faults.push(format!("{}: the part \"{}\" ends after its field", a.name, part.name));
                }
            }
        }
        let suffixes = a
            .modifiers
            .iter()
            .chain(a.older.unwrap_or_default())
            .flat_map(|m| m.names.iter().chain([&m.unwritten]));
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '?');
        let sound = |n: &&&str| n.is_empty() || n.starts_with('.') && n.chars().all(plain);
        for name in suffixes.filter(|n| !sound(n)) {
            faults.push(format!("{}: the suffix {name} has no dot or ends the mnemonic", a.name));
        }
        if a.summary.is_empty() {
            faults.push(format!("{} has no summary", a.name));
        }
        for (text, word) in a.examples {
            if I::table().find(word).is_none_or(|f| usize::from(f) != i) {
                faults.push(format!("{}: the example {text} encodes another row", a.name));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Details, Field, Form, Hints, Insn, Kind, Lift, Line, Modifier, Operand, Part, Scan, Slot};
    use shisa_diag::Diagnostic;
    use shisa_ir::Value;

    /// An operand with these parts.
    #[derive(Debug)]
    struct Parts(&'static [Part]);

    impl<I: Isa> Kind<I> for Parts {
        fn describe(&self) -> &'static str {
            "parts"
        }

        fn print(&self, op: &Operand<I>, insn: &Insn<I>, _: I::Ctx<'_>, out: &mut Line<'_>) {
            out.dec(op.field.get(&insn.word));
        }

        fn parse(
            &self,
            op: &Operand<I>,
            word: &mut I::Word,
            text: &mut Scan<'_>,
            _: I::Ctx<'_>,
        ) -> Result<(), Diagnostic> {
            op.field.set(word, text.dec().unwrap_or(0));
            Ok(())
        }

        fn faithful(&self, _: &Operand<I>, _: &Insn<I>, _: I::Ctx<'_>) -> bool {
            true
        }

        fn read(&self, _: &Operand<I>, l: &mut Lift<'_, '_, I>) -> Value {
            l.i32(0)
        }
    }

    impl<I: Isa> Details<I> for Parts {
        fn parts(&self) -> &'static [Part] {
            self.0
        }
    }

    impl<I: Isa> Hints<I> for Parts {}

    fn nothing<I: Isa>(_: &mut Lift<'_, '_, I>) {}

    /// A row whose lowest eight bits are fixed.
    const fn row<I: Isa<Attr = ()>>(
        name: &'static str,
        bits: u128,
        operands: &'static [Operand<I>],
    ) -> Form<I> {
        Form::new(name, bits, 0xff, operands, (), nothing).says("Does nothing.")
    }

    /// What the audit finds in an instruction set with these rows.
    macro_rules! found {
        ($($row:expr),*) => {{
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            struct Invented;

            impl Isa for Invented {
                type Word = u64;
                type Ctx<'a> = ();
                type Attr = ();

                fn table() -> &'static crate::Table<Self> {
                    const ROWS: &[Form<Invented>] = &[$($row),*];
                    crate::table!(Invented, &[ROWS], 0, 4)
                }
            }

            audit::<Invented>()
        }};
    }

    /// The second of three parts begins at this bit of an operand that is eight bits wide, or as wide as stated.
    macro_rules! parts {
        ($lo:literal) => {
            parts!($lo, 8)
        };
        ($lo:literal, $width:literal) => {{
            const PARTS: Parts =
                Parts(&[Part::new(0, 3, "x"), Part::new($lo, 3, "y"), Part::new($lo + 3, 2, "z")]);
            found!(row("a", 0, &[Operand { slot: Slot(0), field: Field::at(8, $width), kind: &PARTS }]))
        }};
    }

    #[test]
    fn parts_of_operands_lie_one_after_the_other() {
        const OVERLAPS: [&str; 1] = ["a: the part \"y\" overlaps the previous part"];
        assert_eq!(parts!(3), [""; 0]);
        assert_eq!(parts!(4), [""; 0]);
        assert_eq!(parts!(2), OVERLAPS);
        assert_eq!(parts!(1), OVERLAPS);
        assert_eq!(parts!(0), OVERLAPS);
        assert_eq!(parts!(3, 3), [""; 0], "the last parts may be missing");
        assert_eq!(parts!(3, 7), [""; 0], "so may bits of the last one");
        assert_eq!(parts!(3, 5), ["a: the part \"y\" ends after its field"]);
    }

    #[test]
    fn each_contradiction_of_rows_is_found() {
        const PLAIN: Modifier = Modifier::new(Field::at(16, 1), &["", ".S"]);
        const BARE: Modifier = Modifier::new(Field::at(16, 1), &["", "S"]);
        const ENDS: Modifier = Modifier::new(Field::at(16, 1), &["", ".S T"]);
        const SHARED: Modifier = Modifier::new(Field::at(15, 1), &["", ".S"]);
        const WHOLE: Parts = Parts(&[]);
        assert_eq!(
            found!(row("a", 0, &[]).modifiers(&[PLAIN]).examples(&[("a", 0)]), row("b", 1, &[])),
            [""; 0]
        );
        assert_eq!(found!(row("a", 0, &[]), row("b", 0, &[])), ["a and b match the same words"]);
        assert_eq!(found!(row("a", 0, &[]), row("b", 0, &[]).yields_to("a")), [""; 0]);
        assert_eq!(
            found!(row("a", 0, &[]).yields_to("b"), row("b", 0, &[])),
            ["a yields to b but comes before it in the table"]
        );
        assert_eq!(found!(row("a", 0, &[]).yields_to("b"), row("b", 1, &[])), [""; 0]);
        let no_suffix = |name: &str| [format!("a: the suffix {name} has no dot or ends the mnemonic")];
        assert_eq!(found!(row("a", 0, &[]).modifiers(&[BARE])), no_suffix("S"));
        assert_eq!(found!(row("a", 0, &[]).modifiers(&[ENDS])), no_suffix(".S T"));
        assert_eq!(
            found!(
                row("a", 0, &[Operand { slot: Slot(0), field: Field::at(8, 8), kind: &WHOLE }])
                    .modifiers(&[SHARED])
            ),
            ["a: bit 15 has two meanings"]
        );
        assert_eq!(found!(Form::new("a", 0, 0xff, &[], (), nothing)), ["a has no summary"]);
        assert_eq!(
            found!(row("a", 0, &[]).examples(&[("b", 1)]), row("b", 1, &[])),
            ["a: the example b encodes another row"]
        );
    }
}
