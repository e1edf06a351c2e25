//! The barriers of a workgroup, at which its waves wait for each other.

use crate::wave::Plane;
use shisa_diag::Diagnostic;
use shisa_ir::{Arrival, Lanes, WAVE};

/// The number of numbered barriers of a workgroup.
const NUMBERED: usize = 16;
/// The index of the barrier for all waves, which has no number.
const EVERYBODY: usize = NUMBERED;

/// How many threads open a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quota {
    /// Those of all waves that the workgroup started with.
    Started,
    /// Those of all waves that have not ended.
    Living,
    /// So many waves of 32 threads.
    Waves(u32),
}

impl Quota {
    /// From a number of threads; 0 for all that have not ended.
    pub(crate) fn of(threads: u32) -> Result<Quota, Diagnostic> {
        match threads {
            0 => Ok(Quota::Living),
            n if n.is_multiple_of(WAVE as u32) => Ok(Quota::Waves(n / WAVE as u32)),
            n => Err(fault(format!("a barrier waits for {n} threads, which is not a multiple of {WAVE}"))),
        }
    }
}

fn fault(text: String) -> Diagnostic {
    Diagnostic::error("eval-barrier", text)
}

/// The arrival of a wave at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    barrier: usize,
    quota: Quota,
    how: Arrival,
    /// The active lanes, and those whose vote is true.
    lanes: Lanes,
    votes: Lanes,
}

impl Arrived {
    /// At the barrier of all waves ([`shisa_ir::Op::Barrier`]).
    pub const fn everybody(lanes: Lanes) -> Arrived {
        Arrived { barrier: EVERYBODY, quota: Quota::Started, how: Arrival::Wait, lanes, votes: 0 }
    }

    /// At a numbered barrier that opens when so many threads have arrived, 0 for those of all waves that have not ended
    /// ([`shisa_ir::Op::Arrive`]).
    ///
    /// # Errors
    /// `eval-barrier` if there is no such barrier or number of threads.
    pub fn numbered(
        number: u32,
        threads: u32,
        how: Arrival,
        lanes: Lanes,
        votes: Lanes,
    ) -> Result<Arrived, Diagnostic> {
        let quota = Quota::of(threads)?;
        match number as usize {
            barrier @ 0..NUMBERED => Ok(Arrived { barrier, quota, how, lanes, votes }),
            _ => Err(fault(format!("there is no barrier {number}: a workgroup has barriers 0 to 15"))),
        }
    }

    /// The number of the barrier; `None` for the one of all waves.
    pub fn number(&self) -> Option<u32> {
        (self.barrier < NUMBERED).then_some(self.barrier as u32)
    }

    /// The active lanes.
    pub fn lanes(&self) -> Lanes {
        self.lanes
    }

    /// Whether the wave waits there.
    pub fn waits(&self) -> bool {
        self.how != Arrival::Pass
    }

    /// Whether the arrival has a vote.
    fn reduces(&self) -> bool {
        !matches!(self.how, Arrival::Wait | Arrival::Pass)
    }
}

/// The result of a reduction for the lanes of a wave: a number, to which each lane adds the lanes before it in a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduced {
    first: u32,
    before: Lanes,
}

impl Reduced {
    /// The result for wave `number` if these are all arrivals.
    fn of(arrivals: &[(usize, Arrived)], number: usize, own: &Arrived) -> Reduced {
        let voters = || arrivals.iter().filter(|(_, a)| a.reduces());
        let first = match own.how {
            Arrival::All => voters().all(|(_, a)| a.votes == a.lanes).into(),
            Arrival::Any => voters().any(|(_, a)| a.votes != 0).into(),
            Arrival::Before => voters().filter(|(n, _)| *n < number).map(|(_, a)| a.votes.count_ones()).sum(),
            Arrival::Count | Arrival::Wait | Arrival::Pass => {
                voters().map(|(_, a)| a.votes.count_ones()).sum()
            }
        };
        Reduced { first, before: if own.how == Arrival::Before { own.votes } else { 0 } }
    }

    /// The result if the wave is the only one; without a reduction the previous result stays.
    pub(crate) fn alone(own: &Arrived, previous: Reduced) -> Reduced {
        if own.reduces() { Reduced::of(&[(0, *own)], 0, own) } else { previous }
    }

    /// The result of each lane.
    pub fn plane(self) -> Plane {
        Plane(std::array::from_fn(|lane| self.first + (self.before & ((1 << lane) - 1)).count_ones()))
    }
}

/// A barrier that has opened.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The waves that had arrived, in the order in which they did.
    pub(crate) arrivals: Vec<(usize, Arrived)>,
}

impl Opened {
    /// The waves that receive a result, with their results.
    pub(crate) fn results(&self) -> impl Iterator<Item = (usize, Reduced)> {
        let voters = self.arrivals.iter().filter(|(_, a)| a.reduces());
        voters.map(|(wave, own)| (*wave, Reduced::of(&self.arrivals, *wave, own)))
    }
}

