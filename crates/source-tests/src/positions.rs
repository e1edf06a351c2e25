//! No engine takes bits of an instruction by their number.
//!
//! A breach is, in a family's code outside of rows, operand kinds and tests, and in its folder of the library:
//! * a call of `Field::at` or `Field::runs`, which state where an operand's bits are;
//! * a shift by a number, or a mask that is a number, of a value named `word`, `code`, `fused`, `token` or
//!   `instruction`, also as a field (`insn.word >> 26`). The halves of a fused word may be taken apart: a shift by 32
//!   or 64 and a mask of 32 bits are no breach.
//!
//! Containers and ports have words of their own, which are not instructions.

use crate::ratchet::{Breach, check};
use crate::sources::{File, families, library, of_family};

/// Files outside of `forms/` and `operand` that hold parts of rows: AGAL's tokens, the opcodes that its macro language emits, and the operands that all of
/// Maxwell's rows share.
const SHARED: [(&str, &str); 4] = [
    ("agal", "src/token.rs"),
    ("agal", "src/macro_language/opcodes.rs"),
    ("maxwell", "src/control.rs"),
    ("maxwell", "src/guard.rs"),
];

/// Whether a file states rows, operand kinds, or the spelling of rows for another tool.
pub(crate) fn is_table(krate: &str, file: &File) -> bool {
    ["forms", "operand", "kinds", "kind", "applegpu"].iter().any(|name| file.below(name))
        || SHARED.contains(&(krate, file.path.as_str()))
}

/// Whether a file reads or writes words that are not instructions.
fn has_other_words(file: &File) -> bool {
    // `upload` follows writes to the ports of PICA200's constants.
    ["container", "upload"].iter().any(|name| file.below(name))
}

/// The values that hold an instruction.
const WORDS: [&str; 5] = ["word", "code", "fused", "token", "instruction"];

/// Numbers that take apart the halves of a fused word.
const HALVES: [&str; 3] = ["32", "64", "0xffff_ffff"];

/// The name at the end of an expression: of `insn.word`, `word`.
fn last_name(text: &str) -> &str {
    let text = text.trim_end();
    let start = text.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
    &text[start..]
}

/// What takes bits by number in a file: the offset, and the text.
fn positions(file: &File) -> Vec<(usize, String)> {
    let code = &file.lexed.code;
    let mut found = Vec::new();
    for constructor in ["Field::at(", "Field::runs("] {
        found.extend(code.match_indices(constructor).map(|(at, _)| at));
    }
    for operator in [">> ", "& "] {
        for (at, _) in code.match_indices(operator) {
            let number = code[at + operator.len()..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
            let number = number.filter(|n| n.starts_with(|c: char| c.is_ascii_digit()));
            if number.is_some_and(|n| !HALVES.contains(&n)) && WORDS.contains(&last_name(&code[..at])) {
                found.push(at);
            }
        }
    }
    found.sort_unstable();
    let text = |at: usize| {
        let start = code[..at].rfind('\n').map_or(0, |i| i + 1);
        code[start..].lines().next().unwrap_or("").trim().to_string()
    };
    found.into_iter().filter(|at| !file.in_tests(*at)).map(|at| (at, text(at))).collect()
}

/// The breaches of a file.
fn breaches(file: &File) -> impl Iterator<Item = Breach> {
    let breach = |(at, what)| Breach { path: file.path.clone(), line: file.line(at), what };
    positions(file).into_iter().map(breach)
}

#[test]
fn engines_take_no_bits_by_number() {
    let (families, library) = (families(), library());
    let mut found: Vec<(&str, Vec<Breach>)> = Vec::new();
    let mut of_library = Vec::new();
    for krate in &families {
        let own = krate.files.iter().filter(|f| !is_table(&krate.name, f) && !has_other_words(f));
        found.push((&krate.name, own.flat_map(breaches).collect()));
        of_library.extend(of_family(&library, &krate.name).flat_map(breaches));
    }
    found.push((&library.name, of_library));
    check("bit positions", &found);
}
