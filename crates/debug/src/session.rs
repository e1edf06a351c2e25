//! A recorded run with a position in it.

use crate::breakpoint::{Breakpoint, Breakpoints, Hit, On, focused};
use crate::expression::{Expression, Value};
use crate::floats::Floats;
use crate::history::Time;
use crate::hits::Hits;
use crate::interrupt::Interrupt;
use crate::log::Log;
use crate::names::Names;
use crate::recording::Recorded;
use crate::search::{Direction, Target, pass, search};
use crate::stepping::{Lane, Reach, depth};
use crate::text::{Line, ProgramText};
use crate::unwritten::Unwritten;
use crate::view::View;
use shisa_diag::Diagnostic;
use shisa_eval::Portion;
use shisa_ir::{At, Lanes, Stack, WAVE};

/// A recorded run that is being looked at.
pub struct Session {
    recorded: Box<dyn Recorded>,
    names: Names,
    floats: Floats,
    lines: Vec<Line>,
    text: ProgramText,
    interrupt: Interrupt,
    time: Time,
    /// The lane of the run that is being looked at; `None` for all.
    focus: Option<usize>,
    /// The lanes of the running wave that reached the latest breakpoint, after a stop at one.
    reached: Lanes,
    breakpoints: Vec<Breakpoint>,
    /// The number of the next breakpoint.
    next: usize,
}

/// Why a move ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It went as far as it should.
    Arrived,
    /// At a breakpoint.
    Breakpoint {
        /// The breakpoint's number.
        number: usize,
        /// The lanes of the wave that reached it.
        lanes: Lanes,
        /// What happened.
        text: String,
    },
    /// At the start of the run.
    Start,
    /// At the end of the run.
    End,
    /// At the step with whose error the run ends.
    Failure(Diagnostic),
}

/// The end of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The time.
    pub time: Time,
    /// Why there.
    pub reason: Reason,
    /// What log points logged meanwhile.
    pub logged: Vec<(Time, String)>,
}

/// The position of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// The number of steps before it.
    pub time: Time,
    /// The number of the portion that runs.
    pub portion: usize,
    /// Its wave.
    pub running: Portion,
    /// The position of the wave.
    pub at: At,
    /// The lanes that the next step runs for.
    pub active: Lanes,
    /// The lanes that the wave has.
    pub lanes: Lanes,
    /// The lanes whose outputs are discarded.
    pub killed: Lanes,
    /// The lane of the wave that expressions are about.
    pub lane: usize,
    /// The stacks of control flow.
    pub stacks: Vec<Stack>,
}

impl Session {
    /// A session at the start of a run, with the listing of its program.
    pub fn new(recorded: Box<dyn Recorded>, names: Names, lines: Vec<Line>) -> Session {
        let floats = Floats::new(recorded.program().lifted());
        let (text, interrupt) = (ProgramText::of_lines(&lines), Interrupt::default());
        Session {
            recorded,
            names,
            floats,
            lines,
            text,
            interrupt,
            time: 0,
            focus: None,
            reached: 0,
            breakpoints: Vec::new(),
            next: 1,
        }
    }

    /// The run.
    pub fn recorded(&self) -> &dyn Recorded {
        &*self.recorded
    }

    /// The names of registers.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The listing.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The text in which lines and labels are positions: at first the listing.
    pub fn text(&self) -> &ProgramText {
        &self.text
    }

    /// Replaces that text.
    pub fn set_text(&mut self, text: ProgramText) {
        self.text = text;
    }

    /// Makes moves end when another thread requests it.
    pub fn set_interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    /// The instruction at a position, as an index of the listing.
    pub fn line(&self, at: At) -> Option<usize> {
        let At::Step(counter) = at else { return None };
        self.lines.iter().position(|line| line.counter == counter)
    }

    /// The number of steps before the position.
    pub fn time(&self) -> Time {
        self.time
    }

    /// The lane of the run that is being looked at.
    pub fn focus(&self) -> Option<usize> {
        self.focus
    }

    /// Looks at one lane of the run, or at all. With one, steps are those of that lane, and breakpoints are limited to it.
    ///
    /// # Errors
    /// `debug-lane` if the run has no such lane.
    pub fn set_focus(&mut self, lane: Option<usize>) -> Result<(), Diagnostic> {
        if let Some(lane) = lane
            && self.portions_of(lane).next().is_none()
        {
            let text = format!("no wave of the run has lane {lane}");
            return Err(Diagnostic::error("debug-lane", text)
                .help("lanes are numbered over all waves: vertices, pixels or threads, from 0"));
        }
        self.focus = lane;
        Ok(())
    }

    /// The portions that have a lane of the run.
    pub fn portions_of(&self, lane: usize) -> impl Iterator<Item = usize> {
        let has = move |portion: &Portion| portion.lanes.contains(&Some(lane));
        (0..self.recorded.portions())
            .filter(move |number| self.recorded.portion(*number).is_some_and(|p| has(&p.0)))
    }

