//! Straight-line programs of the instructions that lanes ran.

use crate::copy::{Copier, Full};
use crate::files::{FILES, IN, OUT, UNITS, counterpart, is_uniform};
use crate::path::{Path, Shape, Taken};
use crate::straight::Straight;
use shisa_diag::Diagnostic;
use shisa_engines::{Choice, Invocation, Results};
use shisa_eval::{Batch, Column, NoEnvironment, Program};
use shisa_ir::{
    Builder, Control, ControlOp, Convert, FileId, FloatModel, Lifted, Mask, Op, Reg, Scalar, Step, Swizzle,
    Type, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// What an instruction computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The component of a register that begins at this unit.
    Register(Reg),
    /// The condition that decides where the lane goes.
    Condition,
    /// The program counter to which the lane goes.
    Target,
    /// An operand of an operation on memory, textures or other lanes, such as an address.
    Operand,
}

/// A value that slices output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observed {
    /// The index of its step in the path.
    pub(crate) position: usize,
    pub(crate) what: What,
    pub(crate) scalar: Scalar,
    /// Its first unit in the outputs.
    pub(crate) unit: u16,
    /// Its 32-bit words.
    pub(crate) words: u8,
}

/// Which values a slice outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observe {
    /// Those of all of its steps.
    All,
    /// Those of its last step, so that all others exist for it only.
    Last,
}

/// Where the registers of a program are in the files of slices.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// The file and the unit of the first unit that is used, with that unit.
    files: BTreeMap<FileId, (Reg, u16)>,
    /// Files that are read by a computed number.
    indexed: BTreeSet<FileId>,
}

