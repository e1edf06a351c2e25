//! Conditions of the macro language group their operators as C does.

use shisa_agal::{AsmOptions, Program, assemble_macros};
use shisa_diag::Limits;
use shisa_ir::Stage;

/// Binary operators by how tightly they bind in C, the loosest first. All are left-associative.
const LEVELS: [&[&str]; 6] =
    [&["||"], &["&&"], &["==", "!="], &["<", ">", "<=", ">="], &["+", "-"], &["*", "/"]];

fn holds(condition: &str) -> bool {
    let source = format!("#if {condition}\noc = v0\n#else\noc = v1\n#endif\n");
    let options = AsmOptions { version: Some(1), stage: Some(Stage::Fragment), ..AsmOptions::default() };
    let assembly = assemble_macros(&source, &options, &Limits::default());
    let program: Program = assembly.program.unwrap_or_else(|| panic!("{source}{:?}", assembly.diagnostics));
    // The number of the register that is copied.
    program.tokens[0][1] as u16 == 0
}

#[test]
fn each_operator_computes() {
    for (condition, want) in [
        ("0 || 0", false),
        ("0 || 2", true),
        ("2 && 0", false),
        ("2 && 3", true),
        ("2 == 2", true),
        ("2 == 3", false),
        ("2 != 2", false),
        ("2 != 3", true),
        ("2 < 2", false),
        ("2 < 3", true),
        ("2 > 2", false),
        ("3 > 2", true),
        ("2 <= 1", false),
        ("2 <= 2", true),
        ("2 >= 3", false),
        ("2 >= 2", true),
        ("2 + 3 == 5", true),
        ("2 - 3 == -1", true),
        ("2 * 3 == 6", true),
        ("3 / 2 == 1.5", true),
        ("!0", true),
        ("!2", false),
        ("-2 < 0", true),
        ("!0 + 1 == 2", true),
        ("-2 + 3 == 1", true),
    ] {
        assert_eq!(holds(condition), want, "{condition}");
    }
}

#[test]
fn each_pair_of_operators_is_grouped_as_in_c() {
    let all = || (0..).zip(LEVELS).flat_map(|(level, list)| list.iter().map(move |sign| (level, *sign)));
    let mut distinct = 0;
    for (first_level, first) in all() {
        for (second_level, second) in all() {
            for [a, b, c] in [[7, 3, 2], [1, 5, 9], [2, 2, 4], [0, 3, 3]] {
                let left = format!("(({a} {first} {b}) {second} {c})");
                let right = format!("({a} {first} ({b} {second} {c}))");
                let (want, other) =
                    if second_level > first_level { (&right, &left) } else { (&left, &right) };
                let plain = format!("({a} {first} {b} {second} {c})");
                assert!(holds(&format!("{plain} == {want}")), "{plain} is not {want}");
                distinct += usize::from(!holds(&format!("{want} == {other}")));
            }
        }
    }
    assert!(distinct > 100, "the groupings differ in {distinct} cases only");
}
