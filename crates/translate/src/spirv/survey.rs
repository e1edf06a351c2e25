//! Facts about a program that are needed before the first word is written.

use super::convergence::Convergence;
use super::walk::{Event, Walk};
use crate::{Options, Program};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{BlockId, Cond, Op, Value};

/// Facts about a program.
pub(super) struct Survey {
    /// Values used outside of the statement list that makes them. They are stored in variables: in SPIR-V a
    /// definition must dominate its uses, and dispatch loops violate that.
    pub(super) carried: Vec<Value>,
    /// Whether it kills lanes.
    pub(super) kills: bool,
    /// What is computed at the start because lanes may diverge later.
    pub(super) convergence: Convergence,
}

struct Surveyor<'a> {
    program: &'a Program<'a>,
    /// For each value, the number of the list that made it most recently; 0 for none.
    made: Vec<u32>,
    /// Whether each list is still open; number 0 never is.
    open: Vec<bool>,
    /// Numbers of the open lists.
    scopes: Vec<u32>,
    is_carried: Vec<bool>,
    survey: Survey,
}

/// Surveys a program.
///
/// # Errors
/// When it nests deeper than [`Limits::printed_nesting`] or its blocks hold more than [`Limits::fuel`]
/// operations.
pub(super) fn survey(
    program: &Program,
    options: &Options,
    quads: bool,
    limits: &Limits,
) -> Result<Survey, Diagnostic> {
    let count = program.func.nodes.list.len();
    let mut s = Surveyor {
        program,
        made: vec![0; count],
        open: vec![false],
        scopes: Vec::new(),
        is_carried: vec![false; count],
        survey: Survey { carried: Vec::new(), kills: false, convergence: Convergence::new(program, quads) },
    };
    s.enter();
    let mut walk = Walk::new(program.tree);
    let mut work = 0u64;
    while let Some(event) = walk.next() {
        limits.check(Limit::PrintedNesting, "nesting of statements", walk.depth())?;
        work += 1;
        s.survey.convergence.event(event);
        match event {
            Event::Block(b) => work += s.block(b),
            Event::Set(_, v) => s.used(v),
            Event::If(cond, ..) => {
                if let Cond::Value(v) = cond {
                    s.used(v);
                }
                s.enter();
            }
            // A switch has an empty list before its first case.
            Event::Loop | Event::Switch(..) => s.enter(),
            Event::Else | Event::Case => {
                s.leave();
                s.enter();
            }
            Event::EndIf | Event::EndLoop | Event::EndSwitch => s.leave(),
            Event::SetConst(..) | Event::Break | Event::Continue | Event::Exit => {}
        }
        limits.check(Limit::Fuel, "operations to translate", work)?;
    }
    s.survey.convergence.settle(program, options);
    Ok(s.survey)
}

impl Surveyor<'_> {
    fn enter(&mut self) {
        self.scopes.push(self.open.len() as u32);
        self.open.push(true);
    }

    fn leave(&mut self) {
        let closed = self.scopes.pop().and_then(|scope| self.open.get_mut(scope as usize));
        if let Some(open) = closed {
            *open = false;
        }
    }

    /// Visits the operations of a block; returns their number.
    fn block(&mut self, b: BlockId) -> u64 {
        let program = self.program;
        let Some(block) = program.func.blocks.get(b.index()) else { return 0 };
        for &v in &block.params {
            self.made(v);
        }
        for &v in &block.body {
            let Some(node) = program.func.nodes.list.get(v.index()) else { continue };
            match node.op {
                Op::Kill { .. } => self.survey.kills = true,
                // The writer refuses these later.
                Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t)
                    if t as usize >= program.func.nodes.textures.len() =>
                {
                    continue;
                }
                _ => {}
            }
            program.func.nodes.operands(v, |operand| self.used(operand));
            self.survey.convergence.operation(program, v);
            self.made(v);
        }
        (block.params.len() + block.body.len()) as u64
    }

    fn made(&mut self, v: Value) {
        let scope = self.scopes.last().copied().unwrap_or(0);
        if let Some(made) = self.made.get_mut(v.index()) {
            *made = scope;
        }
    }

    fn used(&mut self, v: Value) {
        let (Some(&made), Some(node)) =
            (self.made.get(v.index()), self.program.func.nodes.list.get(v.index()))
        else {
            return;
        };
        let visible = self.open.get(made as usize).copied().unwrap_or(false);
        if visible || matches!(node.op, Op::Const(_)) {
            return;
        }
        if let Some(carried) = self.is_carried.get_mut(v.index())
            && !core::mem::replace(carried, true)
        {
            self.survey.carried.push(v);
        }
    }
}
