//! A program for each row.

use shisa::Language;
use shisa::agal::Agal;
use shisa::diag::Limits;
use shisa::ir::Stage;
use shisa::pica200::container::{Constant, Descriptor, Dvle, Shbin};
use shisa::pica200::{Pica200, Words};
use shisa::rows::{Form, Isa};

/// For each AGAL opcode, its name and a program in which it reads `v0` and `v1`, or `va0` and `va1`. Only its result is
/// written to the outputs.
pub fn row_programs() -> Vec<(&'static str, Vec<u8>)> {
    let mut settings = shisa::Settings::new();
    settings.unchecked = true;
    let one = |form: &Form<Agal>| {
        let stage = form.attr.stage.unwrap_or(Stage::Fragment);
        let source = source(form, stage);
        let done = shisa::assemble(&source, Language::Agal, &settings);
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

/// For each PICA200 row, its name and a program in which it reads `v0` and `v1`. Only its result is written to the
/// outputs. `i0` sets three iterations, `b0` is true.
pub fn pica200_row_programs() -> Vec<(&'static str, Vec<u8>)> {
    Pica200::table().forms().iter().map(|form| (form.name, pica200_program(form))).collect()
}

/// Words before those of the row.
const BEFORE: [&str; 4] = ["mov r0, v0", "mov r1, v1", "mov r2, r0", "cmp r0, lt, ge, r1"];

fn pica200_program(form: &Form<Pica200>) -> Vec<u8> {
    let operand = |(i, name): (usize, &str)| match name {
        "destination" => "r2".to_owned(),
        "address register" => "a0.xy".to_owned(),
        "comparison" => "gt".to_owned(),
        // One of the three operands of a multiply-add is a constant.
        "source" if form.operands.len() == 5 => "c1".to_owned(),
        _ => format!("r{}", (i + 1) % 2),
    };
    let describe = form.operands.iter().map(|o| o.kind.describe());
    let operands = describe.filter(|name| *name != "number of the operand descriptor").enumerate();
    let line = format!("{} {}", form.name, operands.map(operand).collect::<Vec<_>>().join(", "));
    let (one, two) = ("add r2, r2, r1", "mul r2, r2, r1");
    // The first word of the row has index 4.
    let row: &[&str] = match form.name {
        "break" => &["for i0, 7", "ifc cmp.x, 7, 0", "break", one],
        "breakc" => &["for i0, 6", "breakc cmp.x && cmp.y", one],
        "call" => &["call 7, 1"],
        "callc" => &["callc cmp.x, 7, 1"],
        "callu" => &["callu b0, 7, 1"],
        "ifu" => &["ifu b0, 6, 1", one, two],
        "ifc" => &["ifc !cmp.y, 6, 1", one, two],
        "for" => &["for i0, 5", one],
        "jmpc" => &["jmpc cmp.x || cmp.y, 6", one],
        "jmpu" => &["jmpu !b0, 6", one],
        "emit" | "setemit" => &["setemit 1, prim", "mov o0, r2", "emit"],
        "nop" | "end" => &["nop"],
        "mova" => &[&line, "mov r2, c1[a0.x]"],
        _ => &[&line],
    };
    // The last word is the target of calls.
    assemble(BEFORE.iter().chain(row).chain(&["mov o0, r2", "end", one]), form.name)
}

/// A program of these words, each with its own operand descriptor.
fn assemble<'a>(lines: impl Iterator<Item = &'a &'a str>, name: &str) -> Vec<u8> {
    let mut file = Shbin::default();
    let words = Words::default();
    for (i, line) in lines.enumerate() {
        let with = format!("{line}, d{i}");
        let mut digits = Vec::new();
        words
            .assemble(&with, &mut digits)
            .or_else(|_| words.assemble(line, &mut digits))
            .unwrap_or_else(|e| panic!("{line}: {e}"));
        let digits = String::from_utf8_lossy(&digits);
        let mut numbers = digits.split(':').map(|d| u32::from_str_radix(d, 16).unwrap_or_default());
        file.code.extend(numbers.next());
        file.descriptors.push(Descriptor { bits: numbers.next().unwrap_or_default(), flags: 0 });
    }
    let constant = |kind, register, data| Constant { kind, register, data };
    file.programs.push(Dvle {
        kind: u8::from(name.contains("emit")),
        inputs: 3,
        output_mask: 1,
        constants: vec![
            constant(0, 0, [1, 0, 0, 0]),
            constant(1, 0, [0x01_00_02, 0, 0, 0]),
            constant(2, 1, [0x3e_0000, 0xbf_0000, 0x40_0000, 0x3f_0000]),
        ],
        ..Dvle::default()
    });
    file.write(&Limits::default()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::first;
    use shisa::pica200::{ShaderRun, ShaderSet};
    use shisa::rows::Insn;
    use shisa::translation::{Options, SpirvVersion, Target};
    use shisa::{Listing, RunOptions, Settings};

    /// Every row is decoded, printed, parsed, executed and translated.
    #[test]
    fn every_row_of_pica200_goes_through_every_verb() {
        let settings = Settings::default();
        for (name, bytes) in pica200_row_programs() {
            let program = Shbin::read(&bytes, &settings.limits).unwrap().program(0).unwrap();
            let word = |code: &u32| shisa::pica200::word::fuse(*code, &program.descriptors);
            let mut rows = program.code.iter().map(|c| Insn::<Pica200>::decode(word(c)).unwrap().form().name);
            assert!(rows.any(|row| row == name), "{name} is in its program");
            assert!(crate::shbin(&bytes), "{name}");
            let (mut inputs, value) = (std::collections::BTreeMap::new(), [-2.5f32, 1.0, 0.0, 7.0]);
            inputs.extend([(0, value.map(f32::to_bits)), (1, value.map(|v| (v * 0.5).to_bits()))]);
            let set = ShaderSet {
                runs: vec![ShaderRun { inputs, ..ShaderRun::default() }; 4],
                ..ShaderSet::default()
            };
            let first = first(&bytes, &settings).expect(name);
            let ran = shisa::pica200::run(&first, &[set], RunOptions::new());
            assert_eq!(ran.unwrap_or_else(|e| panic!("{name}: {e}"))[0].results.len(), 4);
            let options = Options { form: shisa::translation::Form::Compute, ..Options::default() };
            for target in [Target::Wgsl, Target::Msl, Target::Spirv(SpirvVersion::V1_3)] {
                let done = first.translate(target, &options);
                done.unwrap_or_else(|e| panic!("{} of {name}: {e}", target.name()));
            }
        }
    }

    /// Every row is decoded, printed, parsed, executed and translated.
    #[test]
    fn every_row_goes_through_every_verb() {
        let settings = Settings::default();
        for (name, bytes) in row_programs() {
            let first = first(&bytes, &settings).expect(name);
            let text = first.listing(&Listing::new()).expect(name);
            assert!(text.lines().any(|l| l.split(' ').next() == Some(name)), "{name} in {text}");
            let back = shisa::assemble(&text, Language::Agal, &settings).expect(&text);
            assert_eq!(back.bytes, bytes, "{text}");
            let input = crate::legs::engines::input(&bytes, 4, |l, i| ((l * 4 + i) as f32 - 5.0).to_bits());
            let ran = shisa::agal::run(&first, &input, RunOptions::new());
            assert_eq!(ran.unwrap_or_else(|e| panic!("{text}: {e}")).killed.len(), 4);
            for target in [Target::Wgsl, Target::Msl, Target::Spirv(SpirvVersion::V1_3)] {
                let done = first.translate(target, &Options::default());
                done.unwrap_or_else(|e| panic!("{} of {text}: {e}", target.name()));
            }
        }
    }
}
