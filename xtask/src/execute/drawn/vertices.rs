//! Vertex programs: as kernels, and in a vertex stage where each vertex is a pixel.

use super::trial::Trial;
use super::{Fault, compare, reasons, settings, world};
use crate::execute::Counts;
use shisa::Lowered;
use shisa::agx::{DrawVertex, VertexOutput};
use shisa::data::NoTrace;
use shisa::eval::TextureSet;
use shisa::ir::{Binding, Builder, Convert, End, FileId, Io, Mask, Reg, Scalar, Swizzle, Type, Value};
use shisa_translate::execute::Register;
use shisa_translate::{Options, Output, Program, Target};

/// Vertices of an instance, and instances: together more than a wave has.
const VERTICES: [u32; 2] = [23, 2];

/// The bits of the exponent of a float.
const EXPONENT: u32 = 0x7f80_0000;

/// The form that runs the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Kernel,
    Stage,
}

/// Compares the outputs of a program as a kernel and as a vertex stage.
pub(super) fn judge(trial: &Trial<'_>, target: Target) -> Result<Counts, Fault> {
    let drawing = trial.drawing(TextureSet::new());
    let [columns, rows] = VERTICES;
    let vertices: Vec<_> = (0..rows)
        .flat_map(|instance| (0..columns).map(move |vertex| DrawVertex { vertex, instance }))
        .collect();
    let run = |vertices: &[DrawVertex]| drawing.vertices(vertices, &mut NoTrace, &settings());
    let (want, some) = (run(&vertices)?, run(&vertices[..vertices.len() / 2])?);
    let inputs: Vec<Vec<Register>> = vertices
        .iter()
        .map(|v| {
            let input = |io: &Io| match &*io.name {
                "vertex" => Ok([v.vertex, 0, 0, 0]),
                "instance" => Ok([v.instance, 0, 0, 0]),
                name => Err(format!("there is no input {name}")),
            };
            trial.lowered.interface.inputs.iter().map(input).collect::<Result<_, String>>()
        })
        .collect::<Result<_, _>>()?;
    let mut counts = Counts::default();
    let mut same = |lanes: &[Vec<Register>], memory: &[u32], form: Form| {
        outputs(trial, &want, lanes, &mut counts, form)?;
        trial.compare_memory(&some.buffers[0], &want.buffers[0], memory, &mut counts)
    };
    let (lanes, memory) = trial.on_device(&[], |r| trial.device.lanes(trial.output, r, &inputs))?;
    let lanes: Vec<_> = lanes.into_iter().map(|lane| lane.outputs).collect();
    same(&lanes, &memory, Form::Kernel)?;
    let stage = in_columns(trial.lowered, target)?;
    let (lanes, memory) = trial.on_device(&[], |r| trial.device.points(&stage, r, VERTICES))?;
    same(&lanes, &memory, Form::Stage)?;
    Ok(counts)
}

/// Compares the outputs of each vertex.
fn outputs(
    trial: &Trial<'_>,
    want: &VertexOutput,
    lanes: &[Vec<Register>],
    counts: &mut Counts,
    form: Form,
) -> Result<(), Fault> {
    for (i, (lane, want)) in lanes.iter().zip(&want.vertices).enumerate() {
        for (io, got) in trial.lowered.interface.outputs.iter().zip(lane) {
            let first = match world::placed(&io.name) {
                Some((half, more)) => {
                    let at = 2 * usize::from(half);
                    u16::from_le_bytes([trial.uniforms[at], trial.uniforms[at + 1]]) + more
                }
                None => io.reg.unit,
            };
            for c in io.used.iter() {
                let want = want.get(&(first + u16::from(c))).copied();
                let want = want.ok_or_else(|| format!("{} is not an output of the evaluator", io.name))?;
                let got = got[usize::from(c)];
                // A denormal may be lost between the stages.
                if form == Form::Stage && [want, got].iter().all(|n| n & EXPONENT == 0) {
                    counts.components += 1;
                    counts.equal += usize::from(want == got);
                    continue;
                }
                let at = || format!("{}.{c} of vertex {i} as {form:?}", io.name);
                compare(at, want, &[], got, counts)?;
            }
        }
    }
    Ok(())
}

/// The stage form of a program whose own position becomes one more output at a location. Its new position is the
/// centre of the pixel in the column of the vertex and the row of the instance.
fn in_columns(lowered: &Lowered, target: Target) -> Result<Output, Fault> {
    let Lowered { mut func, tree, mut interface, .. } = lowered.clone();
    let file = |name: &str| {
        let at = func.files.iter().position(|f| f.name == name);
        at.map(|at| FileId(at as u8)).ok_or_else(|| format!("there is no register file {name}"))
    };
    let (ids, outputs) = (file("id")?, file("v")?);
    let numbers: [Reg; 2] = [0, 1].map(|unit| Reg::new(ids, unit));
    for (reg, name, binding) in
        [(numbers[0], "vertex", Binding::VertexIndex), (numbers[1], "instance", Binding::InstanceIndex)]
    {
        if interface.inputs.iter().all(|io| io.binding != binding) {
            let scalar = Scalar::I32;
            interface.inputs.push(Io {
                name: name.into(),
                reg,
                scalar,
                count: 1,
                used: Mask::first(1),
                binding,
            });
        }
    }
    let behind = |io: &Io| match io.binding {
        Binding::Location(n) => n + 1,
        _ => 0,
    };
    let location = interface.outputs.iter().map(behind).max().unwrap_or(0);
    for io in interface.outputs.iter_mut().filter(|io| io.binding == Binding::Position) {
        io.binding = Binding::Location(location);
    }
    // The last of the outputs, which no program names.
    let output = Reg::new(outputs, func.files[usize::from(outputs.0)].units - 4);
    interface.outputs.push(Io {
        name: "position".into(),
        reg: output,
        scalar: Scalar::F32,
        count: 4,
        used: Mask::ALL,
        binding: Binding::Position,
    });
    for block in func.blocks.iter_mut().filter(|b| b.end == End::Exit) {
        let start = func.nodes.list.len() as u32;
        let b = &mut Builder::new(&mut func.nodes, 0);
        // From -1 to 1, rows downwards.
        let mut at = |reg: Reg, count: u32, sign: f32| {
            let n = b.read(reg, Swizzle::IDENTITY, Type::I32);
            let n = b.convert(Convert::UnsignedToFloat, n, Scalar::F32);
            let (step, first) =
                (b.f32(sign * 2.0 / count as f32, 1), b.f32(sign * (1.0 / count as f32 - 1.0), 1));
            let n = b.fmul(n, step);
            b.fadd(n, first)
        };
        let (x, y) = (at(numbers[0], VERTICES[0], 1.0), at(numbers[1], VERTICES[1], -1.0));
        let (z, w) = (b.f32(0.5, 1), b.f32(1.0, 1));
        let position = b.join(&[x, y, z, w]);
        b.write(output, Mask::ALL, position);
        block.body.extend((start..func.nodes.list.len() as u32).map(Value));
    }
    let program = Program { func: &func, tree: &tree, interface: &interface, source: &[] };
    let options = Options { exact: true, ..Options::default() };
    let output = shisa_translate::translate(&program, target, &options, &settings().limits);
    output.map_err(|list| Fault::Device(reasons(&list)))
}
