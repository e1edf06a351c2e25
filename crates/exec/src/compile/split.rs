//! Splits the operations of a function into instructions on components.

use super::order::Order;
use super::parts::{Part, Parts};
use super::{Block, Draft, Edge, Next};
use crate::access::Access;
use crate::codes::{internal, unsupported};
use crate::floats::{Floats, Precision};
use crate::instruction::{Arrive, Instruction};
use crate::plan::Table;
use shisa_diag::Diagnostic;
use shisa_ir::{BlockId, End, File, FileId, FileKind, FloatModel, Func, Mask, Op, Reg, Scalar, Type, Value};

use std::collections::{HashMap, HashSet};

/// The components of a value.
pub(super) type Components = [Part; 4];

/// A program while it is split.
pub(super) struct Splitter<'a> {
    pub(super) func: &'a Func,
    pub(super) model: FloatModel,
    pub(super) precision: Precision,
    pub(super) parts: Parts,
    /// Components without float24 denormals: results of float24 arithmetic.
    pub(super) normal24: HashSet<Part>,
    /// The components of each value so far.
    values: Vec<Option<Components>>,
    /// Zero.
    pub(super) zero: Part,
    /// The instructions on uniforms so far.
    pub(super) uniform: Vec<Instruction<Part>>,
    /// The instructions of the current block since its last barrier.
    pub(super) body: Vec<Instruction<Part>>,
    /// The components that the current block writes to outputs, in the order of the units.
    pub(super) written: Vec<(Reg, Part)>,
    /// The settings of the next emitted vertex, if the program emits any.
    pub(super) settings: Option<Part>,
    /// The blocks so far, and the components that they write to outputs. A barrier ends a block.
    blocks: Vec<Block>,
    all_written: Vec<Vec<(Reg, Part)>>,
    /// Whether the current block may run several times for a slab.
    repeats: bool,
    /// Whether the function has values of 64 bits.
    pub(super) has_wide: bool,
    tables: Vec<Table>,
    pub(super) accesses: Vec<Access<Part>>,
    /// The rows of tables that the current block has read: table, offset, stride, index.
    rows: HashMap<(usize, u16, u8, Part), Components>,
}

/// Splits all blocks.
pub(super) fn split(func: &Func, order: &Order, floats: Floats) -> Result<Draft, Diagnostic> {
    let mut parts = Parts::default();
    let mut splitter = Splitter {
        func,
        model: floats.arithmetic(),
        precision: floats.precision,
        zero: parts.constant(0),
        parts,
        normal24: HashSet::new(),
        values: vec![None; func.nodes.list.len()],
        uniform: Vec::new(),
        body: Vec::new(),
        written: Vec::new(),
        settings: None,
        blocks: Vec::with_capacity(order.blocks.len()),
        all_written: Vec::with_capacity(order.blocks.len()),
        repeats: false,
        has_wide: func.nodes.list.iter().any(|node| node.ty.scalar.bits() > 32),
        tables: Vec::new(),
        accesses: Vec::new(),
        rows: HashMap::new(),
    };
    // The first and the last of the blocks that each block became.
    let mut became = Vec::with_capacity(order.blocks.len());
    for (&id, repeats) in order.blocks.iter().zip(order.repeated(func)) {
        let first = splitter.blocks.len();
        splitter.repeats = repeats;
        splitter.block(id)?;
        splitter.end_block(Next::Exit);
        became.push((first, splitter.blocks.len() - 1));
    }
    for (&(_, last), id) in became.iter().zip(&order.blocks) {
        let next = splitter.next(&|to| became[order.position(to)].0, *id)?;
        splitter.blocks[last].next = next;
    }
    let (mut blocks, written) =
        (std::mem::take(&mut splitter.blocks), std::mem::take(&mut splitter.all_written));
    if let (Some(dst), Some(first)) = (splitter.settings, blocks.first_mut()) {
        first.body.insert(0, Instruction::Blend { dst, src: splitter.zero });
    }
    let outputs = splitter.outputs(&mut blocks, written);
    let Splitter { parts, uniform, tables, accesses, .. } = splitter;
    Ok(Draft { parts, uniform, blocks, outputs, tables, accesses })
}

