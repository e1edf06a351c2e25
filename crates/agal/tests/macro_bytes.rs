//! Statements of Adobe's macro language yield the bytes of the instructions that its tool writes for them.

use shisa_agal::{AsmOptions, assemble, assemble_macros};
use shisa_diag::Limits;
use shisa_ir::Stage;

/// Targets of every form of mask.
const TARGETS: [&str; 9] =
    ["ft1", "ft1.x", "ft1.y", "ft1.w", "ft1.xy", "ft1.yz", "ft1.zw", "ft1.xw", "ft1.xyz"];
const SOURCES: [&str; 5] = ["v0", "v1.xy", "ft2.w", "fc3.zyx", "ft3.zw"];

/// Statements, and what Adobe's tool replaces them by: `T` is the target, `A`, `B`, `C` are sources.
const FORMS: [(&str, &str); 12] = [
    ("T = A", "mov T, A"),
    ("T = -A", "neg T, A"),
    ("T = A + B", "add T, A, B"),
    ("T = A - B", "sub T, A, B"),
    ("T = A * B", "mul T, A, B"),
    ("T = A / B", "div T, A, B"),
    ("T += A", "add T, T, A"),
    ("T -= A", "sub T, T, A"),
    ("T *= A", "mul T, T, A"),
    ("T /= A", "div T, T, A"),
    ("T = A * B + C", "mul T, A, B\nadd T, T, C"),
    ("T = C + A * B", "mul T, A, B\nadd T, T, C"),
];

/// Replaces the letters of a form.
fn filled(form: &str, target: &str, sources: [&str; 3]) -> String {
    let mut text = String::new();
    for c in form.chars() {
        match c {
            'T' => text.push_str(target),
            'A'..='C' => text.push_str(sources[c as usize - 'A' as usize]),
            c => text.push(c),
        }
    }
    text
}

fn agree(statement: &str, instructions: &str, options: &AsmOptions) {
    let limits = Limits::default();
    let macros = assemble_macros(statement, options, &limits);
    let plain = assemble(instructions, &AsmOptions { lenient: true, ..*options }, &limits);
    assert!(plain.bytes().is_some(), "{instructions}: {:?}", plain.diagnostics);
    assert_eq!(macros.bytes(), plain.bytes(), "{statement} is not {instructions}: {:?}", macros.diagnostics);
}

#[test]
fn each_form_has_adobes_bytes() {
    let options = |lenient| AsmOptions {
        version: Some(1),
        stage: Some(Stage::Fragment),
        lenient,
        unchecked: true,
        ..AsmOptions::default()
    };
    for (statement, instructions) in FORMS {
        for target in TARGETS {
            for (i, a) in SOURCES.into_iter().enumerate() {
                let sources = [a, SOURCES[(i + 1) % 5], SOURCES[(i + 3) % 5]];
                let pair = (filled(statement, target, sources), filled(instructions, target, sources));
                agree(&pair.0, &pair.1, &options(false));
                agree(&pair.0, &pair.1, &options(true));
            }
            // A source that is the target, and a target that cannot be read: only lenient text follows Adobe's tool.
            for (target, sources) in [(target, [target, "v0", target]), ("oc.yz", ["v0", "fc1", "v1"])] {
                let pair = (filled(statement, target, sources), filled(instructions, target, sources));
                agree(&pair.0, &pair.1, &options(true));
            }
        }
    }
}

/// Instructions are copied; aliases, parameters and numbers in their operands are replaced.
#[test]
fn instructions_between_statements_are_copied() {
    let options = AsmOptions {
        version: Some(2),
        stage: Some(Stage::Fragment),
        unchecked: true,
        ..AsmOptions::default()
    };
    for (statements, instructions) in [
        ("add ft0, v0, v1", "add ft0, v0, v1"),
        ("alias v1.zyx, uv\nmul ft0.xy , uv,uv.y", "mul ft0.xy, v1.zyx, v1.y"),
        ("alias fc2, C(0.5, 2)\nadd ft0, 2, 0.5", "add ft0, fc2.y, fc2.x"),
        ("alias v1, uv\ntex ft0, uv, fs0 <2d, linear , nomip>", "tex ft0, v1, fs0 <2d,linear,nomip>"),
        ("macro M(neg) { neg ft0, neg }\nM(v1)", "neg ft0, v1"),
        (
            "macro M() { neg out, v0; els }\nife v0.x, v1.x\nft2 = M()\neif",
            "ife v0.x, v1.x\nneg ft2, v0\nels\neif",
        ),
    ] {
        agree(statements, instructions, &options);
    }
    // An alias is not the name of an operation.
    let source = "alias v1, uv\nuv ft0, v0\n";
    let found = assemble_macros(source, &options, &Limits::default()).diagnostics;
    assert!(found[0].message.contains("\"uv\""), "{found:?}");
}

#[test]
fn a_mask_that_reads_other_components_is_a_warning() {
    let warned = |target: &str| {
        let source = format!("// agal 1 fragment unchecked\n{target} *= v0\n");
        let found = assemble_macros(&source, &AsmOptions::default(), &Limits::default()).diagnostics;
        found.iter().any(|d| d.code == "asm-mask-read")
    };
    let found: Vec<&str> = TARGETS.into_iter().filter(|t| warned(t)).collect();
    assert_eq!(found, ["ft1.yz", "ft1.zw"]);
}
