//! Outputs, and how a lane ends.

use super::state::{Body, Part};
use crate::Form;
use crate::build::emission::{EMIT_VERTEX, END_STRIP, Emission};
use crate::build::outlets::Outlet;
use crate::syntax::{Expr, Expression, FunctionId, Literal, Statement};
use crate::unsupported;
use shisa_ir::{Binding, Io, Mask, Op, Reg, Value};

impl<'p, 'b> Body<'p, 'b> {
    /// Writes outputs.
    pub(super) fn write(&mut self, reg: Reg, mask: Mask, value: Value, origin: u32) {
        let outputs = &self.program.interface.outputs;
        self.written = Some(origin);
        let near = |io: &Io| {
            io.reg.file == reg.file
                && reg.unit < io.reg.unit.saturating_add(io.count.into())
                && io.reg.unit < reg.unit.saturating_add(4)
        };
        for (o, io) in outputs.iter().enumerate().filter(|(_, io)| near(io)) {
            let mut parts = [None; 4];
            for (i, c) in (0..).zip(mask.iter()) {
                let unit = reg.unit.saturating_add(u16::from(c));
                let component = unit.checked_sub(io.reg.unit).map(usize::from);
                if let Some(component) = component.filter(|&c| c < usize::from(io.count.min(4))) {
                    let mut part = self.component_of(value, i);
                    let from = self.ty(value).scalar;
                    if from != io.scalar {
                        let bits = self.component(part);
                        part = Part { base: self.reinterpret(bits, from, io.scalar), index: 0, count: 1 };
                    }
                    parts[component] = Some(part);
                }
            }
            if self.plan.stored_outputs {
                self.store_output(o, io, &parts, origin);
            } else {
                for (to, from) in self.tables.outputs[o].iter_mut().zip(parts) {
                    *to = from.or(*to);
                }
            }
        }
    }

    /// Stores components of an output in the output's variable.
    fn store_output(&mut self, o: usize, io: &'p Io, parts: &[Option<Part>; 4], origin: u32) {
        let (variable, count) = (self.tables.output_variables[o], usize::from(io.count.clamp(1, 4)));
        if parts[..count].iter().all(|p| p.is_some()) {
            let value = self.assemble(io.scalar.by(io.count), &parts[..count]);
            self.mark((&*io.name).into(), origin);
            self.store(variable, value);
            return;
        }
        for (index, part) in (0..).zip(parts) {
            let Some(part) = part else { continue };
            let pointer = self.member(variable, index);
            let value = self.component(*part);
            self.mark((&*io.name).into(), origin);
            self.store(pointer, value);
        }
    }

    /// Outputs a vertex.
    pub(super) fn emit_vertex(&mut self, origin: u32) {
        let Some(ty) = self.globals.result else {
            return self.refuse(unsupported("a vertex without outputs"));
        };
        let Some(emission) = self.globals.emission.as_ref() else {
            return self.impossible("a vertex is emitted, but the module has no function for it");
        };
        let members = self.members();
        let vertex = self.composed(ty, &members);
        self.tables.members = members;
        self.mark(EMIT_VERTEX.into(), origin);
        self.run(emission.function, &[vertex]);
    }

    /// Outputs a vertex of a strip where a condition holds.
    pub(super) fn emit_in_strip(&mut self, cond: Value, stream: Value, origin: u32) {
        let Some((emission, _)) = self.strips() else { return };
        let members = self.members();
        let mut arguments: Vec<Expr> =
            self.globals.result.map(|ty| self.composed(ty, &members)).into_iter().collect();
        if emission.takes_stream {
            arguments.push(self.get(stream));
        }
        let function = emission.function;
        self.if_holds(cond, origin, |body| {
            body.mark(EMIT_VERTEX.into(), origin);
            body.run(function, &arguments);
        });
    }

    /// Ends a strip where a condition holds.
    pub(super) fn end_strip(&mut self, cond: Value, origin: u32) {
        let Some((_, end)) = self.strips() else { return };
        self.if_holds(cond, origin, |body| {
            body.mark(END_STRIP.into(), origin);
            body.run(end, &[]);
        });
    }

    /// What outputs vertices of strips, and the function that ends one.
    fn strips(&mut self) -> Option<(&'b Emission, FunctionId)> {
        let emission = self.globals.emission.as_ref();
        let found = emission.and_then(|emission| Some((emission, emission.strips?.0)));
        if found.is_none() {
            self.impossible("a vertex of a strip is emitted, but the module has no function for it");
        }
        found
    }

