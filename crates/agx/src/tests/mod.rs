//! Tests of the crate as a whole, and what they share.

extern crate std;

use crate::*;
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Machine, NoObserver};
use shisa_ir::{Reg, Stage};
use shisa_rows::{Names, Scan};
use shisa_translate::execute::{Device, Resources};
use shisa_translate::{Output, Target};

mod choices;
mod control;
mod drawing;
mod lanes;
mod natives;
mod roles;
mod rows;
mod states;
mod tile;

/// Code from text; `name:` makes a label, `{name}` stands for the distance to it.
pub(crate) fn assemble(lines: &[&str]) -> Program {
    let names = Names::<Agx>::new();
    let encode = |text: &str| {
        let mut scan = Scan::new(text, 0);
        let insn = shisa_rows::parse(&names, &mut scan, Ctx::default());
        assert!(insn.is_err() || scan.is_empty(), "{text}: {} is left", scan.rest());
        insn.unwrap_or_else(|d| panic!("{text}: {d}"))
    };
    let mut labels = BTreeMap::new();
    let mut at = 0i64;
    for line in lines {
        match line.strip_suffix(':') {
            Some(name) => {
                labels.insert(format!("{{{name}}}"), at);
            }
            // The length of a jump does not depend on its distance.
            None => at += length(&encode(line.split_once('{').map_or(line, |_| "jmp_any 0"))) as i64,
        }
    }
    let mut code: Vec<u8> = Vec::new();
    for line in lines.iter().filter(|l| !l.ends_with(':')) {
        let here = code.len() as i64;
        let text = labels
            .iter()
            .fold(String::from(*line), |t, (name, to)| t.replace(name, &format!("{}", to - here)));
        let insn = encode(&text);
        code.extend(&insn.word.to_le_bytes()[..length(&insn)]);
    }
    Program { workgroup: [32, 1, 1], ..Program::new(Stage::Compute, code, Options::DEFAULT) }
}

pub(crate) fn kernel(program: Program) -> Staged {
    Staged {
        program,
        preamble: 0,
        constants: (0, Vec::new()),
        shared: 256,
        stack: 16,
        samples: 1,
        subgroups: false,
        natives: shisa_ir::Natives::default(),
    }
}

/// The program in a shading language.
pub(crate) fn translated(staged: &Staged, target: Target) -> Result<Output, Vec<Diagnostic>> {
    let (func, tree, interface, _) = staged.lower(&Limits::default())?;
    shisa_ir::verify(&func)?;
    let program = shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
    shisa_translate::translate(&program, target, &shisa_translate::Options::default(), &Limits::default())
}

/// A device, unless there is none; then the test says so.
fn device() -> Option<Device> {
    let device = Device::open().and_then(|d| d.with_words(shisa_passthrough::module));
    device.map_err(|e| std::println!("skipped: {e}")).ok()
}

/// What memory holds after a kernel ran in the given number of workgroups.
fn run_on(
    device: &Device,
    output: &Output,
    resources: Resources<'_>,
    memory: Vec<u32>,
    groups: [u32; 3],
) -> Vec<u32> {
    let words = core::cell::RefCell::new(memory);
    device.compute(output, Resources { memory: Some(&words), ..resources }, groups).unwrap();
    words.into_inner()
}

/// Whether the rounding of devices explains the difference.
fn close(got: u32, want: f32) -> bool {
    (f32::from_bits(got) - want).abs() < 1e-4
}

/// What the evaluator gives: the words that threads store at four times their number.
fn evaluated(program: &Program, groups: u32, uniforms: &[u32], memory: &[u32]) -> Vec<u32> {
    let bytes = memory.iter().flat_map(|w| w.to_le_bytes()).collect();
    let lifted = lift(program).unwrap();
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let shared = program.imageblock.and_then(|tile| tile.memory(&program.code)).unwrap_or(256);
    let mut space = shisa_eval::Workspace::new(shared as usize, 16, 0, &Limits::default()).unwrap();
    space.add(0x1_0000_0000, bytes).unwrap();
    let [x, y, z] = program.workgroup;
    let dispatch = shisa_eval::Dispatch { entry: 0, threads: [x * groups, y, z], workgroup: [x, y, z] };
    let load = |machine: &mut Machine<'_, Sequencer>, wave: &shisa_eval::Wave| {
        for (i, word) in (0..).zip(uniforms) {
            machine.set_uniform(Reg::new(UNIFORMS, 2 * i), word & 0xffff)?;
            machine.set_uniform(Reg::new(UNIFORMS, 2 * i + 1), word >> 16)?;
        }
        machine.set_uniform(Reg::new(SPECIALS, 53), wave.number)?;
        for (i, n) in (0..3).zip(0..) {
            machine.set_uniform(Reg::new(SPECIALS, n), wave.group[i])?;
            machine.set_uniform(Reg::new(SPECIALS, 8 + n), wave.size[i])?;
            for lane in 0..32u32 {
                machine.set_input(Reg::new(SPECIALS, 48 + n), lane as usize, wave.thread(lane)[i])?;
                machine.set_input(Reg::new(SPECIALS, 80 + n), lane as usize, wave.place(lane)[i])?;
            }
        }
        for lane in 0..32u32 {
            machine.set_input(Reg::new(SPECIALS, 52), lane as usize, lane)?;
            machine.set_input(Reg::new(SPECIALS, 51), lane as usize, 32 * wave.number + lane)?;
        }
        Ok(())
    };
    let limits = Limits::default();
    let mut waves = shisa_eval::Waves::new(&plan, &Sequencer);
    dispatch.run(&mut waves, &mut space, &mut NoObserver, &limits, load).unwrap();
    let bytes = space.buffer(0x1_0000_0000).unwrap();
    bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}