    /// The breakpoints.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// Adds a breakpoint and returns its number.
    pub fn add(&mut self, on: On, condition: Option<Expression>, log: Option<Log>) -> usize {
        let number = self.next;
        self.next += 1;
        self.breakpoints.push(Breakpoint { number, on, condition, hits: None, log, enabled: true });
        number
    }

    /// Limits a breakpoint to some of its hits; returns whether there is one.
    ///
    /// Hits are counted from the start of the run, so a hit has the same number in both directions and after every move. A
    /// move then repeats the run from its start.
    pub fn limit(&mut self, number: usize, hits: Option<Hits>) -> bool {
        let found = self.breakpoints.iter_mut().find(|breakpoint| breakpoint.number == number);
        found.map(|breakpoint| breakpoint.hits = hits).is_some()
    }

    /// Removes a breakpoint; returns whether there was one.
    pub fn remove(&mut self, number: usize) -> bool {
        let before = self.breakpoints.len();
        self.breakpoints.retain(|breakpoint| breakpoint.number != number);
        self.breakpoints.len() < before
    }

    /// Enables or disables a breakpoint; returns whether there is one.
    pub fn enable(&mut self, number: usize, enabled: bool) -> bool {
        let found = self.breakpoints.iter_mut().find(|breakpoint| breakpoint.number == number);
        found.map(|breakpoint| breakpoint.enabled = enabled).is_some()
    }

    /// Passes on the state at the position.
    ///
    /// # Errors
    /// Those of `look`; `debug-empty`.
    pub fn look<T>(
        &self,
        look: impl FnOnce(&mut dyn View) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let (mut look, mut seen) = (Some(look), None);
        self.recorded.view(self.time, &mut |view| {
            if let Some(look) = look.take() {
                seen = Some(look(view)?);
            }
            Ok(())
        })?;
        seen.ok_or_else(|| Diagnostic::internal("internal-debug", "a recording did not show its state"))
    }

    /// The position with what surrounds it.
    ///
    /// # Errors
    /// `debug-empty`.
    pub fn situation(&self) -> Result<Situation, Diagnostic> {
        self.look(|view| {
            let running = *view.running();
            Ok(Situation {
                time: view.time(),
                portion: view.portion(),
                running,
                at: view.at(),
                active: view.active(),
                lanes: view.lanes(),
                killed: view.killed(),
                lane: self.lane(view),
                stacks: view.stacks(),
            })
        })
    }

    /// The lane of the wave that is being looked at: that of the focus, or the first that reached a breakpoint, or the first
    /// active one.
    fn lane(&self, view: &dyn View) -> usize {
        let of_focus = view.running().lanes.iter().position(|lane| lane.is_some() && *lane == self.focus);
        let choices = [self.reached & view.lanes(), view.active(), view.lanes()];
        let lanes = choices.into_iter().find(|lanes| *lanes != 0).unwrap_or(1);
        of_focus.unwrap_or(lanes.trailing_zeros() as usize % WAVE)
    }

    /// The value of an expression in the lane that is being looked at.
    ///
    /// # Errors
    /// `debug-lane` if the lane's wave does not run at the position; those of the expression.
    pub fn value(&self, expression: &Expression) -> Result<Value, Diagnostic> {
        self.look(|view| {
            if let Some(focus) = self.focus
                && focused(view, self.focus) == 0
            {
                return Err(self.elsewhere(focus));
            }
            let lane = self.lane(view);
            expression.value(view, &self.names, lane)
        })
    }

    /// The values of an expression in all lanes of the running wave; `None` for lanes that the wave does not have.
    ///
    /// # Errors
    /// Those of the expression.
    pub fn values(&self, expression: &Expression) -> Result<Vec<Option<Value>>, Diagnostic> {
        self.look(|view| {
            let lanes = view.lanes();
            let there = |lane: usize| lanes >> lane & 1 != 0;
            let value = |lane: usize| match there(lane) {
                true => expression.value(view, &self.names, lane).map(Some),
                false => Ok(None),
            };
            (0..WAVE).map(value).collect()
        })
    }

    fn elsewhere(&self, lane: usize) -> Diagnostic {
        let d = Diagnostic::error(
            "debug-lane",
            format!("the wave of lane {lane} does not run at step {}", self.time),
        );
        let times = self.portions_of(lane).filter_map(|number| Some(self.recorded.portion(number)?.1));
        let times: Vec<String> = times.take(4).map(|t| format!("{} to {}", t.start, t.end)).collect();
        d.note(format!("it runs in steps {}", times.join(", "))).help("use `goto` with one of these steps")
    }

