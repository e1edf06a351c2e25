//! Walks a tree without recursion, so that no nesting depth can overflow the stack.

use shisa_ir::{BlockId, Cond, Stmt, Tree, Value, Var};

/// The events of a walk, in order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// [`Stmt::Block`].
    Block(BlockId),
    /// [`Stmt::Set`].
    Set(Var, Value),
    /// [`Stmt::SetConst`].
    SetConst(Var, u32),
    /// [`Stmt::Break`].
    Break,
    /// [`Stmt::Continue`].
    Continue,
    /// [`Stmt::Exit`].
    Exit,
    /// A [`Stmt::If`] begins; whether each of its lists holds anything.
    If(Cond, bool, bool),
    /// Its second list begins.
    Else,
    /// It ends.
    EndIf,
    /// A [`Stmt::Loop`] begins.
    Loop,
    /// It ends.
    EndLoop,
    /// A [`Stmt::Switch`] begins; how many lists it has.
    Switch(Var, u32),
    /// Its next list begins.
    Case,
    /// It ends.
    EndSwitch,
}

/// What follows when a list of statements ends.
enum Then<'a> {
    Done,
    Else(&'a [Stmt]),
    EndIf,
    EndLoop,
    Cases(core::slice::Iter<'a, Vec<Stmt>>),
}

struct Frame<'a> {
    rest: core::slice::Iter<'a, Stmt>,
    then: Then<'a>,
}

impl<'a> Frame<'a> {
    fn new(list: &'a [Stmt], then: Then<'a>) -> Self {
        Frame { rest: list.iter(), then }
    }
}

/// A walk over a tree, one [`Event`] per step.
pub(super) struct Walk<'a> {
    stack: Vec<Frame<'a>>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        Walk { stack: vec![Frame::new(&tree.body, Then::Done)] }
    }

    /// How many constructs are open.
    pub(super) fn depth(&self) -> usize {
        self.stack.len().saturating_sub(1)
    }

    /// Skips the rest of the current list.
    pub(super) fn skip_list(&mut self) {
        if let Some(frame) = self.stack.last_mut() {
            frame.rest = [].iter();
        }
    }

    /// The next event.
    pub(super) fn next(&mut self) -> Option<Event> {
        let frame = self.stack.last_mut()?;
        let Some(stmt) = frame.rest.next() else { return self.leave() };
        Some(match stmt {
            Stmt::Block(b) => Event::Block(*b),
            Stmt::Set(var, value) => Event::Set(*var, *value),
            Stmt::SetConst(var, bits) => Event::SetConst(*var, *bits),
            Stmt::Break => Event::Break,
            Stmt::Continue => Event::Continue,
            Stmt::Exit => Event::Exit,
            Stmt::If { cond, yes, no } => {
                self.stack.push(Frame::new(yes, Then::Else(no)));
                Event::If(*cond, !yes.is_empty(), !no.is_empty())
            }
            Stmt::Loop(body) => {
                self.stack.push(Frame::new(body, Then::EndLoop));
                Event::Loop
            }
            Stmt::Switch(var, cases) => {
                self.stack.push(Frame::new(&[], Then::Cases(cases.iter())));
                Event::Switch(*var, cases.len() as u32)
            }
        })
    }

    fn leave(&mut self) -> Option<Event> {
        let frame = self.stack.last_mut()?;
        let event = match &mut frame.then {
            Then::Done => {
                self.stack.clear();
                return None;
            }
            Then::Else(no) => {
                *frame = Frame::new(no, Then::EndIf);
                return Some(Event::Else);
            }
            Then::Cases(cases) => match cases.next() {
                Some(case) => {
                    frame.rest = case.iter();
                    return Some(Event::Case);
                }
                None => Event::EndSwitch,
            },
            Then::EndIf => Event::EndIf,
            Then::EndLoop => Event::EndLoop,
        };
        self.stack.pop();
        Some(event)
    }
}
