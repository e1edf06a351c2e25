//! Translations on a graphics device, as an engine.

use crate::bounds::Bounds;
use crate::engine::Engine;
use shisa_diag::{Diagnostic, Limits};
use shisa_engines::{Invocation, Open, Results};
use shisa_eval::{Batch, Column, Outcome};
use shisa_ir::scalar::Numbers;
use shisa_ir::{
    Addresses, Binding, File, FileId, FileKind, Func, Interface, Io, Mask, Natives, Op, Reg, Stage,
    UniformArray, Value,
};
use shisa_translate::execute::{Device, Register, Resources};
use shisa_translate::{Form, Options, Output, Program, Target, translate};

/// The compute form of the translation to a language, on a graphics device. It takes programs whose results depend on
/// nothing but registers, in binary32.
#[derive(Clone, Copy, Debug)]
pub struct Translated<'d> {
    /// The device.
    pub device: &'d Device,
    /// [`Target::Wgsl`] or [`Target::Spirv`]: devices take no other language.
    pub target: Target,
}

impl Engine for Translated<'_> {
    fn name(&self) -> &str {
        self.target.name()
    }

    fn run(&self, invocation: &dyn Invocation, limits: &Limits) -> Result<Results, Diagnostic> {
        let Some(Open { mut func, batch, model }) = invocation.open(limits)? else {
            return Err(unsupported("a dispatch, which has memory"));
        };
        if let Some(what) = lacks(&func, batch) {
            return Err(unsupported(what));
        }
        shisa_ir::simplify(&mut func, limits)?;
        let mut rules = func.nodes.list.iter().filter_map(|node| node.op.rounding());
        if model.numbers != Numbers::F32 && rules.any(|rule| rule.model) {
            return Err(unsupported("float24").help("choose binary32 as the format of floats"));
        }
        let files = func.files;
        shisa_ir::narrow(&mut func, files, Addresses::Full, Natives::default())?;
        let tree = shisa_ir::structurise(&mut func, limits)?;
        let interface =
            interface(&func, batch).ok_or_else(|| internal("a register of the batch has no file"))?;
        let options = Options { form: Form::Compute, exact: true, ..Options::default() };
        let program = Program { func: &func, tree: &tree, interface: &interface, source: &[] };
        let output = translate(&program, self.target, &options, limits).map_err(first)?;
        self.lanes(&func, batch, &output)
    }

    fn bounds(&self) -> Bounds {
        Bounds::Languages
    }
}

impl Translated<'_> {
    fn lanes(&self, func: &Func, batch: &Batch, output: &Output) -> Result<Results, Diagnostic> {
        let inputs: Vec<Vec<Register>> = (0..batch.lanes)
            .map(|lane| {
                let columns = batch.inputs.iter().filter_map(|column| column.lane(lane));
                columns.flat_map(registers).collect()
            })
            .collect();
        let uniforms: Vec<Vec<Register>> =
            uniform_files(func).map(|(id, file)| uniforms(batch, id, file)).collect();
        let resources = Resources { uniforms: &uniforms, ..Resources::default() };
        let lanes = self.device.lanes(output, resources, &inputs);
        let lanes = lanes.map_err(|e| Diagnostic::error("lockstep-device", e))?;
        let mut first = 0;
        let mut outputs = Vec::new();
        for &(reg, units) in &batch.outputs {
            let registers = usize::from(units).div_ceil(UNITS);
            let of_lane = |lane: &shisa_translate::execute::Lane| {
                let words = lane.outputs.iter().skip(first).take(registers).flatten().copied();
                words.take(units.into()).collect::<Vec<u32>>()
            };
            let bits: Vec<u32> = lanes.iter().flat_map(of_lane).collect();
            if bits.len() != lanes.len() * usize::from(units) {
                return Err(internal("the device returned fewer outputs"));
            }
            outputs.push(Column { reg, units, bits });
            first += registers;
        }
        let killed = lanes.iter().map(|lane| lane.killed).collect();
        Ok(Outcome { outputs, killed, executed: 0 }.into())
    }
}

/// Units of a register of the device.
const UNITS: usize = 4;

fn internal(what: &str) -> Diagnostic {
    Diagnostic::internal("internal-lockstep", what)
}

fn unsupported(what: &str) -> Diagnostic {
    Diagnostic::error("lockstep-device-unsupported", format!("the graphics device does not run {what}"))
}

