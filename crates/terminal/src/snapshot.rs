//! What the panes show of a position.

use crate::texels::{Bound, bound};
use shisa_debug::expression::Expression;
use shisa_debug::{Commands, Reply, Session, Situation};
use shisa_diag::Diagnostic;
use shisa_ir::{At, FileKind};

/// What the panes look at.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The registers that the program uses; a vector is one of them.
    pub(crate) registers: Vec<(FileKind, Expression)>,
    /// The value in all lanes.
    pub(crate) lanes: Option<Expression>,
    /// The command whose answer is the memory.
    pub(crate) memory: Option<String>,
    /// The index of the texture whose texels are shown.
    pub(crate) texture: usize,
}

/// The order in which registers are shown: what programs write comes first.
const ORDER: [FileKind; 4] = [FileKind::Temp, FileKind::Output, FileKind::Input, FileKind::Uniform];

impl Watch {
    /// All registers of a session's program, and the first one in all lanes.
    pub(crate) fn of(session: &Session) -> Result<Watch, Diagnostic> {
        let names = session.names();
        let mut registers: Vec<(FileKind, Expression)> = Vec::new();
        for kind in ORDER {
            for name in names.registers(session.recorded().program().units(), kind) {
                registers.push((kind, Expression::parse(&name, names)?));
            }
        }
        let lanes = registers.first().map(|(_, expression)| expression.clone());
        Ok(Watch { registers, lanes, memory: None, texture: 0 })
    }
}

/// A register with its value in the lane that is being looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Register {
    pub(crate) name: String,
    pub(crate) kind: FileKind,
    pub(crate) value: String,
    /// Whether the latest move changed the value.
    pub(crate) is_changed: bool,
}

/// A lane of the wave that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    /// Its number in the run; `None` for a helper.
    pub(crate) of_run: Option<usize>,
    pub(crate) value: String,
    pub(crate) is_active: bool,
    pub(crate) is_killed: bool,
    /// Whether registers are shown for it.
    pub(crate) is_shown: bool,
}

/// A position with everything that is shown of it.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) situation: Situation,
    /// The position in words.
    pub(crate) position: String,
    pub(crate) registers: Vec<Register>,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) stacks: String,
    pub(crate) memory: Option<Result<String, String>>,
    pub(crate) textures: Bound,
}

impl Snapshot {
    /// Looks at the position of a session. `before` is what was shown before.
    pub(crate) fn take(
        commands: &mut Commands,
        watch: &Watch,
        before: Option<&Snapshot>,
    ) -> Result<Snapshot, Diagnostic> {
        let session = commands.session();
        let situation = session.situation()?;
        let mut registers = registers(session, &situation, watch)?;
        if let Some(before) = before {
            mark_changes(&mut registers, &situation, before);
        }
        let lanes = lanes(session, &situation, watch);
        let textures = session.look(|view| Ok(bound(&view.textures(), watch.texture)))?;
        let position = answer(commands, "where")?;
        let stacks = answer(commands, "stacks")?;
        let memory = watch.memory.as_ref().map(|command| answer(commands, command).map_err(|d| d.message));
        let position = position.lines().next().unwrap_or_default().to_owned();
        Ok(Snapshot { situation, position, registers, lanes, stacks, memory, textures })
    }

    /// The program counter of the instruction that runs next.
    pub(crate) fn counter(&self) -> Option<u32> {
        if let At::Step(counter) = self.situation.at { Some(counter) } else { None }
    }

    /// The lane of the run that is shown.
    fn lane(&self) -> Option<usize> {
        self.situation.running.lane(self.situation.lane)
    }
}

/// The text of a command's answer.
fn answer(commands: &mut Commands, command: &str) -> Result<String, Diagnostic> {
    match commands.query(command)? {
        Reply::Answer(answer) => Ok(answer.text),
        Reply::Save(_) | Reply::Quit => Ok(String::new()),
    }
}

fn registers(session: &Session, situation: &Situation, watch: &Watch) -> Result<Vec<Register>, Diagnostic> {
    session.look(|view| {
        let register = |(kind, expression): &(FileKind, Expression)| {
            let value = expression.value(view, session.names(), situation.lane)?;
            let (name, value) = (expression.text().to_owned(), value.to_string());
            Ok(Register { name, kind: *kind, value, is_changed: false })
        };
        watch.registers.iter().map(register).collect()
    })
}

/// Marks the registers that differ from what was shown for the same lane. Without a move, the marks stay.
fn mark_changes(registers: &mut [Register], situation: &Situation, before: &Snapshot) {
    let lane = situation.running.lane(situation.lane);
    if lane != before.lane() {
        return;
    }
    let is_move = situation.time != before.situation.time;
    for (register, old) in registers.iter_mut().zip(&before.registers) {
        register.is_changed = if is_move { register.value != old.value } else { old.is_changed };
    }
}

fn lanes(session: &Session, situation: &Situation, watch: &Watch) -> Vec<Lane> {
    let values = watch.lanes.as_ref().map(|expression| session.values(expression));
    let value = |lane: usize| match &values {
        None => String::new(),
        Some(Err(d)) => d.message.clone(),
        Some(Ok(values)) => match values.get(lane) {
            Some(Some(value)) => value.to_string(),
            Some(None) | None => String::new(),
        },
    };
    let is = |lanes: u32, lane: usize| lanes >> lane & 1 != 0;
    let all = situation.running.lanes.iter().enumerate().filter(|(lane, _)| is(situation.lanes, *lane));
    all.map(|(lane, of_run)| Lane {
        of_run: *of_run,
        value: value(lane),
        is_active: is(situation.active, lane),
        is_killed: is(situation.killed, lane),
        is_shown: lane == situation.lane,
    })
    .collect()
}