impl Blocks {
    /// The registers of these steps; `None` if they do not fit the files of slices.
    fn new(source: &Lifted, steps: &[&Step]) -> Option<Blocks> {
        let mut blocks = Blocks::default();
        let mut used: BTreeMap<FileId, (u16, u16)> = BTreeMap::new();
        let mut extend = |first: Reg, end: u16| {
            let (from, to) = used.entry(first.file).or_insert((first.unit, end));
            (*from, *to) = ((*from).min(first.unit), (*to).max(end));
        };
        for step in steps {
            let written = source.writes(step).map(|(component, ..)| component);
            for component in source.reads(step).chain(written) {
                extend(component.reg, component.reg.unit.checked_add(component.count)?);
            }
            for index in step.nodes.clone() {
                match source.nodes.op(Value(index)) {
                    // A swizzle or a mask may leave out the first component.
                    Op::Read { reg, .. } | Op::Write { reg, .. } => extend(reg, reg.unit.checked_add(1)?),
                    Op::ReadAt { file: id, .. } => {
                        let file = source.files.get(usize::from(id.0))?;
                        if is_uniform(file) {
                            blocks.indexed.insert(id);
                            extend(Reg::new(id, 0), file.units);
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut taken: BTreeMap<FileId, u16> = BTreeMap::new();
        for (id, (from, to)) in used {
            let file = counterpart(source.files.get(usize::from(id.0))?)?;
            let next = taken.entry(file).or_insert(0);
            blocks.files.insert(id, (Reg::new(file, *next), from));
            *next = next.checked_add(to - from).filter(|end| *end <= UNITS)?;
        }
        Some(blocks)
    }

    /// A unit of a register in the files of slices.
    pub(crate) fn of(&self, reg: Reg) -> Option<Reg> {
        let (to, from) = self.files.get(&reg.file)?;
        Some(Reg { unit: reg.unit.checked_sub(*from)?.checked_add(to.unit)?, ..*to })
    }

    /// Whether a file is read by a computed number and has all of its units in a slice.
    pub(crate) fn is_indexed(&self, file: FileId) -> bool {
        self.indexed.contains(&file)
    }
}

/// A straight-line program with its inputs.
#[derive(Debug)]
pub(crate) struct Slice {
    pub(crate) lifted: Lifted,
    batch: Batch,
    model: FloatModel,
    pub(crate) observed: Vec<Observed>,
    /// The registers that it takes from the recording, in each lane: those that the steps need and do not write before.
    pub(crate) loaded: Vec<(Reg, Vec<u32>)>,
    /// The uniforms that it reads, with their bits.
    pub(crate) uniforms: Vec<(Reg, u32)>,
}

impl Slice {
    /// The steps of a path at these positions, in ascending order; `None` if they do not fit a slice.
    pub(crate) fn new(program: &Program<'_>, path: &Path, kept: &[usize], observe: Observe) -> Option<Slice> {
        let source = program.lifted();
        let all: Vec<(usize, &Taken)> = kept
            .iter()
            .map(|position| Some((*position, path.taken.get(*position)?)))
            .collect::<Option<_>>()?;
        let steps: Vec<&Step> = all.iter().map(|(_, taken)| taken.step(source)).collect::<Option<_>>()?;
        let blocks = Blocks::new(source, &steps)?;
        let mut assembler =
            Assembler { lifted: Lifted::new(FILES), loaded: Vec::new(), versions: BTreeMap::new() };
        let mut observed = Vec::new();
        let last = all.last()?.0;
        for ((position, taken), step) in all.iter().zip(&steps) {
            assembler.load(source, &blocks, taken)?;
            let observes = observe == Observe::All || *position == last;
            let observed = observes.then_some(&mut observed);
            assembler.copy((source, &blocks), (*position, taken), step, observed).ok()?;
        }
        assembler.exit();
        let Assembler { lifted, loaded, .. } = assembler;
        let column = |(unit, (_, bits)): (u16, &(Reg, Vec<u32>))| Column {
            reg: Reg::new(IN, unit),
            units: 1,
            bits: bits.clone(),
        };
        let read: BTreeSet<Reg> = steps.iter().flat_map(|step| Shape::of(source, step).uniforms).collect();
        let uniforms: Vec<(Reg, u32)> =
            read.into_iter().filter_map(|reg| Some((reg, *path.uniforms.get(&reg)?))).collect();
        let uniform = |(reg, bits): &(Reg, u32)| Some((blocks.of(*reg)?, vec![*bits]));
        let units = observed.last().map_or(0, |last: &Observed| last.unit + u16::from(last.words));
        let batch = Batch {
            lanes: path.lanes.len(),
            inputs: (0..).zip(&loaded).map(column).collect(),
            uniforms: uniforms.iter().filter_map(uniform).collect(),
            outputs: vec![(Reg::new(OUT, 0), units)],
            ..Batch::default()
        };
        Some(Slice { lifted, batch, model: program.model(), observed, loaded, uniforms })
    }
}

impl Invocation for Slice {
    fn lifted(&self) -> &Lifted {
        &self.lifted
    }

    fn run(&self, lifted: &Lifted, choice: &Choice<'_>) -> Result<Results, Diagnostic> {
        Ok(choice.only(&self.batch, (lifted, &Straight), self.model, &mut NoEnvironment)?.into())
    }
}

/// A slice in the making.
struct Assembler {
    lifted: Lifted,
    loaded: Vec<(Reg, Vec<u32>)>,
    /// The version of each register that the slice holds.
    versions: BTreeMap<Reg, u32>,
}

impl Assembler {
    /// Loads the registers of a step that the slice does not hold; `None` if there are too many.
    fn load(&mut self, source: &Lifted, blocks: &Blocks, taken: &Taken) -> Option<()> {
        let first = self.lifted.nodes.list.len() as u32;
        let mut builder = Builder::new(&mut self.lifted.nodes, taken.index as u32);
        for read in &taken.reads {
            if self.versions.insert(read.reg, read.version) == Some(read.version) {
                continue;
            }
            let unit = u16::try_from(self.loaded.len()).ok().filter(|unit| *unit < UNITS)?;
            self.loaded.push((read.reg, read.bits.clone()));
            let word = builder.read(Reg::new(IN, unit), Swizzle::IDENTITY, Type::I32);
            let value = match source.files.get(usize::from(read.reg.file.0))?.unit_bits {
                1 => builder.convert(Convert::Truncate, word, Scalar::I1),
                16 => builder.convert(Convert::Truncate, word, Scalar::I16),
                _ => word,
            };
            builder.write(blocks.of(read.reg)?, Mask::first(1), value);
        }
        if self.lifted.nodes.list.len() as u32 > first {
            self.push(first, None, ControlOp::Next);
        }
        Some(())
    }

    fn copy(
        &mut self,
        (source, blocks): (&Lifted, &Blocks),
        (position, taken): (usize, &Taken),
        step: &Step,
        observed: Option<&mut Vec<Observed>>,
    ) -> Result<(), Full> {
        let first = self.lifted.nodes.list.len() as u32;
        let builder = Builder::new(&mut self.lifted.nodes, taken.index as u32);
        let (guard, written) = Copier::new(source, blocks, builder, position, observed).step(step)?;
        for (reg, version) in &taken.writes {
            match written.contains(reg) {
                true => self.versions.insert(*reg, *version),
                false => self.versions.remove(reg),
            };
        }
        self.push(first, guard, ControlOp::Next);
        Ok(())
    }

    fn exit(&mut self) {
        self.push(self.lifted.nodes.list.len() as u32, None, ControlOp::Exit);
    }

    /// Adds a step with all operations from the first one on.
    fn push(&mut self, first: u32, guard: Option<Value>, op: ControlOp) {
        let pc = self.lifted.steps.len() as u32;
        let nodes = first..self.lifted.nodes.list.len() as u32;
        let control = Control { op, ..Control::default() };
        self.lifted.steps.push(Step { pc, next: pc + 1, nodes, guard, whole_wave: false, control });
    }
}
