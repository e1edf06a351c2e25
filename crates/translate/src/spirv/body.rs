//! The program's function: nested statements as structured control flow.

use super::module::{Id, push};
use super::survey::Survey;
use super::walk::{Event, Walk};
use super::writer::{Killing, Refusal, Writer};
use crate::Mapping;
use shisa_diag::Diagnostic;
use shisa_ir::{BlockId, Cond, Scalar, Type, Value, Var, VarKind};
use spirv::Op;

/// A construct that is being written.
enum Construct {
    /// Block of the second list, block after the `if`, and whether that block is reachable.
    If { no: Option<Id>, merge: Id, reached: bool },
    /// An `if` whose lists are empty.
    Nothing,
    /// Its three blocks; whether anything breaks out.
    Loop { header: Id, next: Id, merge: Id, reached: bool },
    /// Block of the next case, block after the switch.
    Switch { case: Id, merge: Id },
}

/// Writes the statements of a tree.
struct Body<'w, 'a> {
    writer: &'w mut Writer<'a>,
    /// The variables of the tree.
    vars: Vec<Id>,
    /// For each value, the variable that passes this parameter; 0 for none.
    params: Vec<Id>,
    constructs: Vec<Construct>,
    /// Whether a block is open: the current position is reachable.
    live: bool,
    /// String id with the name of the listing; 0 if no lines are recorded.
    lines: Id,
}

impl Writer<'_> {
    /// Writes the body of the program's function, whose result has type `result` (void if 0).
    pub(super) fn body(&mut self, survey: &Survey, result: Id, lines: Id) -> Result<(), Diagnostic> {
        let (tree, program) = (&self.program.tree, self.program);
        for &v in &survey.carried {
            if let Ok(ty) = self.type_of(v) {
                let ty = self.module.ty(ty);
                let carrier = self.local(ty, 0);
                if let Some(slot) = self.carriers.get_mut(v.index()) {
                    *slot = carrier;
                }
            }
        }
        self.hoist(&survey.convergence).map_err(|(r, origin)| r.at(program, origin))?;
        let mut body = Body {
            vars: Vec::with_capacity(tree.vars.len()),
            params: vec![0; self.func.nodes.list.len()],
            writer: self,
            constructs: Vec::new(),
            live: true,
            lines,
        };
        for &(ty, kind) in &tree.vars {
            body.variable(ty, kind);
        }
        let mut walk = Walk::new(tree);
        while let Some(event) = walk.next() {
            body.event(event, result).map_err(|(r, origin)| r.at(program, origin))?;
            // Statements after a jump in the same list never run.
            if !body.live {
                walk.skip_list();
            }
        }
        if body.live {
            body.writer.leave(result);
        }
        Ok(())
    }

    /// Returns the outputs.
    fn leave(&mut self, result: Id) {
        if result == 0 {
            return self.effect(Op::Return, &[]);
        }
        let mut members = Vec::with_capacity(self.outputs.len() + 1);
        for (i, io) in self.interface.outputs.iter().enumerate() {
            if let Some(&variable) = self.outputs.get(i) {
                members.push(self.value(Op::Load, super::slots::value_type(io), &[variable]));
            }
        }
        if let Killing::Flag(flag) = self.killing {
            members.push(self.value(Op::Load, Type::BOOL, &[flag]));
        }
        let whole = self.raw(Op::CompositeConstruct, result, &members);
        self.effect(Op::ReturnValue, &[whole]);
    }
}

impl Body<'_, '_> {
    fn variable(&mut self, ty: Type, kind: VarKind) {
        let id = self.writer.module.ty(ty);
        let initial = match kind {
            VarKind::Param(_) => 0,
            VarKind::Flag | VarKind::Next => self.writer.module.constant(ty, 0),
        };
        let id = self.writer.local(id, initial);
        let number = self.vars.len();
        self.writer.module.name(
            id,
            &match kind {
                VarKind::Param(_) => format!("p{number}"),
                VarKind::Flag => format!("flag{number}"),
                VarKind::Next => format!("next{number}"),
            },
        );
        self.vars.push(id);
        if let VarKind::Param(v) = kind
            && let Some(slot) = self.params.get_mut(v.index())
        {
            *slot = id;
        }
    }

