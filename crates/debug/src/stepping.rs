//! How far steps of a lane go.

use crate::breakpoint::focused;
use crate::interrupt::Interrupt;
use crate::search::Target;
use crate::view::View;
use shisa_diag::Diagnostic;
use shisa_ir::FrameKind;

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To the next instruction of the lane.
    Instruction,
    /// As that, past calls.
    Over,
    /// Out of the present call, or of the present loop if there is no call.
    Out,
    /// To the next step of any wave.
    Any,
}

/// How many calls are open, and how many loops.
pub(crate) fn depth(view: &dyn View) -> [usize; 2] {
    let stacks = view.stacks();
    let frames = |kind| stacks.iter().flat_map(|s| &s.frames).filter(|f| f.kind == kind).count();
    [frames(FrameKind::Call), frames(FrameKind::Loop)]
}

/// The next state of the lane that is being looked at.
pub(crate) struct Lane<'s> {
    pub(crate) focus: Option<usize>,
    pub(crate) reach: Reach,
    pub(crate) depth: [usize; 2],
    pub(crate) from: usize,
    pub(crate) interrupt: &'s Interrupt,
}

impl Target for Lane<'_> {
    type Found = ();

    fn tests_events(&self) -> bool {
        false
    }

    fn state(&mut self, view: &mut dyn View) -> Result<Option<()>, Diagnostic> {
        self.interrupt.check()?;
        if self.reach != Reach::Any && focused(view, self.focus) & view.active() == 0 {
            return Ok(None);
        }
        let [calls, loops] = self.depth;
        let arrived = match self.reach {
            Reach::Instruction | Reach::Any => true,
            _ if view.portion() != self.from => true,
            Reach::Over => depth(view)[0] <= calls,
            Reach::Out if calls > 0 => depth(view)[0] < calls,
            Reach::Out => depth(view)[1] < loops,
        };
        Ok(arrived.then_some(()))
    }
}