    /// Goes to a time; past the end it goes to the end.
    pub fn go(&mut self, time: Time) -> Stop {
        (self.time, self.reached) = (time.min(self.recorded.end()), 0);
        self.stopped(Reason::Arrived, Vec::new())
    }

    /// Goes a number of steps.
    ///
    /// # Errors
    /// `debug-outermost` to go out of a call or loop where none is open; those of the recording.
    pub fn step(&mut self, reach: Reach, direction: Direction, count: u64) -> Result<Stop, Diagnostic> {
        self.reached = 0;
        for _ in 0..count {
            let (depth, from) = self.look(|view| Ok((depth(view), view.portion())))?;
            if reach == Reach::Out && depth == [0, 0] {
                return Err(Diagnostic::error("debug-outermost", "no call and no loop is open here")
                    .help("the stacks show what is open; in some instruction sets registers count loops and conditions"));
            }
            let mut target = Lane { focus: self.focus, reach, depth, from, interrupt: &self.interrupt };
            match search(&*self.recorded, self.time, direction, &mut target)? {
                Some((time, ())) => self.time = time,
                None => return Ok(self.run_out(direction, Vec::new())),
            }
        }
        Ok(self.stopped(Reason::Arrived, Vec::new()))
    }

    /// Goes to the nearest breakpoint, or to the end of the run in that direction. `until` is one more breakpoint for this
    /// move.
    ///
    /// # Errors
    /// Those of conditions and of the recording.
    pub fn run(
        &mut self,
        direction: Direction,
        until: Option<(On, Option<Expression>)>,
    ) -> Result<Stop, Diagnostic> {
        let mut list = self.breakpoints.clone();
        list.extend(until.map(|(on, condition)| Breakpoint {
            number: 0,
            on,
            condition,
            hits: None,
            log: None,
            enabled: true,
        }));
        self.reached = 0;
        let mut target = self.target(&list);
        if direction == Direction::Forwards {
            pass(&*self.recorded, self.time, &mut target)?;
            if target.counts() {
                // The search begins after the state at the position, which is a hit, too.
                self.look(|view| target.state(view))?;
            }
            target.logged = Some(Vec::new());
        }
        let found = search(&*self.recorded, self.time, direction, &mut target)?;
        let logged = target.logged.unwrap_or_default();
        let Some((time, hit)) = found else {
            return Ok(self.run_out(direction, logged));
        };
        self.hit(time, hit, &list, logged)
    }

    /// The stop at the breakpoint of an instruction that is reached where the session is: the moves find only those that are
    /// reached elsewhere.
    ///
    /// # Errors
    /// Those of conditions and of the recording.
    pub fn run_here(&mut self) -> Result<Option<Stop>, Diagnostic> {
        let list = self.breakpoints.clone();
        let mut target = self.target(&list);
        pass(&*self.recorded, self.time, &mut target)?;
        target.logged = Some(Vec::new());
        let found = self.look(|view| target.state(view))?;
        let logged = target.logged.unwrap_or_default();
        found.map(|hit| self.hit(self.time, hit, &list, logged)).transpose()
    }

    /// Breakpoints as a target that logs nothing.
    fn target<'b>(&'b self, list: &'b [Breakpoint]) -> Breakpoints<'b> {
        let (names, floats, focus, interrupt) = (&self.names, &self.floats, self.focus, &self.interrupt);
        let follows = list.iter().any(|breakpoint| breakpoint.enabled && breakpoint.on == On::Unwritten);
        let lifted = self.recorded.program().lifted();
        let unwritten = follows.then(|| Unwritten::new(lifted, self.recorded.start()));
        let counts = vec![0; list.len()];
        Breakpoints { list, counts, lifted, names, floats, unwritten, focus, logged: None, interrupt }
    }

    fn hit(
        &mut self,
        time: Time,
        Hit { index, lanes, text }: Hit,
        list: &[Breakpoint],
        logged: Vec<(Time, String)>,
    ) -> Result<Stop, Diagnostic> {
        (self.time, self.reached) = (time, lanes);
        let hit = list.get(index);
        let hit = hit.ok_or_else(|| {
            Diagnostic::internal("internal-debug", "a breakpoint that does not exist was hit")
        })?;
        Ok(self.stopped(Reason::Breakpoint { number: hit.number, lanes, text }, logged))
    }

    fn run_out(&mut self, direction: Direction, logged: Vec<(Time, String)>) -> Stop {
        match direction {
            Direction::Forwards => {
                self.time = self.recorded.end();
                let failure = self.recorded.failure().cloned();
                self.stopped(failure.map_or(Reason::End, Reason::Failure), logged)
            }
            Direction::Backwards => {
                self.time = 0;
                self.stopped(Reason::Start, logged)
            }
        }
    }

    fn stopped(&self, reason: Reason, logged: Vec<(Time, String)>) -> Stop {
        Stop { time: self.time, reason, logged }
    }
}
