//! Statements of the tree.

use super::state::{Body, Breakable};
use crate::syntax::{Expr, Kind, Literal, Statement};
use shisa_ir::{BlockId, Cond, Node, Op, Stmt, Var, VarKind};

impl<'p> Body<'p, '_> {
    /// Writes statements; returns whether the end of the list is unreachable.
    pub(super) fn list(&mut self, list: &[Stmt]) -> bool {
        for stmt in list {
            match stmt {
                Stmt::Block(b) => self.block(*b),
                Stmt::Set(var, v) => {
                    let value = self.get(*v);
                    // A constant may be that of an earlier instruction.
                    let origin = match self.node(*v) {
                        Node { op: Op::Const(_), origin, .. } => self.draft.origin().unwrap_or(*origin),
                        Node { origin, .. } => *origin,
                    };
                    let (pointer, name) = self.variable(*var);
                    self.mark(name.into(), origin);
                    self.store(pointer, value);
                }
                Stmt::SetConst(var, bits) => {
                    let value = match self.program.tree.vars.get(var.0 as usize) {
                        Some((_, VarKind::Flag)) => self.literal(Literal::Bool(*bits != 0)),
                        _ => self.literal(Literal::I32(*bits as i32)),
                    };
                    self.draft.comes_from(None);
                    let pointer = self.variable(*var).0;
                    self.store(pointer, value);
                }
                Stmt::If { cond, yes, no } => {
                    if self.branch(cond, yes, no) {
                        return true;
                    }
                }
                Stmt::Loop(body) => {
                    self.breakable.push(Breakable::Loop);
                    self.draft.comes_from(None);
                    self.statement(Statement::Loop);
                    self.nested(body);
                    self.breakable.pop();
                    self.draft.comes_from(None);
                    self.statement(Statement::End);
                }
                Stmt::Switch(var, lists) => self.switch(*var, lists),
                Stmt::Break => {
                    self.make_loop_break();
                    self.statement(Statement::Break);
                    return true;
                }
                Stmt::Continue => {
                    self.statement(Statement::Continue);
                    return true;
                }
                Stmt::Exit => {
                    self.exit();
                    return true;
                }
            }
        }
        false
    }

    /// A variable of the tree with its name.
    fn variable(&mut self, var: Var) -> (Expr, &'p str) {
        match self.variables.get(var.0 as usize) {
            Some(variable) => *variable,
            None => (self.nothing("a statement names a variable that does not exist"), ""),
        }
    }

    /// In a switch, a `break` leaves only the switch. Makes the loop around the switch break too.
    fn make_loop_break(&mut self) {
        let Some(Breakable::Switch(leave)) = self.breakable.last().copied() else { return };
        let flag = match leave {
            Some(flag) => flag,
            None => {
                let ty = self.types.of(Kind::Bool, 1);
                self.local("leave".into(), ty)
            }
        };
        if let Some(last) = self.breakable.last_mut() {
            *last = Breakable::Switch(Some(flag));
        }
        let yes = self.literal(Literal::Bool(true));
        self.store(flag, yes);
    }

    fn branch(&mut self, cond: &Cond, yes: &[Stmt], no: &[Stmt]) -> bool {
        let (condition, origin) = match cond {
            Cond::Value(v) => (self.get(*v), Some(self.node(*v).origin)),
            Cond::Flag(var) => {
                let flag = self.variable(*var).0;
                (self.draft.load(flag), None)
            }
        };
        self.draft.comes_from(None);
        if let Some(origin) = origin {
            self.mark("if".into(), origin);
        }
        let at = self.draft.origin();
        self.statement(Statement::If(condition));
        let left_yes = self.nested(yes);
        self.draft.comes_from(at);
        self.draft.otherwise();
        let left_no = self.nested(no);
        self.draft.comes_from(at);
        self.draft.end_if();
        left_yes && left_no
    }

    fn switch(&mut self, var: Var, lists: &[Vec<Stmt>]) {
        let pointer = self.variable(var).0;
        self.draft.comes_from(None);
        let selector = self.draft.load(pointer);
        // If a list needs the flag of the enclosing loop, the flag is cleared here.
        let clear = self.draft.statements();
        self.statement(Statement::Nothing);
        self.statement(Statement::Switch(selector));
        self.breakable.push(Breakable::Switch(None));
        for (list, i) in lists.iter().zip(0..) {
            self.statement(Statement::Case(Some(i)));
            self.nested(list);
            self.statement(Statement::End);
        }
        self.statement(Statement::Case(None));
        self.statement(Statement::End);
        self.statement(Statement::End);
        if let Some(Breakable::Switch(Some(flag))) = self.breakable.pop() {
            let no = self.literal(Literal::Bool(false));
            self.draft.replace(clear, Statement::Store { pointer: flag, value: no });
            let condition = self.draft.load(flag);
            self.leave_if(condition);
        }
    }

    /// Breaks out of the enclosing loop if a condition holds.
    pub(super) fn leave_if(&mut self, condition: Expr) {
        self.statement(Statement::If(condition));
        self.statement(Statement::Break);
        self.draft.end_if();
    }

    /// Writes a list whose values are visible only in it; returns whether its end is unreachable.
    fn nested(&mut self, list: &[Stmt]) -> bool {
        let (mark, scoped) = (self.tables.loaded.len(), self.tables.scoped.len());
        let left = self.list(list);
        self.tables.loaded.truncate(mark);
        for v in self.tables.scoped.drain(scoped..) {
            if let Some(slot) = self.tables.values.get_mut(v.index()) {
                *slot = None;
            }
        }
        left
    }

    /// Writes a block's operations.
    fn block(&mut self, id: BlockId) {
        let Some(block) = self.program.func.blocks.get(id.index()) else {
            return self.impossible("a statement names a block that does not exist");
        };
        self.draft.comes_from(None);
        for &p in &block.params {
            match self.tables.parameters.iter().find(|(v, _)| *v == p) {
                Some(&(_, pointer)) => {
                    let value = self.draft.load(pointer);
                    self.set(p, value);
                }
                None => self.impossible("a block parameter has no variable"),
            }
        }
        self.values(&block.body, false);
    }
}
