//! Splits operations that see more than their lane: textures, memory, other lanes.

use super::parts::Part;
use super::split::{Components, Splitter, words};
use crate::access::{Access, Emission, Located, Several};
use crate::codes::{internal, unsupported};
use crate::instruction::Instruction;
use shisa_diag::Diagnostic;
use shisa_ir::scalar::Arithmetic;
use shisa_ir::scalar::lanes::Combination;
use shisa_ir::{Axis, Binary, Combine, FloatRule, LaneOp, Op, Space, TexOp, Type, Value};

impl Splitter<'_> {
    /// An operation on textures or memory, or between lanes, with a value of this type.
    pub(super) fn access(&mut self, op: Op, ty: Type) -> Result<Components, Diagnostic> {
        let access = match op {
            Op::Texture(number) => {
                let op = self.texture(number)?;
                if ty.scalar.bits() != 32 {
                    return Err(unsupported("texels other than four components of 32 bits"));
                }
                Access::Texture { results: self.results(4), op }
            }
            Op::TextureStore(number) => Access::TextureStore { op: self.texture(number)? },
            Op::Load { space, address } => {
                let (at, count) = (self.located(space, address, ty)?, words(ty)?);
                let constant = matches!(space, Space::Constant(_) | Space::Constants);
                if constant && at.address.iter().all(|part| self.parts.is_uniform(*part)) {
                    return Ok(self.load_once(at, count));
                }
                Access::Load { at, results: self.results(count) }
            }
            Op::Store { space, address, value } => {
                let of = self.func.nodes.ty(value);
                let at = self.located(space, address, of)?;
                Access::Store { at, values: Several::new(self.value(value)?, words(of)?) }
            }
            Op::Atomic { op, space, address, value, expected } => {
                if ty.count != 1 {
                    return Err(unsupported("atomic operations on several components"));
                }
                let at = self.located(space, address, ty)?;
                let [value, expected] = [self.padded(value)?, self.padded(expected)?];
                let [value, expected] = [[value[0], value[1]], [expected[0], expected[1]]];
                Access::Atomic { at, op, results: self.results(words(ty)?), value, expected }
            }
            Op::Reduced => Access::Reduced { result: self.parts.computed(false) },
            Op::Lane { op, a, b } => return self.between_lanes(op, ty.count, a, b),
            Op::Combine { combine, rule, a } => return self.combined(combine, rule, ty, a),
            Op::SetEmit { vertex, primitive, flip } => {
                let word = shisa_ir::Emission { vertex, primitive, flip }.word();
                let (dst, src) = (self.settings(), self.parts.constant(word));
                self.body.push(Instruction::Blend { dst, src });
                return Ok([self.zero; 4]);
            }
            Op::Emit => {
                let settings = self.settings();
                self.emission(Emission::Slot { settings })
            }
            Op::EmitVertex { cond, vertex, stream } => {
                let [cond, vertex, stream] =
                    [self.value(cond)?[0], self.value(vertex)?[0], self.value(stream)?[0]];
                self.emission(Emission::Vertex { cond, vertex, stream })
            }
            Op::EndStrip { cond, vertex } => {
                let [cond, vertex] = [self.value(cond)?[0], self.value(vertex)?[0]];
                Access::Emit { emission: Emission::EndStrip { cond, vertex }, outputs: Box::default() }
            }
            _ => return Err(unsupported("programs that change textures atomically")),
        };
        Ok(self.accessed(access))
    }

    /// Appends an access.
    pub(super) fn accessed(&mut self, access: Access<Part>) -> Components {
        self.body.push(Instruction::Access { number: self.accesses.len() as u32 });
        let mut components = [self.zero; 4];
        let mut left = components.iter_mut();
        access.map(&mut |result| left.next().into_iter().for_each(|to| *to = result), &mut |_| ());
        self.accesses.push(access);
        components
    }

    /// A vertex, with the outputs that the block has written.
    fn emission(&self, emission: Emission<Part>) -> Access<Part> {
        Access::Emit { emission, outputs: self.written.as_slice().into() }
    }

    /// The settings of the next vertex, which each lane has.
    fn settings(&mut self) -> Part {
        *self.settings.get_or_insert_with(|| self.parts.computed(false))
    }

    /// Reads constant memory, which no program changes, once a run.
    fn load_once(&mut self, at: Located<Part>, count: u8) -> Components {
        let results = [(); 4].map(|()| self.parts.computed(true));
        self.uniform.push(Instruction::Access { number: self.accesses.len() as u32 });
        self.accesses.push(Access::Load { at, results: Several::new(results, count) });
        results
    }

    pub(super) fn results(&mut self, count: u8) -> Several<Part> {
        Several::new([(); 4].map(|()| self.parts.computed(false)), count)
    }

    /// Memory at an address.
    fn located(&self, space: Space, address: Value, ty: Type) -> Result<Located<Part>, Diagnostic> {
        if space == Space::Outputs {
            return Err(unsupported("outputs that are read or written by a computed index"));
        }
        let [low, high, ..] = self.padded(address)?;
        Ok(Located { space, address: [low, high], kind: ty.scalar })
    }

    /// The operation on textures of a number.
    fn texture(&mut self, number: u32) -> Result<TexOp<Components>, Diagnostic> {
        let op = self.func.nodes.textures.get(number as usize).copied();
        let op = op.ok_or_else(|| internal(format!("there is no operation {number} on textures")))?;
        op.try_map(|v| {
            if self.func.nodes.ty(*v).scalar.bits() < 32 {
                return Err(unsupported("operands of textures with 16 bits"));
            }
            self.padded(*v)
        })
    }

    /// The components of an operand, then zeros. Parameters of blocks have four, of which the engine sets those of their type.
    pub(super) fn padded(&self, v: Value) -> Result<Components, Diagnostic> {
        let ty = self.func.nodes.ty(v);
        let words = usize::from(words(ty)?);
        let mut parts = self.value(v)?;
        parts.iter_mut().skip(words).for_each(|part| *part = self.zero);
        Ok(parts)
    }

    fn between_lanes(&mut self, op: LaneOp, count: u8, a: Value, b: Value) -> Result<Components, Diagnostic> {
        let (a, b) = (self.value(a)?, self.value(b)?[0]);
        let mut out = [self.zero; 4];
        for (to, a) in out.iter_mut().zip(a).take(count.into()) {
            let result = self.parts.computed(false);
            *to = self.accessed(Access::Lane { op, result, a, b })[0];
        }
        Ok(out)
    }

    fn combined(
        &mut self,
        Combine { op, quad, before }: Combine,
        rule: FloatRule,
        ty: Type,
        a: Value,
    ) -> Result<Components, Diagnostic> {
        let a = self.value(a)?;
        let start = Combine::neutral(op, ty.scalar)
            .ok_or_else(|| internal(format!("{op:?} of {:?} cannot combine lanes", ty.scalar)))?;
        let how = Combination { op: Arithmetic::Binary(op, rule, ty.scalar), quad, before, start };
        let mut out = [self.zero; 4];
        for (to, a) in out.iter_mut().zip(a).take(ty.count.into()) {
            let result = self.parts.computed(false);
            *to = self.accessed(Access::Combine { how, result, a })[0];
        }
        Ok(out)
    }

    /// The change of a component from lane to lane of a quad.
    pub(super) fn derivative(&mut self, axis: Axis, ty: Type, a: Part) -> Part {
        let [from, to] = [false, true].map(|second| {
            let dst = self.parts.computed(false);
            self.body.push(Instruction::Neighbour { axis, second, dst, a });
            dst
        });
        self.binary(Binary::FSub, FloatRule::IEEE, ty.scalar, to, from)
    }
}
