//! A program for each row.

use shisa::agal::{Agal, AsmOptions};
use shisa::ir::Stage;
use shisa::rows::{Form, Isa};

/// For each opcode of AGAL its name and a program in which it reads `v0` and `v1`, or `va0` and `va1`, and
/// what it makes is all that is written out.
pub fn row_programs() -> Vec<(&'static str, Vec<u8>)> {
    let settings = shisa::Settings::default();
    let one = |form: &Form<Agal>| {
        let stage = form.attr.stage.unwrap_or(Stage::Fragment);
        let options = AsmOptions { unchecked: true, ..AsmOptions::default() };
        let source = source(form, stage);
        let done = shisa::assemble(&source, &options, &settings);
        (form.name, done.unwrap_or_else(|e| panic!("{source}: {e}")).bytes)
    };
    Agal::table().forms().iter().map(one).collect()
}

fn source(form: &Form<Agal>, stage: Stage) -> String {
    let (t, input, s, out) = match stage {
        Stage::Vertex => ("vt", "va", "vs", "op"),
        _ => ("ft", "v", "fs", "oc"),
    };
    let constants = if stage == Stage::Vertex { "vc0" } else { "fc0" };
    let operand = |i: usize, name: &str| match name {
        "destination" => format!("{t}2"),
        "sampler" => format!("{s}0 <2d>"),
        "scalar source" => format!("{t}{}.x", i % 2),
        name if name.starts_with("matrix") => constants.to_owned(),
        _ => format!("{t}{}", (i + 1) % 2),
    };
    let describe = form.operands.iter().map(|o| o.kind.describe()).enumerate();
    let operands: Vec<String> = describe.map(|(i, name)| operand(i, name)).collect();
    let line = format!("{} {}", form.name, operands.join(", "));
    let body = match form.name {
        name if name.starts_with("if") || name == "ine" => format!("{line}\nmov {t}2, {t}1\neif"),
        "els" | "eif" => format!("ife {t}0.x, {t}1.x\nmov {t}2, {t}1\nels\nmov {t}2.xy, {t}0\neif"),
        _ => line,
    };
    let name = stage.name();
    format!(
        "// agal 4 {name}\nmov {t}0, {input}0\nmov {t}1, {input}1\nmov {t}2, {t}0\n{body}\nmov {out}, {t}2\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use shisa::translation::{Options, SpirvVersion, Target};
    use shisa::{Listing, RunOptions, Settings};

    /// Every row is decoded, printed, parsed, executed and translated.
    #[test]
    fn every_row_goes_through_every_verb() {
        let settings = Settings::default();
        for (name, bytes) in row_programs() {
            let text = shisa::disassemble(&bytes, &Listing::default(), &settings).expect(name);
            assert!(text.lines().any(|l| l.split(' ').next() == Some(name)), "{name} in {text}");
            let back = shisa::assemble(&text, &AsmOptions::default(), &settings).expect(&text);
            assert_eq!(back.bytes, bytes, "{text}");
            let input = crate::legs::engines::input(&bytes, 4, |l, i| ((l * 4 + i) as f32 - 5.0).to_bits());
            let ran = shisa::run(&bytes, &input, RunOptions::default(), &settings);
            assert_eq!(ran.unwrap_or_else(|e| panic!("{text}: {e}")).killed.len(), 4);
            for target in [Target::Wgsl, Target::Msl, Target::Spirv(SpirvVersion::V1_3)] {
                let done = shisa::translate(&bytes, target, &Options::default(), &settings);
                done.unwrap_or_else(|e| panic!("{} of {text}: {e}", target.name()));
            }
        }
    }
}