    fn var(&self, var: Var) -> Result<(Id, Type), Refusal> {
        let declared = self.writer.program.tree.vars.get(var.0 as usize);
        match (self.vars.get(var.0 as usize), declared) {
            (Some(&id), Some(&(ty, _))) => Ok((id, ty)),
            _ => Err(Refusal::Invalid("a variable does not exist")),
        }
    }

    fn event(&mut self, event: Event, result: Id) -> Result<(), (Refusal, u32)> {
        if let Event::Block(b) = event {
            return self.block(b);
        }
        self.statement(event, result).map_err(|r| (r, 0))
    }

    fn statement(&mut self, event: Event, result: Id) -> Result<(), Refusal> {
        match event {
            Event::Block(_) => {}
            Event::Set(var, value) => {
                let (var, _) = self.var(var)?;
                let value = self.writer.id(value)?;
                self.writer.effect(Op::Store, &[var, value]);
            }
            Event::SetConst(var, bits) => {
                let (var, ty) = self.var(var)?;
                let value = self.writer.module.constant(ty, u64::from(bits));
                self.writer.effect(Op::Store, &[var, value]);
            }
            Event::Break | Event::Continue => self.jump(matches!(event, Event::Break))?,
            Event::Exit => {
                self.writer.leave(result);
                self.live = false;
            }
            Event::If(cond, yes, no) => self.begin_if(cond, yes, no)?,
            Event::Else => self.begin_else(),
            Event::EndIf => self.end_if(),
            Event::Loop => self.begin_loop(),
            Event::EndLoop => self.end_loop(),
            Event::Switch(var, cases) => self.begin_switch(var, cases)?,
            Event::Case => self.begin_case(),
            Event::EndSwitch => self.end_switch(),
        }
        Ok(())
    }

    fn block(&mut self, b: BlockId) -> Result<(), (Refusal, u32)> {
        let block = self.writer.func.blocks.get(b.index());
        let block = block.ok_or((Refusal::Invalid("a block does not exist"), 0))?;
        for &v in &block.params {
            self.param(v).map_err(|r| (r, 0))?;
        }
        for &v in &block.body {
            let origin = self.writer.func.nodes.list.get(v.index()).map_or(0, |n| n.origin);
            let start = self.writer.code.len() as u32;
            let line = self.line(origin);
            self.writer.operation(v).map_err(|r| (r, origin))?;
            let end = self.writer.code.len() as u32;
            if end == start + line {
                // Nothing was written, so no line is needed.
                self.writer.code.truncate(start as usize);
                continue;
            }
            match self.writer.map.last_mut() {
                Some(m) if m.instruction == origin && m.end == start => m.end = end,
                _ => self.writer.map.push(Mapping { start, end, instruction: origin }),
            }
        }
        Ok(())
    }

    /// Records the line of an instruction, if enabled and not yet recorded; returns the number of words written.
    fn line(&mut self, origin: u32) -> u32 {
        let noted = self
            .writer
            .map
            .last()
            .is_some_and(|m| m.instruction == origin && m.end as usize == self.writer.code.len());
        if self.lines == 0 || noted {
            return 0;
        }
        push(&mut self.writer.code, Op::Line, &[self.lines, origin.saturating_add(1), 0]);
        4
    }

    /// Reads a parameter from its variable.
    fn param(&mut self, v: Value) -> Result<(), Refusal> {
        let variable = self.params.get(v.index()).copied().unwrap_or(0);
        if variable == 0 {
            return Err(Refusal::Invalid("a block parameter has no variable"));
        }
        let ty = self.writer.type_of(v)?;
        let id = self.writer.value(Op::Load, ty, &[variable]);
        self.writer.define(v, id);
        let carrier = self.writer.carriers.get(v.index()).copied().unwrap_or(0);
        if carrier != 0 {
            self.writer.effect(Op::Store, &[carrier, id]);
        }
        Ok(())
    }

