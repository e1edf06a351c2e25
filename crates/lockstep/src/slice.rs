//! Straight-line programs of the instructions that lanes ran.

use crate::blocks::Blocks;
use crate::bounds::Made;
use crate::copy::{Copier, Full};
use crate::files::{FILES, IN, OUT, UNITS};
use crate::observed::{Observe, Observed, Outputs};
use crate::path::{Path, Shape, Taken};
use crate::straight::Straight;
use shisa_diag::{Diagnostic, Limits};
use shisa_engines::{Choice, Invocation, Open, Results};
use shisa_eval::{Batch, Column, NoEnvironment, Program};
use shisa_ir::{
    Builder, Control, ControlOp, Convert, FloatModel, Lifted, Mask, Reg, Scalar, Step, Swizzle, Type, Value,
};
use std::collections::{BTreeMap, BTreeSet};

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
        let apart = observe == Observe::Apart;
        let source = program.lifted();
        let all: Vec<(usize, &Taken)> = kept
            .iter()
            .map(|position| Some((*position, path.taken.get(*position)?)))
            .collect::<Option<_>>()?;
        let steps: Vec<&Step> = all.iter().map(|(_, taken)| taken.step(source)).collect::<Option<_>>()?;
        let blocks = Blocks::new(source, &steps)?;
        let mut assembler =
            Assembler { lifted: Lifted::new(FILES), loaded: Vec::new(), versions: BTreeMap::new() };
        let mut outputs = Outputs::default();
        let last = all.last()?.0;
        for ((position, taken), step) in all.iter().zip(&steps) {
            if apart {
                assembler.versions.clear();
                outputs.made = Made::Exactly;
            }
            assembler.load(source, &blocks, taken)?;
            outputs.made = outputs.made.max(Made::by(source, step));
            let observes = observe != Observe::Last || *position == last;
            let observed = observes.then_some(&mut outputs);
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
        let Outputs { list: observed, units, .. } = outputs;
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

    fn open(&self, limits: &Limits) -> Result<Option<Open<'_>>, Diagnostic> {
        let mut func = shisa_ir::recover(self.lifted.clone(), &Straight, self.batch.entry, limits)?;
        // Recovery numbers instructions by the steps of the slice.
        for node in &mut func.nodes.list {
            let step = self.lifted.steps.get(node.origin as usize);
            let first = step.and_then(|step| self.lifted.nodes.list.get(step.nodes.start as usize));
            if let Some(first) = first {
                node.origin = first.origin;
            }
        }
        Ok(Some(Open { func, batch: &self.batch, model: self.model }))
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
        observed: Option<&mut Outputs>,
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
