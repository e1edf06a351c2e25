//! Statements of the tree.

use super::Body;
use naga::{Block, Expression, Literal, Span, Statement, SwitchCase, SwitchValue};
use shisa_ir::{BlockId, Cond, Stmt, Var, VarKind};

impl Body<'_, '_> {
    /// Writes statements; answers whether the end of the list cannot be reached.
    pub(super) fn list(&mut self, list: &[Stmt]) -> bool {
        for stmt in list {
            match stmt {
                Stmt::Block(b) => self.run(*b),
                Stmt::Set(var, v) => {
                    let value = self.get(*v);
                    let origin = self.program.func.nodes.list[v.index()].origin;
                    let (pointer, name) = self.variables[var.0 as usize];
                    self.mark(name.into(), origin);
                    self.store(pointer, value);
                }
                Stmt::SetConst(var, bits) => {
                    let value = match self.program.tree.vars[var.0 as usize].1 {
                        VarKind::Flag => self.literal(Literal::Bool(*bits != 0)),
                        _ => self.literal(Literal::I32(*bits as i32)),
                    };
                    self.at = Span::UNDEFINED;
                    self.store(self.variables[var.0 as usize].0, value);
                }
                Stmt::If { cond, yes, no } => {
                    if self.branch(cond, yes, no) {
                        return true;
                    }
                }
                Stmt::Loop(body) => {
                    self.switches.push(None);
                    let (body, _) = self.nested(body);
                    self.switches.pop();
                    self.statement(Statement::Loop { body, continuing: Block::new(), break_if: None });
                }
                Stmt::Switch(var, lists) => self.switch(*var, lists),
                Stmt::Break => {
                    self.tell_loop();
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

    /// Where a break lies in a switch, which is all that it leaves, tells the loop around it to break.
    fn tell_loop(&mut self) {
        let Some(&Some(leave)) = self.switches.last() else { return };
        let flag = match leave {
            Some(flag) => flag,
            None => {
                let ty = self.types.of(naga::Scalar::BOOL, 1);
                self.variable("leave".into(), ty)
            }
        };
        if let Some(last) = self.switches.last_mut() {
            *last = Some(Some(flag));
        }
        let yes = self.literal(Literal::Bool(true));
        self.store(flag, yes);
    }

    fn branch(&mut self, cond: &Cond, yes: &[Stmt], no: &[Stmt]) -> bool {
        let (condition, origin) = match cond {
            Cond::Value(v) => (self.get(*v), Some(self.program.func.nodes.list[v.index()].origin)),
            Cond::Flag(var) => {
                (self.push(Expression::Load { pointer: self.variables[var.0 as usize].0 }), None)
            }
        };
        self.at = Span::UNDEFINED;
        if let Some(origin) = origin {
            self.mark("if".into(), origin);
        }
        let at = self.at;
        let (accept, left_yes) = self.nested(yes);
        let (reject, left_no) = self.nested(no);
        self.at = at;
        self.statement(Statement::If { condition, accept, reject });
        left_yes && left_no
    }

    fn switch(&mut self, var: Var, lists: &[Vec<Stmt>]) {
        let selector = self.push(Expression::Load { pointer: self.variables[var.0 as usize].0 });
        self.switches.push(Some(None));
        let mut cases = Vec::with_capacity(lists.len() + 1);
        for (list, i) in lists.iter().zip(0..) {
            let (body, _) = self.nested(list);
            cases.push(SwitchCase { value: SwitchValue::I32(i), body, fall_through: false });
        }
        cases.push(SwitchCase { value: SwitchValue::Default, body: Block::new(), fall_through: false });
        let leave = self.switches.pop().flatten().flatten();
        if let Some(flag) = leave {
            let no = self.literal(Literal::Bool(false));
            self.store(flag, no);
        }
        self.statement(Statement::Switch { selector, cases });
        if let Some(flag) = leave {
            let condition = self.push(Expression::Load { pointer: flag });
            let accept = Block::from_vec(vec![Statement::Break]);
            self.statement(Statement::If { condition, accept, reject: Block::new() });
        }
    }

    /// The block that `f` fills.
    pub(in crate::text) fn inner(&mut self, f: impl FnOnce(&mut Self)) -> Block {
        self.flush();
        let outer = std::mem::take(&mut self.block);
        f(self);
        self.flush();
        std::mem::replace(&mut self.block, outer)
    }

    /// Writes a list into a block of its own.
    fn nested(&mut self, list: &[Stmt]) -> (Block, bool) {
        let (mark, scoped) = (self.loaded.len(), self.scoped.len());
        let mut left = false;
        let block = self.inner(|body| left = body.list(list));
        for (array, vector) in self.loaded.drain(mark..) {
            self.loads[array][vector] = None;
        }
        for v in self.scoped.drain(scoped..) {
            self.values[v.index()] = None;
        }
        (block, left)
    }

    /// Writes a block's operations.
    fn run(&mut self, id: BlockId) {
        let block = &self.program.func.blocks[id.index()];
        self.at = Span::UNDEFINED;
        for &p in &block.params {
            let value = self.push(Expression::Load { pointer: self.variables[self.parameters[p.index()]].0 });
            self.set(p, value);
        }
        let mut rest = &block.body[..];
        while let Some((&v, behind)) = rest.split_first() {
            rest = behind;
            if !self.plan.is_hoisted(v) {
                self.make(v, rest);
            }
        }
    }
}
