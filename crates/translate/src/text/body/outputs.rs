//! Outputs, and how a lane ends.

use super::{Body, Part, place};
use crate::Form;
use naga::{Block, Expression, Handle, Literal, Span, Statement};
use shisa_ir::{Io, Mask, Reg, Value};

impl<'p> Body<'p, '_> {
    /// Writes outputs.
    pub(in crate::text) fn write(&mut self, reg: Reg, mask: Mask, value: Value, origin: u32) {
        let outputs = &self.program.interface.outputs;
        self.written = Some(origin);
        for (o, io) in outputs.iter().enumerate().filter(|(_, io)| io.reg.file == reg.file) {
            let mut parts = [None; 4];
            for (i, c) in (0..).zip(mask.iter()) {
                let component = (reg.unit + u16::from(c)).checked_sub(io.reg.unit).map(usize::from);
                if let Some(component) = component.filter(|&c| c < usize::from(io.count.min(4))) {
                    parts[component] = Some(self.part(value, i));
                }
            }
            if self.plan.stored_outputs {
                self.store_output(o, io, &parts, origin);
            } else {
                for (to, from) in self.outputs[o].iter_mut().zip(parts) {
                    *to = from.or(*to);
                }
            }
        }
    }

    /// Stores components of an output in its variable.
    fn store_output(&mut self, o: usize, io: &'p Io, parts: &[Option<Part>; 4], origin: u32) {
        let (variable, count) = (self.output_variables[o], usize::from(io.count.clamp(1, 4)));
        if parts[..count].iter().all(|p| p.is_some()) {
            let value = self.assemble(io.scalar.by(io.count), &parts[..count]);
            self.mark((&*io.name).into(), origin);
            self.store(variable, value);
            return;
        }
        for (index, part) in (0..).zip(parts) {
            let Some(part) = part else { continue };
            let pointer = self.push(Expression::AccessIndex { base: variable, index });
            let value = self.component(*part);
            self.mark((&*io.name).into(), origin);
            self.store(pointer, value);
        }
    }

    /// Hands on the outputs as a vertex.
    pub(in crate::text) fn emit_vertex(&mut self, origin: u32) {
        let Some(function) = self.globals.emission.as_ref().map(|e| e.function) else { return };
        let vertex = self.outputs();
        self.mark("emit_vertex".into(), origin);
        let arguments = vertex.into_iter().collect();
        self.statement(Statement::Call { function, arguments, result: None });
    }

    /// The structure of outputs.
    pub(super) fn outputs(&mut self) -> Option<Handle<Expression>> {
        let ty = self.globals.result?;
        let mut components = Vec::new();
        for (i, io) in self.program.interface.outputs.iter().enumerate() {
            let parts = std::mem::take(&mut self.outputs[i]);
            components.push(self.assemble(io.scalar.by(io.count), &parts[..usize::from(io.count)]));
        }
        Some(self.push(Expression::Compose { ty, components }))
    }

    /// Ends the lane.
    pub(super) fn exit(&mut self) {
        let interface = self.program.interface;
        let written = self.written.take();
        self.at = written.map_or(Span::UNDEFINED, place);
        if self.globals.emission.is_some() {
            return self.statement(Statement::Return { value: None });
        }
        let killed = self.killed.map(|k| self.push(Expression::Load { pointer: k }));
        let mut members = Vec::with_capacity(interface.outputs.len() + 1);
        for (i, io) in interface.outputs.iter().enumerate() {
            let expr = if self.plan.stored_outputs {
                self.push(Expression::Load { pointer: self.output_variables[i] })
            } else {
                let ty = io.scalar.by(io.count);
                let parts = std::mem::take(&mut self.outputs[i]);
                self.assemble(ty, &parts[..usize::from(io.count)])
            };
            members.push(expr);
        }
        match (self.options.form, killed) {
            (Form::Stage, Some(condition)) => {
                let accept = Block::from_vec(vec![Statement::Kill]);
                self.statement(Statement::If { condition, accept, reject: Block::new() });
            }
            (Form::Compute, Some(killed)) => members.push(killed),
            _ => {}
        }
        if let Some(ty) = self.globals.no_position {
            members.push(self.raw(Expression::ZeroValue(ty)));
        }
        let value = self.globals.result.map(|ty| self.push(Expression::Compose { ty, components: members }));
        if let Some(origin) = written {
            self.mark("return".into(), origin);
        }
        self.statement(Statement::Return { value });
    }

    /// Kills lanes.
    pub(in crate::text) fn kill(&mut self, cond: Value, origin: u32) {
        let condition = self.get(cond);
        self.mark("if".into(), origin);
        let accept = match self.killed {
            Some(pointer) => {
                let value = self.literal(Literal::Bool(true));
                Block::from_vec(vec![Statement::Store { pointer, value }])
            }
            None => Block::from_vec(vec![Statement::Kill]),
        };
        self.statement(Statement::If { condition, accept, reject: Block::new() });
    }

    /// Does something unless the lane has been killed and goes on for its neighbours.
    pub(in crate::text) fn unless_killed(&mut self, effect: Statement) {
        let Some(pointer) = self.killed else { return self.statement(effect) };
        let condition = self.push(Expression::Load { pointer });
        let reject = Block::from_vec(vec![effect]);
        self.statement(Statement::If { condition, accept: Block::new(), reject });
    }
}
