//! What rows require, and how they are found.

use shisa_agal::{Agal, AsmOptions, Effect, Want, assemble};
use shisa_diag::{Diagnostic, Limits};
use shisa_rows::{Form, Isa};

fn names(keep: impl Fn(&Form<Agal>) -> bool) -> Vec<&'static str> {
    Agal::table().forms().iter().filter(|f| keep(f)).map(|f| f.name).collect()
}

#[test]
fn what_rows_require() {
    let effect = |f: &Form<Agal>| f.attr.effect;
    assert_eq!(names(|f| f.attr.wants.width == 3), ["nrm", "crs", "m33", "m34"]);
    assert_eq!(names(|f| effect(f) == Effect::If), ["ife", "ine", "ifg", "ifl"]);
    assert_eq!(names(|f| effect(f) == Effect::Else), ["els"]);
    assert_eq!(names(|f| effect(f) == Effect::EndIf), ["eif"]);
    assert_eq!(names(|f| f.attr.wants.b == Want::Sampler), ["ted", "tex", "tld"]);
    assert_eq!(names(|f| f.attr.wants.a == Want::Scalar), ["ife", "ine", "ifg", "ifl", "kil"]);
    assert_eq!(names(|f| f.attr.wants.b == Want::Matrix(3)), ["m33", "m34"]);
    assert_eq!(names(|f| !f.attr.wants.dest), ["ife", "ine", "ifg", "ifl", "els", "eif", "kil"]);
}

/// The diagnostics of a source whose second line has this opcode.
fn faults(opcode: &str) -> Vec<Diagnostic> {
    let source = format!("// agal 4 fragment\n{opcode} ft0, v0\n");
    assemble(&source, &AsmOptions { unchecked: true, ..AsmOptions::default() }, &Limits::default())
        .diagnostics
}

#[test]
fn every_row_is_found_by_its_name() {
    let unknown = |opcode: &str| faults(opcode).iter().any(|d| d.code == "asm-unknown-opcode");
    for form in Agal::table().forms() {
        assert!(!unknown(form.name), "{}", form.name);
    }
    for none in ["mo", "mvo", "MOV", "movv", "\u{e9}l", "m35"] {
        assert!(unknown(none), "{none}");
    }
    let help = |opcode: &str| faults(opcode)[0].help.concat();
    assert!(help("mvo").contains("mov"), "{}", help("mvo"));
    assert!(!help("qqqqqq").contains('`'), "{}", help("qqqqqq"));
}
