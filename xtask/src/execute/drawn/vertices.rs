//! Vertex programs, and those that run as compute.

use super::world::{self, Filling};
use super::{Case, Fault, compare, compare_memory, registers, settings, words};
use crate::execute::Counts;
use shisa::ir::{Io, Stage};
use shisa::{ComputeProgram, ComputeRun, DrawVertex, Drawing, Lowered, RunOptions};
use shisa_translate::execute::{Device, Register, Resources};
use shisa_translate::{Form, Output};
use std::cell::RefCell;

/// More than a wave has.
const VERTICES: u32 = 40;

/// The form in which a program runs.
pub(super) fn form(lowered: &Lowered) -> Form {
    if lowered.interface.stage == Stage::Vertex { Form::Compute } else { Form::Stage }
}

pub(super) fn judge(
    case: &Case,
    lowered: &Lowered,
    output: &Output,
    device: &Device,
    filling: Filling,
) -> Result<Counts, Fault> {
    let (memory, uniforms) = world::filled(lowered, filling);
    let drawing = Drawing {
        code: case.code.clone(),
        stack: case.stack,
        uniforms: uniforms.clone(),
        buffers: vec![(0, memory.clone())],
        ..Drawing::default()
    };
    let vertices: Vec<_> = (0..VERTICES).map(|i| DrawVertex { vertex: i % 23, instance: i / 23 }).collect();
    let run = |vertices: &[DrawVertex]| drawing.vertices(vertices, RunOptions::default(), &settings());
    let (want, some) = (run(&vertices)?, run(&vertices[..VERTICES as usize / 2])?);
    let inputs: Vec<Vec<Register>> = vertices
        .iter()
        .map(|v| {
            let input = |io: &Io| match &*io.name {
                "vertex" => Ok([v.vertex, 0, 0, 0]),
                "instance" => Ok([v.instance, 0, 0, 0]),
                name => Err(format!("there is no input {name}")),
            };
            lowered.interface.inputs.iter().map(input).collect::<Result<_, String>>()
        })
        .collect::<Result<_, _>>()?;
    let (arrays, words) = ([registers(&uniforms)], RefCell::new(words(&memory)));
    let resources = Resources { uniforms: &arrays, memory: Some(&words), ..Resources::default() };
    let lanes = device.lanes(output, resources, &inputs)?;
    let mut counts = Counts::default();
    for (i, (lane, want)) in lanes.iter().zip(&want.vertices).enumerate() {
        for (io, got) in lowered.interface.outputs.iter().zip(&lane.outputs) {
            let first = match world::placed(&io.name) {
                Some((half, more)) => {
                    let at = 2 * usize::from(half);
                    u16::from_le_bytes([uniforms[at], uniforms[at + 1]]) + more
                }
                None => io.reg.unit,
            };
            for c in io.used.iter() {
                let want = want.get(&(first + u16::from(c))).copied();
                let want = want.ok_or_else(|| format!("{} is not given by the evaluator", io.name))?;
                let place = || format!("{}.{c} of vertex {i}", io.name);
                compare(place, want, &[], got[usize::from(c)], &mut counts)?;
            }
        }
    }
    compare_memory(&memory, &some.buffers[0], &want.buffers[0], &words.borrow(), &mut counts)?;
    Ok(counts)
}

pub(super) fn judge_compute(
    case: &Case,
    lowered: &Lowered,
    output: &Output,
    device: &Device,
    filling: Filling,
) -> Result<Counts, Fault> {
    let (memory, uniforms) = world::filled(lowered, filling);
    let program = ComputeProgram {
        code: case.code.clone(),
        main: (0, case.code.len()),
        stack: case.stack,
        ..ComputeProgram::default()
    };
    let workgroup = lowered.interface.workgroup;
    let grid = [2 * workgroup[0], workgroup[1], workgroup[2]];
    let buffers = vec![(0, memory.clone())];
    let run =
        ComputeRun { program, grid, workgroup, uniforms: uniforms.clone(), buffers, ..ComputeRun::default() };
    let want = shisa::run_compute(&run, &settings())?;
    let some = shisa::run_compute(&ComputeRun { grid: workgroup, ..run.clone() }, &settings())?;
    let (arrays, words) = ([registers(&uniforms)], RefCell::new(words(&memory)));
    let resources = Resources { uniforms: &arrays, memory: Some(&words), ..Resources::default() };
    device.compute(output, resources, [2, 1, 1])?;
    let mut counts = Counts::default();
    compare_memory(&memory, &some.buffers[0], &want.buffers[0], &words.borrow(), &mut counts)?;
    Ok(counts)
}
