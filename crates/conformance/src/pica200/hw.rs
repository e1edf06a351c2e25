//! `pica200/hw`: facts from programs that ran on a 3DS, in the `f24` model.

use crate::{Data, Error, Tally};
use shisa::diag::Limits;
use shisa::eval::{Machine, NoEnvironment, NoObserver, Program};
use shisa::ir::{Reg, Stage, scalar::Rounding, scalar::float24};
use shisa::pica200::{self, FLAGS, INPUTS, Options, Pica200, Sequencer, TEMPORARIES, word};
use shisa::rows::{Names, Scan};

/// Judges the float cases and those of LITP.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    let rows = |name: &str| -> Result<Vec<Vec<String>>, Error> {
        let text = data.text(&format!("pica200/hw/{name}"))?;
        let row = |line: &str| line.split('\t').map(str::to_owned).collect();
        Ok(text.lines().skip(1).map(row).collect())
    };
    for row in rows("fp.tsv")? {
        let [case, operation, operands, expected] =
            [0, 1, 2, 3].map(|i| row.get(i).map_or("", String::as_str));
        tally.row(&format!("{case} {operation} {operands}"), float(operation, operands, expected));
    }
    for row in rows("litp_cases.tsv")? {
        tally.row(&format!("litp {}", row.join(" ")), litp(&row));
    }
    Ok(())
}

/// The registers after some instructions on inputs: `r0`, and the flags.
fn run(lines: &[String], inputs: &[[f32; 4]]) -> Result<([f32; 4], [bool; 2]), String> {
    let names = Names::<Pica200>::new();
    let mut program = pica200::Program { stage: Stage::Vertex, code: vec![], descriptors: vec![], entry: 0 };
    for line in lines {
        let insn = shisa::rows::parse(&names, &mut Scan::new(line, 0), &Options::DEFAULT);
        let mut insn = insn.map_err(|d| format!("{line}: {d}"))?;
        if word::descriptor(insn.word as u32).is_some() {
            insn.word |= program.descriptors.len() as u64;
            program.descriptors.push(word::split(insn.word).1);
        }
        program.code.push(word::split(insn.word).0);
    }
    let (options, limits) = (Options::default(), Limits::default());
    let lifted = pica200::lift(&program, &options).map_err(|d| format!("{d:?}"))?;
    let plan = Program::with_model(&lifted, options.float_model(), &limits).map_err(|d| d.to_string())?;
    let mut machine = Machine::new(&plan, &Sequencer, 0, 1);
    for (bits, unit) in inputs.iter().flatten().zip(0..) {
        let kept = float24::decode(float24::encode(bits.to_bits(), Rounding::Truncate));
        machine.set_input(Reg::new(INPUTS, unit), 0, kept).map_err(|d| d.to_string())?;
    }
    machine.run(&mut NoEnvironment, &mut NoObserver, &limits).map_err(|d| d.to_string())?;
    let unit = |file, unit| machine.register(Reg::new(file, unit), 0).map_err(|d| d.to_string());
    let value = |number| unit(TEMPORARIES, number).map(f32::from_bits);
    Ok(([value(0)?, value(1)?, value(2)?, value(3)?], [unit(FLAGS, 0)? != 0, unit(FLAGS, 1)? != 0]))
}

fn number(text: &str) -> Result<f32, String> {
    match text.trim() {
        "NaN" => Ok(f32::NAN),
        "+inf" => Ok(f32::INFINITY),
        "-inf" => Ok(f32::NEG_INFINITY),
        other => other.parse().map_err(|_| format!("no number: {other}")),
    }
}

/// A case: operations one after the other, of one operand each but for the first.
fn float(operation: &str, operands: &str, expected: &str) -> Result<(), String> {
    let (operands, factor) = match operands.split_once(", then times ") {
        Some((first, factor)) => (first, Some(factor)),
        None => (operands, None),
    };
    let mut inputs = Vec::new();
    for operand in operands.split(';') {
        let parts = operand.trim().trim_matches(['(', ')']).split(',').map(number);
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        inputs.push(
            [0, 1, 2, 3].map(|i| if parts.len() == 1 { parts[0] } else { *parts.get(i).unwrap_or(&0.0) }),
        );
    }
    // The instruction's second operand may be an input too: hardware errata do not bind the evaluator.
    let sources: Vec<String> = (0..inputs.len()).map(|n| format!("v{n}")).collect();
    let mut lines = Vec::new();
    for (n, name) in operation.split(", ").enumerate() {
        lines.push(match (n, factor) {
            (0, _) => format!("{name} r0, {}", sources.join(", ")),
            (_, Some(factor)) => {
                inputs.push([number(factor)?; 4]);
                format!("{name} r0, v{}, r0", inputs.len() - 1)
            }
            _ => format!("{name} r0, r0"),
        });
    }
    lines.push("end".into());
    let (got, _) = run(&lines, &inputs)?;
    let want = number(expected)?;
    match got[0] == want || got[0].is_nan() && want.is_nan() {
        true => Ok(()),
        false => Err(format!("expected {want}, got {}", got[0])),
    }
}

fn litp(row: &[String]) -> Result<(), String> {
    let cell = |i: usize| row.get(i).map_or("", String::as_str);
    let input = [number(cell(0))?, number(cell(1))?, number(cell(2))?, number(cell(3))?];
    let (got, flags) = run(&["litp r0, v0".into(), "end".into()], &[input])?;
    for (flag, (name, i)) in flags.into_iter().zip([("cmp.x", 4), ("cmp.y", 5)]) {
        if flag.to_string() != cell(i) {
            return Err(format!("{name}: expected {}, got {flag}", cell(i)));
        }
    }
    for (got, i) in got.into_iter().zip(6..9) {
        let (want, bound) = match cell(i) {
            "-" => continue,
            about => match about.strip_prefix("about ") {
                Some(near) => (number(near)?, 0.01),
                None => (number(about)?, 0.0),
            },
        };
        if (got - want).abs() > bound {
            return Err(format!("component {}: expected {want}, got {got}", i - 6));
        }
    }
    Ok(())
}