impl Splitter<'_> {
    fn block(&mut self, id: BlockId) -> Result<(), Diagnostic> {
        let block = &self.func.blocks[id.index()];
        self.rows.clear();
        for &param in &block.params {
            let parts = [(); 4].map(|()| self.parts.computed(false));
            self.values[param.index()] = Some(parts);
        }
        block.body.iter().try_for_each(|&v| self.operation(v))
    }

    /// Ends the current block.
    fn end_block(&mut self, next: Next) {
        let body = std::mem::take(&mut self.body);
        self.blocks.push(Block { body, next, repeats: self.repeats });
        self.all_written.push(std::mem::take(&mut self.written));
    }

    /// The lanes arrive at a barrier, which ends the block.
    fn barrier(&mut self, arrive: Arrive<Part>) {
        let edge = Edge { to: self.blocks.len() + 1, moves: Vec::new() };
        self.end_block(Next::Barrier(arrive, edge));
    }

    /// What follows a block. `first` finds the first of the blocks that a block became.
    fn next(&mut self, first: &dyn Fn(BlockId) -> usize, id: BlockId) -> Result<Next, Diagnostic> {
        let func = self.func;
        Ok(match &func.blocks[id.index()].end {
            End::Exit => Next::Exit,
            End::Jump(edge) => Next::Jump(self.edge(first, edge)?),
            End::Branch { cond, yes, no } => {
                let cond = self.value(*cond)?[0];
                Next::Branch { cond, yes: self.edge(first, yes)?, no: self.edge(first, no)? }
            }
        })
    }

    /// An edge. A move whose source is the target of an earlier move reads a copy.
    fn edge(&mut self, first: &dyn Fn(BlockId) -> usize, edge: &shisa_ir::Edge) -> Result<Edge, Diagnostic> {
        let func = self.func;
        let mut pairs = Vec::new();
        for (&param, &arg) in func.blocks[edge.to.index()].params.iter().zip(&edge.args) {
            let (to, from) = (self.value(param)?, self.value(arg)?);
            let count = usize::from(words(func.nodes.ty(param))?);
            pairs.extend(to.into_iter().zip(from).take(count).filter(|(to, from)| to != from));
        }
        let mut moves = Vec::with_capacity(pairs.len());
        for i in 0..pairs.len() {
            let (_, from) = pairs[i];
            if pairs[..i].iter().any(|(to, _)| *to == from) {
                let copy = self.parts.computed(false);
                moves.push(Instruction::One { kernel: crate::kernel::One::Copy, dst: copy, args: [from] });
                pairs[i].1 = copy;
            }
        }
        moves.extend(pairs.into_iter().map(|(dst, src)| Instruction::Blend { dst, src }));
        Ok(Edge { to: first(edge.to), moves })
    }

    /// The outputs. If a single block outside of loops writes them, all lanes run that block once and the outputs are its
    /// components; otherwise every block replaces the values of its lanes.
    fn outputs(&mut self, blocks: &mut [Block], written: Vec<Vec<(Reg, Part)>>) -> Vec<(Reg, Part)> {
        let mut writers = blocks.iter_mut().zip(written).filter(|(_, w)| !w.is_empty()).collect::<Vec<_>>();
        if let [(block, only)] = &mut writers[..]
            && !block.repeats
            && matches!(block.next, Next::Exit)
        {
            return std::mem::take(only);
        }
        let mut outputs: Vec<(Reg, Part)> = Vec::new();
        for (block, written) in writers {
            for (reg, src) in written {
                let known = outputs.iter().find(|(r, _)| *r == reg).map(|(_, part)| *part);
                let dst = known.unwrap_or_else(|| {
                    let part = self.parts.computed(false);
                    outputs.push((reg, part));
                    part
                });
                block.body.push(Instruction::Blend { dst, src });
            }
        }
        outputs
    }

    /// The components of a value.
    pub(super) fn value(&self, v: Value) -> Result<Components, Diagnostic> {
        let known = self.values.get(v.index()).copied().flatten();
        known.ok_or_else(|| internal(format!("{v:?} is used before its definition")))
    }

    /// Appends an instruction that computes a component: once a call if all operands are uniform.
    pub(super) fn emit(&mut self, build: impl FnOnce(Part) -> Instruction<Part>, operands: &[Part]) -> Part {
        let is_uniform = operands.iter().all(|p| self.parts.is_uniform(*p));
        let dst = self.parts.computed(is_uniform);
        let instruction = build(dst);
        if is_uniform {
            self.uniform.push(instruction)
        } else {
            self.body.push(instruction)
        }
        dst
    }

    fn operation(&mut self, v: Value) -> Result<(), Diagnostic> {
        let nodes = &self.func.nodes;
        let (op, ty) = (nodes.op(v), nodes.ty(v));
        let zero = self.zero;
        let count = ty.count.clamp(1, 4);
        let mut out = [zero; 4];
        let slots = || (0..count).zip(0usize..);
        match op {
            Op::Param => return words(ty).map(|_| ()),
            Op::Load { .. }
            | Op::Store { .. }
            | Op::Atomic { .. }
            | Op::Lane { .. }
            | Op::Combine { .. }
            | Op::Texture(_)
            | Op::TextureStore(_)
            | Op::TextureAtomic(_)
            | Op::Emit
            | Op::SetEmit { .. }
            | Op::EmitVertex { .. }
            | Op::EndStrip { .. }
            | Op::Reduced => out = self.access(op, ty)?,
            Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Ternary { .. }
            | Op::Convert { .. }
            | Op::Const(_)
            | Op::Swizzle { .. }
            | Op::Join { .. }
                if self.has_wide && self.is_wide(v) =>
            {
                out = self.wide(op, ty)?;
            }
            Op::Const(bits) => out = [self.parts.constant(low(ty.scalar, bits)); 4],
            Op::Read { reg, swizzle } => {
                for (i, slot) in slots() {
                    out[slot] = self.read(reg, swizzle.get(i), ty.scalar)?;
                }
            }
            Op::ReadAt { file, base, stride, index, swizzle } => {
                let index = self.value(index)?[0];
                let row = self.read_at(file, base, stride, index, ty.scalar)?;
                slots().for_each(|(i, slot)| out[slot] = row[usize::from(swizzle.get(i))]);
            }
            Op::Write { reg, mask, value } => return self.write(reg, mask, value),
            Op::Unary { op, rule, a } => {
                let a = self.value(a)?;
                slots().for_each(|(_, s)| out[s] = self.unary(op, rule, ty.scalar, a[s]));
            }
            Op::Binary { op: shisa_ir::Binary::FDot, rule, a, b } => {
                let of = nodes.ty(a);
                let (a, b) = (self.value(a)?, self.value(b)?);
                out[0] = self.dot(rule, of.scalar, usize::from(of.count.clamp(1, 4)), a, b);
            }
            Op::Binary { op, rule, a, b } => {
                let of = nodes.ty(a);
                let (a, b) = (self.value(a)?, self.value(b)?);
                slots().for_each(|(_, s)| out[s] = self.binary(op, rule, of.scalar, a[s], b[s]));
            }
            Op::Ternary { op, rule, a, b, c } => {
                let single = nodes.ty(a).count == 1;
                let (a, b, c) = (self.value(a)?, self.value(b)?, self.value(c)?);
                slots().for_each(|(_, s)| {
                    let a = a[if single { 0 } else { s }];
                    out[s] = self.ternary(op, rule, ty.scalar, a, b[s], c[s]);
                });
            }
            Op::Convert { op, rule, a } => {
                let from = nodes.ty(a);
                let a = self.value(a)?;
                slots().for_each(|(_, s)| out[s] = self.convert(op, rule, from.scalar, ty.scalar, a[s]));
            }
            Op::Swizzle { a, swizzle } => {
                let a = self.value(a)?;
                slots().for_each(|(i, s)| out[s] = a[usize::from(swizzle.get(i))]);
            }
            Op::Join { parts } => {
                for (_, s) in slots() {
                    out[s] = self.value(parts[s])?[0];
                }
            }
            Op::Kill { cond } => {
                let cond = self.value(cond)?[0];
                self.body.push(Instruction::Kill { cond });
            }
            Op::Derivative { axis, a } => {
                let a = self.value(a)?;
                slots().for_each(|(_, s)| out[s] = self.derivative(axis, ty, a[s]));
            }
            Op::Barrier => self.barrier(Arrive::Everybody),
            Op::Arrive { how, number, threads, vote } => {
                let [number, threads, vote] =
                    [self.value(number)?[0], self.value(threads)?[0], self.value(vote)?[0]];
                self.barrier(Arrive::Numbered { how, number, threads, vote });
            }
        }
        self.values[v.index()] = Some(out);
        Ok(())
    }

    /// The file of a register whose units are whole components of this kind.
    fn file(&self, id: FileId, scalar: Scalar) -> Result<&'static File, Diagnostic> {
        let file = self.func.files.get(usize::from(id.0));
        let file = file.ok_or_else(|| internal(format!("there is no register file {}", id.0)))?;
        let whole = file.unit_bits == 32 && scalar.bits() == 32 || file.unit_bits == 1 && scalar.bits() == 1;
        if !whole {
            return Err(unsupported("registers whose components are parts of units or several units"));
        }
        Ok(file)
    }

    fn read(&mut self, reg: Reg, component: u8, scalar: Scalar) -> Result<Part, Diagnostic> {
        let file = self.file(reg.file, scalar)?;
        let unit = Reg { unit: reg.unit.saturating_add(component.into()), ..reg };
        if unit.unit >= file.units {
            return Err(internal(format!("register {unit:?} is outside of its file")));
        }
        match file.kind {
            FileKind::Input => Ok(self.parts.unit(unit, false)),
            FileKind::Uniform => Ok(self.parts.unit(unit, true)),
            FileKind::Temp | FileKind::Output => {
                Err(unsupported("registers that are read by a computed index"))
            }
        }
    }

    /// Four units from a computed one on. A row that the block has read already is not read again.
    fn read_at(
        &mut self,
        id: FileId,
        offset: u16,
        stride: u8,
        index: Part,
        scalar: Scalar,
    ) -> Result<Components, Diagnostic> {
        let file = self.file(id, scalar)?;
        if file.kind != FileKind::Uniform {
            return Err(unsupported("inputs and temporaries that are read by a computed index"));
        }
        if usize::from(file.units) > crate::working::LONGEST {
            return Err(unsupported("more than 4096 uniforms that are read by a computed index"));
        }
        let known = self.tables.iter().position(|t| t.file == id);
        let table = known.unwrap_or_else(|| {
            self.tables.push(Table { file: id, units: file.units, outside: 0 });
            self.tables.len() - 1
        });
        // Without a stride every index is that of the same row.
        let index = if stride == 0 { self.zero } else { index };
        let key = (table, offset, stride, index);
        if let Some(row) = self.rows.get(&key) {
            return Ok(*row);
        }
        let is_uniform = self.parts.is_uniform(index);
        let dst = [(); 4].map(|()| self.parts.computed(is_uniform));
        let (table, offset, stride) = (table as u32, offset.into(), stride.into());
        let gather = Instruction::Gather { dst, table, offset, stride, index };
        if is_uniform {
            self.uniform.push(gather)
        } else {
            self.body.push(gather)
        }
        self.rows.insert(key, dst);
        Ok(dst)
    }

    fn write(&mut self, reg: Reg, mask: Mask, value: Value) -> Result<(), Diagnostic> {
        let file = self.file(reg.file, self.func.nodes.ty(value).scalar)?;
        if file.kind != FileKind::Output {
            return Err(unsupported("registers that are read by a computed index"));
        }
        let value = self.value(value)?;
        for (component, part) in mask.iter().zip(value) {
            let unit = Reg { unit: reg.unit.saturating_add(component.into()), ..reg };
            match self.written.binary_search_by_key(&unit, |(reg, _)| *reg) {
                Ok(known) => self.written[known].1 = part,
                Err(at) => self.written.insert(at, (unit, part)),
            }
        }
        Ok(())
    }
}

/// Number of words of a value: one for each component, or two of a component of 64 bits.
pub(super) fn words(ty: Type) -> Result<u8, Diagnostic> {
    let words = ty.count.max(1) * if ty.scalar.bits() > 32 { 2 } else { 1 };
    if words > 4 { Err(unsupported("vectors of more than two components of 64 bits")) } else { Ok(words) }
}

/// The bits of a constant of a kind of up to 32 bits.
fn low(scalar: Scalar, bits: u64) -> u32 {
    bits as u32 & (u32::MAX >> (32 - u32::from(scalar.bits().min(32))))
}
