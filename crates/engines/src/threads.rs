//! Runs of a program on several threads.

use crate::{Program, Session};
use rayon::prelude::*;
use shisa_diag::Diagnostic;
use shisa_exec::{Attribute, Outputs, Slot};
use shisa_ir::Reg;

/// Lanes of a part are a multiple of the number of lanes that run together.
const TOGETHER: usize = 128;

/// The uniforms and the memory of runs of a program on all threads of rayon's pool: that of the thread that calls, or the
/// global one.
///
/// A run splits its lanes into one part for each thread. Results are those of a [`Session`], bit for bit, because lanes of a
/// session do not depend on each other.
pub struct Threads {
    /// One for each thread.
    sessions: Vec<Session>,
}

impl Program {
    /// The memory of runs on all threads, with the uniforms that the program states; all others are zero.
    pub fn threads(&self) -> Threads {
        Threads { sessions: (0..rayon::current_num_threads().max(1)).map(|_| self.session()).collect() }
    }
}

/// The results of a part.
struct Part<'a> {
    /// Its first lane, and the number of lanes.
    first: usize,
    lanes: usize,
    data: &'a mut [u32],
    killed: &'a mut [bool],
}

impl Threads {
    /// As [`Session::set_uniforms`].
    ///
    /// # Errors
    /// As [`Session::set_uniforms`].
    pub fn set_uniforms(&mut self, first: Reg, bits: &[u32]) -> Result<(), Diagnostic> {
        self.sessions.iter_mut().try_for_each(|session| session.set_uniforms(first, bits))
    }

    /// As [`Session::run`]. Several threads need results in rows: all slots have the same stride, and the units of a lane
    /// are within a stride. One thread runs lanes whose results are separate arrays, and lanes that are too few for two threads. Limits
    /// count for each part. A run allocates a list of the parts, and of the attributes of each.
    ///
    /// # Errors
    /// As [`Session::run`]; the error of the first part that has one.
    pub fn run(
        &mut self,
        lanes: usize,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        killed: &mut [bool],
    ) -> Result<(), Diagnostic> {
        let threads = self.sessions.len();
        let Some(alone) = self.sessions.first_mut() else { return Ok(()) };
        let files = alone.program().files();
        attributes.iter().try_for_each(|a| a.check(lanes, files))?;
        outputs.check(lanes, files)?;
        let most = lanes.div_ceil(threads).next_multiple_of(TOGETHER);
        let stride = match row(outputs) {
            Some(stride) if most < lanes => stride,
            _ => return alone.run(lanes, attributes, outputs, killed),
        };
        let slots = outputs.slots;
        let mut killed = killed.chunks_mut(most);
        let part = |(number, data)| {
            let first = number * most;
            Part { first, lanes: most.min(lanes - first), data, killed: killed.next().unwrap_or_default() }
        };
        let rows = outputs.data.chunks_mut(most * stride).take(lanes.div_ceil(most));
        let parts: Vec<Part<'_>> = rows.enumerate().map(part).collect();
        let run = |(session, part): (&mut Session, Part<'_>)| {
            let attributes: Vec<Attribute<'_>> =
                attributes.iter().map(|a| from_lane(a, part.first)).collect();
            session.run(part.lanes, &attributes, &mut Outputs { slots, data: part.data }, part.killed)
        };
        let ran: Vec<Result<(), Diagnostic>> = self.sessions.par_iter_mut().zip(parts).map(run).collect();
        ran.into_iter().collect()
    }
}

/// The attribute of the lanes from one on.
fn from_lane<'a>(attribute: &Attribute<'a>, lane: usize) -> Attribute<'a> {
    let Attribute { slot, data } = *attribute;
    let before = lane.saturating_mul(slot.stride).min(data.len());
    Attribute { slot, data: &data[before..] }
}

/// Elements from one lane to the next, if all results of a lane are in a row of so many.
fn row(outputs: &Outputs<'_>) -> Option<usize> {
    let stride = outputs.slots.first()?.stride;
    let within = |slot: &Slot| {
        let last =
            usize::from(slot.units).saturating_sub(1).checked_mul(slot.step)?.checked_add(slot.offset)?;
        (slot.stride == stride && last < stride).then_some(())
    };
    outputs.slots.iter().try_for_each(within).map(|()| stride)
}
