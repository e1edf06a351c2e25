//! Checks a table of rows for contradictions.

use crate::{Isa, Word};
use alloc::{format, string::String, vec::Vec};

/// All faults of a table, as text; empty for a sound table. Meant for tests.
///
/// It checks that no two rows match the same word unless one yields to the other; that no two fields of a row, and no
/// two parts of an operand, share a bit; that suffixes begin with a dot and contain no character that ends a mnemonic;
/// that every row has a summary; and that every example decodes to its row.
pub fn audit<I: Isa>() -> Vec<String> {
    let forms = I::table().forms();
    let mut faults = Vec::new();
    for (i, a) in forms.iter().enumerate() {
        for b in &forms[i + 1..] {
            let both = a.mask & b.mask;
            let declared = a.yields_to.contains(&Some(b.name)) || b.yields_to.contains(&Some(a.name));
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
        let suffixes = a.modifiers.iter().chain(a.older.unwrap_or_default()).flat_map(|m| m.names);
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