/// What a wave of the workgroup does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// It has no threads of the grid.
    Absent,
    Runs,
    /// It waits at a barrier.
    Waits(usize),
    Ended,
}

/// The barriers of a workgroup, and what its waves do.
#[derive(Debug)]
pub(crate) struct Barriers {
    waves: Vec<Status>,
    /// The arrivals at each barrier since it last opened.
    arrivals: [Vec<(usize, Arrived)>; NUMBERED + 1],
}

impl Barriers {
    /// Waves that run; those that are not there have no threads.
    pub(crate) fn new(there: impl Iterator<Item = bool>) -> Barriers {
        let status = |there| if there { Status::Runs } else { Status::Absent };
        Barriers { waves: there.map(status).collect(), arrivals: Default::default() }
    }

    /// Whether a wave can run.
    pub(crate) fn runs(&self, wave: usize) -> bool {
        self.waves.get(wave) == Some(&Status::Runs)
    }

    /// Whether no wave can run or wait.
    pub(crate) fn is_done(&self) -> bool {
        !self.waves.iter().any(|s| matches!(s, Status::Runs | Status::Waits(_)))
    }

    /// A wave arrives. Returns the barrier if it opens.
    ///
    /// # Errors
    /// `eval-barrier` if waves disagree about the number of threads.
    pub(crate) fn arrive(&mut self, wave: usize, arrived: Arrived) -> Result<Option<Opened>, Diagnostic> {
        if let Some(status) = self.waves.get_mut(wave)
            && arrived.waits()
        {
            *status = Status::Waits(arrived.barrier);
        }
        let Some(arrivals) = self.arrivals.get_mut(arrived.barrier) else { return Ok(None) };
        if let Some((other, before)) = arrivals.iter().find(|(_, before)| before.quota != arrived.quota) {
            let text = format!(
                "at barrier {} wave {other} waits for {} and wave {wave} for {}",
                arrived.barrier,
                quota(before.quota),
                quota(arrived.quota)
            );
            return Err(fault(text));
        }
        arrivals.push((wave, arrived));
        Ok(self.open(arrived.barrier))
    }

    /// A wave ends. Barriers that wait for all waves no longer wait for it. Returns those that open.
    pub(crate) fn end(&mut self, wave: usize) -> Vec<Opened> {
        if let Some(status) = self.waves.get_mut(wave) {
            *status = Status::Ended;
        }
        (0..self.arrivals.len()).filter_map(|barrier| self.open(barrier)).collect()
    }

    /// How many waves open a barrier.
    fn needed(&self, quota: Quota) -> usize {
        let count = |wanted: fn(&Status) -> bool| self.waves.iter().filter(|s| wanted(s)).count();
        match quota {
            Quota::Started => count(|s| *s != Status::Absent),
            Quota::Living => count(|s| matches!(s, Status::Runs | Status::Waits(_))),
            Quota::Waves(n) => n as usize,
        }
    }

    /// Opens a barrier if all its threads have arrived.
    fn open(&mut self, barrier: usize) -> Option<Opened> {
        let (_, first) = self.arrivals.get(barrier)?.first()?;
        if self.arrivals[barrier].len() < self.needed(first.quota) {
            return None;
        }
        let arrivals = std::mem::take(&mut self.arrivals[barrier]);
        for (wave, _) in arrivals.iter().filter(|(_, a)| a.waits()) {
            if let Some(status) = self.waves.get_mut(*wave) {
                *status = Status::Runs;
            }
        }
        Some(Opened { arrivals })
    }

    /// The error if no wave can run.
    pub(crate) fn deadlock(&self) -> Diagnostic {
        let ended: Vec<usize> = (0..self.waves.len()).filter(|w| self.waves[*w] == Status::Ended).collect();
        let mut d = fault("no wave of the workgroup can continue: all wait at barriers or have ended".into());
        for (barrier, arrivals) in self.arrivals.iter().enumerate() {
            let Some((_, first)) = arrivals.first() else { continue };
            let waves: Vec<usize> = arrivals.iter().map(|(wave, _)| *wave).collect();
            let name = if barrier < NUMBERED { format!("barrier {barrier}") } else { "the barrier".into() };
            d = d.note(format!(
                "{name} has {} threads, of wave {}; it waits for {}",
                waves.len() * WAVE,
                list(&waves),
                quota(first.quota)
            ));
        }
        if ended.is_empty() { d } else { d.note(format!("ended: wave {}", list(&ended))) }
    }
}

/// What a barrier waits for, in words.
fn quota(quota: Quota) -> String {
    match quota {
        Quota::Started => "all waves of the workgroup".into(),
        Quota::Living => "all waves that have not ended".into(),
        Quota::Waves(n) => format!("{} threads", n as usize * WAVE),
    }
}

fn list(waves: &[usize]) -> String {
    let texts: Vec<String> = waves.iter().map(usize::to_string).collect();
    texts.join(", ")
}