    /// Makes statements that run where a condition holds.
    fn if_holds(&mut self, cond: Value, origin: u32, statements: impl FnOnce(&mut Self)) {
        if matches!(self.node(cond).op, Op::Const(bits) if bits & 1 != 0) {
            return statements(self);
        }
        let condition = self.get(cond);
        self.mark("if".into(), origin);
        self.statement(Statement::If(condition));
        statements(self);
        self.draft.end_if();
    }

    /// The values of the outputs; components never written are zero.
    fn members(&mut self) -> Vec<Expr> {
        let interface = self.program.interface;
        let mut members = std::mem::take(&mut self.tables.members);
        members.clear();
        members.reserve(interface.outputs.len() + 2);
        for (i, io) in interface.outputs.iter().enumerate() {
            let parts = std::mem::take(&mut self.tables.outputs[i]);
            let count = usize::from(io.count.clamp(1, 4));
            let member = self.assemble(io.scalar.by(io.count), &parts[..count]);
            members.push(member);
        }
        members
    }

    /// Ends the lane.
    pub(super) fn exit(&mut self) {
        let written = self.written.take();
        self.draft.comes_from(written);
        if self.globals.emission.is_some() {
            return self.statement(Statement::Return(None));
        }
        let killed = self.killed.map(|k| self.draft.load(k));
        let mut members = if self.plan.stored_outputs {
            (0..self.tables.output_variables.len())
                .map(|i| self.draft.load(self.tables.output_variables[i]))
                .collect()
        } else {
            self.members()
        };
        if !self.globals.outlets.is_empty() {
            members = self.apart(&members);
        }
        match (self.options.form, killed) {
            (Form::Stage, Some(condition)) => {
                self.statement(Statement::If(condition));
                self.statement(Statement::Discard);
                self.draft.end_if();
            }
            (Form::Compute, Some(killed)) => members.push(killed),
            _ => {}
        }
        if let Some(ty) = self.globals.no_position {
            members.push(self.draft.push(Expression::Zero(ty)));
        }
        let value = self.globals.result.map(|ty| self.composed(ty, &members));
        self.tables.members = members;
        if let Some(origin) = written {
            self.mark("return".into(), origin);
        }
        self.statement(Statement::Return(value));
    }

    /// The members of the structure of outputs, from the values of all outputs.
    fn apart(&mut self, values: &[Expr]) -> Vec<Expr> {
        let (outputs, outlets) = (&self.program.interface.outputs, &self.globals.outlets);
        let all = || outputs.iter().zip(values).zip(outlets);
        let mut members: Vec<Expr> = all()
            .filter(|(_, outlet)| matches!(outlet, Outlet::Member(_)))
            .map(|((_, value), _)| *value)
            .collect();
        if let Some((ty, count)) = self.globals.distances {
            let mut distances = vec![None; usize::from(count)];
            let mut lost = false;
            for ((io, value), _) in all() {
                let Binding::ClipDistance(first) = io.binding else { continue };
                // Components after the last one that is used have no element.
                for c in 0..io.count.min(8 - io.used.0.leading_zeros() as u8) {
                    match distances.get_mut(usize::from(first + c)) {
                        Some(slot) if io.count > 1 => *slot = Some(self.draft.member(*value, c.into())),
                        Some(slot) => *slot = Some(*value),
                        None => lost = true,
                    }
                }
            }
            if lost {
                self.impossible("a distance to a clipping plane has no element");
            }
            // A distance of zero clips nothing.
            let zero = self.literal(Literal::F32(0.0));
            let distances: Vec<Expr> = distances.into_iter().map(|d| d.unwrap_or(zero)).collect();
            members.push(self.composed(ty, &distances));
        }
        members
    }

    /// Kills lanes.
    pub(super) fn kill(&mut self, cond: Value, origin: u32) {
        let condition = self.get(cond);
        self.mark("if".into(), origin);
        let flag = self.killed.map(|pointer| (pointer, self.literal(Literal::Bool(true))));
        self.statement(Statement::If(condition));
        match flag {
            Some((pointer, value)) => self.store(pointer, value),
            None => self.statement(Statement::Discard),
        }
        self.draft.end_if();
    }

    /// Runs an effect unless the lane was killed and continues as a helper.
    pub(super) fn unless_killed(&mut self, effect: impl FnOnce(&mut Self)) {
        let Some(pointer) = self.killed else { return effect(self) };
        let condition = self.draft.load(pointer);
        self.statement(Statement::If(condition));
        self.draft.otherwise();
        effect(self);
        self.draft.end_if();
    }
}