    fn begin_if(&mut self, cond: Cond, yes: bool, no: bool) -> Result<(), Refusal> {
        if !yes && !no {
            self.constructs.push(Construct::Nothing);
            return Ok(());
        }
        let cond = match cond {
            Cond::Value(v) => self.writer.id(v)?,
            Cond::Flag(var) => {
                let (var, _) = self.var(var)?;
                self.writer.value(Op::Load, Scalar::I1.by(1), &[var])
            }
        };
        let merge = self.writer.module.id();
        let first = if yes { self.writer.module.id() } else { merge };
        let second = if no { self.writer.module.id() } else { merge };
        self.writer.effect(Op::SelectionMerge, &[merge, 0]);
        self.writer.effect(Op::BranchConditional, &[cond, first, second]);
        if yes {
            self.writer.label(first);
        }
        self.live = yes;
        let no = no.then_some(second);
        self.constructs.push(Construct::If { no, merge, reached: !yes || no.is_none() });
        Ok(())
    }

    fn begin_else(&mut self) {
        let Some(Construct::If { no, merge, reached }) = self.constructs.last_mut() else { return };
        if self.live {
            self.writer.effect(Op::Branch, &[*merge]);
            *reached = true;
        }
        self.live = no.is_some();
        if let Some(no) = *no {
            self.writer.label(no);
        }
    }

    fn end_if(&mut self) {
        let Some(Construct::If { merge, reached, .. }) = self.constructs.pop() else { return };
        if self.live {
            self.writer.effect(Op::Branch, &[merge]);
        }
        self.after(merge, self.live || reached);
    }

    /// Continues in the block after a construct.
    fn after(&mut self, merge: Id, reached: bool) {
        self.writer.label(merge);
        if !reached {
            self.writer.effect(Op::Unreachable, &[]);
        }
        self.live = reached;
    }

    fn begin_loop(&mut self) {
        let m = &mut self.writer.module;
        let (header, body, next, merge) = (m.id(), m.id(), m.id(), m.id());
        self.writer.effect(Op::Branch, &[header]);
        self.writer.label(header);
        self.writer.effect(Op::LoopMerge, &[merge, next, 0]);
        self.writer.effect(Op::Branch, &[body]);
        self.writer.label(body);
        self.constructs.push(Construct::Loop { header, next, merge, reached: false });
    }

    fn end_loop(&mut self) {
        let Some(Construct::Loop { header, next, merge, reached }) = self.constructs.pop() else { return };
        if self.live {
            self.writer.effect(Op::Branch, &[next]);
        }
        self.writer.label(next);
        self.writer.effect(Op::Branch, &[header]);
        self.after(merge, reached);
    }

    fn jump(&mut self, out: bool) -> Result<(), Refusal> {
        for construct in self.constructs.iter_mut().rev() {
            if let Construct::Loop { next, merge, reached, .. } = construct {
                *reached |= out;
                let target = if out { *merge } else { *next };
                self.writer.effect(Op::Branch, &[target]);
                self.live = false;
                return Ok(());
            }
        }
        Err(Refusal::Invalid("a break or continue outside a loop"))
    }

    fn begin_switch(&mut self, var: Var, cases: u32) -> Result<(), Refusal> {
        let (var, ty) = self.var(var)?;
        let selector = self.writer.value(Op::Load, ty, &[var]);
        let merge = self.writer.module.id();
        let mut operands = vec![selector, merge];
        let mut first = 0;
        for literal in 0..cases {
            let label = self.writer.module.id();
            if literal == 0 {
                first = label;
            }
            operands.extend([literal, label]);
        }
        if operands.len() > usize::from(u16::MAX) - 1 {
            return Err(Refusal::Unsupported("a switch of so many cases"));
        }
        self.writer.effect(Op::SelectionMerge, &[merge, 0]);
        self.writer.effect(Op::Switch, &operands);
        self.constructs.push(Construct::Switch { case: first, merge });
        self.live = false;
        Ok(())
    }

    fn begin_case(&mut self) {
        let Some(Construct::Switch { case, merge }) = self.constructs.last_mut() else { return };
        if self.live {
            self.writer.effect(Op::Branch, &[*merge]);
        }
        self.writer.label(*case);
        *case += 1;
        self.live = true;
    }

    fn end_switch(&mut self) {
        let Some(Construct::Switch { merge, .. }) = self.constructs.pop() else { return };
        if self.live {
            self.writer.effect(Op::Branch, &[merge]);
        }
        // The selector's default target is the merge block.
        self.after(merge, true);
    }
}