/// Why a device does not run a program.
fn lacks(func: &Func, batch: &Batch) -> Option<&'static str> {
    if !batch.by_lane.is_empty() {
        return Some("programs that know the numbers of their lanes");
    }
    let all = (0..func.nodes.list.len() as u32).map(Value);
    let of_registers = |value: Value| {
        let op = func.nodes.op(value);
        let computes = func.nodes.is_pure(value) && !matches!(op, Op::Texture(_) | Op::Derivative { .. });
        computes || matches!(op, Op::Param | Op::Write { .. } | Op::Kill { .. })
    };
    (!all.into_iter().all(of_registers)).then_some("memory, textures, and exchange between lanes")
}

/// Words as registers, the last of them with zeros.
fn registers(words: &[u32]) -> impl Iterator<Item = Register> {
    words.chunks(UNITS).map(|chunk| {
        let mut register = Register::default();
        register.iter_mut().zip(chunk).for_each(|(unit, word)| *unit = *word);
        register
    })
}

/// The register files of uniforms.
fn uniform_files(func: &Func) -> impl Iterator<Item = (FileId, &'static File)> {
    (0..).map(FileId).zip(func.files).filter(|(_, file)| file.kind == FileKind::Uniform)
}

/// The contents of a file of uniforms. Units of one bit are the bits of words.
fn uniforms(batch: &Batch, id: FileId, file: &File) -> Vec<Register> {
    let mut words = vec![0; usize::from(file.units)];
    for (reg, values) in batch.uniforms.iter().filter(|(reg, _)| reg.file == id) {
        words.iter_mut().skip(reg.unit.into()).zip(values).for_each(|(word, value)| *word = *value);
    }
    if file.unit_bits == 1 {
        let word = |bits: &[u32]| bits.iter().rev().fold(0, |word, bit| word << 1 | bit & 1);
        words = words.chunks(32).map(word).collect();
    }
    registers(&words).collect()
}

/// The interface that has the registers of a batch; `None` if the program lacks their files.
fn interface(func: &Func, batch: &Batch) -> Option<Interface> {
    let kills = func.nodes.list.iter().any(|node| matches!(node.op, Op::Kill { .. }));
    let stage = if kills { Stage::Fragment } else { Stage::Vertex };
    let inputs = batch.inputs.iter().map(|column| (column.reg, column.units));
    let array = |(binding, (id, file)): (u32, (FileId, &File))| {
        let registers = file.units.div_ceil(u16::from(file.units_per_register.max(1)));
        let array = UniformArray::new(format!("uniforms{binding}"), id, registers);
        UniformArray { binding, indirect: true, ..array }
    };
    Some(Interface {
        stage,
        inputs: variables(func, "input", inputs)?,
        outputs: variables(func, "output", batch.outputs.iter().copied())?,
        uniforms: (0..).zip(uniform_files(func)).map(array).collect(),
        textures: Vec::new(),
        samplers: Vec::new(),
        buffers: Vec::new(),
        geometry: None,
        tessellation: None,
        vertex_outputs: Vec::new(),
        patch_outputs: Vec::new(),
        vertex_inputs: Vec::new(),
        workgroup: [1; 3],
        shared: 0,
        local: 0,
    })
}

/// Registers of a batch as variables of at most four components; `None` if the program lacks their file.
fn variables(func: &Func, name: &str, registers: impl Iterator<Item = (Reg, u16)>) -> Option<Vec<Io>> {
    let chunks = registers.flat_map(|(reg, units)| {
        let chunk =
            move |first: u16| (Reg { unit: reg.unit + first, ..reg }, (units - first).min(UNITS as u16));
        (0..units).step_by(UNITS).map(chunk)
    });
    let variable = |(number, (reg, count)): (u32, (Reg, u16))| {
        let count = count as u8;
        let scalar = func.files.get(usize::from(reg.file.0))?.scalar;
        let (name, binding) = (format!("{name}{number}").into(), Binding::Location(number));
        Some(Io { name, reg, scalar, count, used: Mask::first(count), binding })
    };
    (0..).zip(chunks).map(variable).collect()
}

/// The first reason of a refusal.
fn first(all: Vec<Diagnostic>) -> Diagnostic {
    let first = all.into_iter().next();
    first
        .unwrap_or_else(|| Diagnostic::internal("internal-lockstep", "a translation failed without a reason"))
}
