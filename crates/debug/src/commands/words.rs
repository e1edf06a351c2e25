//! The names of commands and what they do.

use super::{Answer, wrong};
use crate::breakpoint::Access;
use crate::search::Direction;
use crate::stepping::Reach;
use serde_json::json;
use shisa_diag::Diagnostic;

/// A command.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Short names.
    pub short: &'static [&'static str],
    /// Its arguments.
    pub arguments: &'static str,
    /// What it does.
    pub help: &'static str,
    pub(super) verb: Verb,
}

impl Command {
    /// The command with which a line begins.
    ///
    /// # Errors
    /// `debug-command` if there is none.
    pub fn of_line(line: &str) -> Result<&'static Command, Diagnostic> {
        find(line.split_whitespace().next().unwrap_or_default())
    }
}

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Move(Direction, How),
    Goto,
    Start,
    End,
    Break,
    Watch(Access),
    On,
    Delete,
    Enable(bool),
    Breakpoints,
    Lane,
    Waves,
    Print,
    Lanes,
    Registers,
    Stacks,
    List,
    Where,
    Memory,
    Why,
    WhyNot,
    WhyHere,
    Uses,
    Save,
    Help,
    Quit,
}

/// How far a move goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// A number of steps.
    Steps(Reach),
    /// To a breakpoint.
    Run,
    /// To what its argument says.
    Until,
}

use Direction::{Backwards, Forwards};

const fn command(
    name: &'static str,
    short: &'static [&'static str],
    arguments: &'static str,
    verb: Verb,
    help: &'static str,
) -> Command {
    Command { name, short, arguments, help, verb }
}

/// All commands.
pub const COMMANDS: &[Command] = &[
    command(
        "step",
        &["s"],
        "[COUNT]",
        Verb::Move(Forwards, How::Steps(Reach::Instruction)),
        "Goes to the next instruction of the chosen lane, or of any lane",
    ),
    command(
        "back",
        &["b", "reverse-step", "rs"],
        "[COUNT]",
        Verb::Move(Backwards, How::Steps(Reach::Instruction)),
        "Goes to the instruction before",
    ),
    command("next", &["n"], "[COUNT]", Verb::Move(Forwards, How::Steps(Reach::Over)), "As step, past calls"),
    command(
        "back-over",
        &["reverse-next", "rn"],
        "[COUNT]",
        Verb::Move(Backwards, How::Steps(Reach::Over)),
        "As back, past calls",
    ),
    command(
        "out",
        &["finish", "o"],
        "",
        Verb::Move(Forwards, How::Steps(Reach::Out)),
        "Goes to where the present call, or else the present loop, has ended",
    ),
    command(
        "back-out",
        &["reverse-finish"],
        "",
        Verb::Move(Backwards, How::Steps(Reach::Out)),
        "Goes to where the present call, or else the present loop, has not begun",
    ),
    command(
        "tick",
        &["t"],
        "[COUNT]",
        Verb::Move(Forwards, How::Steps(Reach::Any)),
        "Goes to the next step of any wave",
    ),
    command(
        "back-tick",
        &["bt"],
        "[COUNT]",
        Verb::Move(Backwards, How::Steps(Reach::Any)),
        "Goes to the step before, of any wave",
    ),
    command("continue", &["c"], "", Verb::Move(Forwards, How::Run), "Runs to the next breakpoint or the end"),
    command(
        "reverse",
        &["r", "reverse-continue", "rc"],
        "",
        Verb::Move(Backwards, How::Run),
        "Runs backwards to the breakpoint before or the start",
    ),
    command(
        "until",
        &["u"],
        "WHAT [if EXPRESSION]",
        Verb::Move(Forwards, How::Until),
        "Runs until WHAT: a POSITION as of `break`, an event as of `on`, or `if EXPRESSION` alone",
    ),
    command(
        "before",
        &["reverse-until"],
        "WHAT [if EXPRESSION]",
        Verb::Move(Backwards, How::Until),
        "Runs backwards until WHAT",
    ),
    command("goto", &["g"], "STEP", Verb::Goto, "Goes to a step by its number"),
    command("start", &[], "", Verb::Start, "Goes to the first step"),
    command("end", &[], "", Verb::End, "Goes to the end"),
    command(
        "break",
        &["br"],
        "POSITION [if EXPRESSION] [hits CONDITION] [log EXPRESSION]",
        Verb::Break,
        "Stops before an instruction: a program counter, a label, or a line of the text such as `:12` or `FILE:12`; `break if EXPRESSION` stops anywhere; `hits 5`, `hits >= 5` or `hits % 3` stops at some of its hits, counted from the start of the run; with `log` it writes a value and does not stop",
    ),
    command(
        "watch",
        &["w"],
        "WHAT [if EXPRESSION] [hits CONDITION] [log EXPRESSION]",
        Verb::Watch(Access::Writes),
        "Stops where a register or memory such as global[0x1000] is written",
    ),
    command(
        "read",
        &[],
        "WHAT [if EXPRESSION] [hits CONDITION] [log EXPRESSION]",
        Verb::Watch(Access::Reads),
        "Stops where a register or memory such as global[0x1000] is read",
    ),
    command(
        "on",
        &[],
        "EVENT [if EXPRESSION] [hits CONDITION] [log EXPRESSION]",
        Verb::On,
        "Stops at an event: nan (a NaN or infinity is made), divergence, texture, emit, kill, uninitialised (nothing has written what is read), outside (of memory), barrier, end (of a wave)",
    ),
    command("delete", &["d"], "NUMBER", Verb::Delete, "Removes a breakpoint"),
    command("enable", &[], "NUMBER", Verb::Enable(true), "Enables a breakpoint"),
    command("disable", &[], "NUMBER", Verb::Enable(false), "Disables a breakpoint"),
    command("breakpoints", &["bl"], "", Verb::Breakpoints, "Lists the breakpoints"),
    command(
        "lane",
        &["thread"],
        "NUMBER | all",
        Verb::Lane,
        "Chooses a lane (a vertex, pixel or thread of the run): steps, values and breakpoints are about it",
    ),
    command("waves", &[], "", Verb::Waves, "Lists the waves in the order in which they run"),
    command(
        "print",
        &["p"],
        "EXPRESSION",
        Verb::Print,
        "Writes a value in the chosen lane, or in the first active one",
    ),
    command("lanes", &["l"], "EXPRESSION", Verb::Lanes, "Writes a value in all lanes of the wave"),
    command(
        "registers",
        &["regs"],
        "[PREFIX]",
        Verb::Registers,
        "Writes the registers that the program uses",
    ),
    command("stacks", &["st"], "", Verb::Stacks, "Writes the stacks of control flow"),
    command("list", &["li"], "[COUNT]", Verb::List, "Writes the instructions around the position"),
    command("where", &["i"], "", Verb::Where, "Writes the position"),
    command(
        "memory",
        &["x"],
        "MEMORY [WORDS]",
        Verb::Memory,
        "Writes words of memory, such as `memory global[0x1000] 16`",
    ),
    command(
        "why",
        &[],
        "EXPRESSION",
        Verb::Why,
        "Writes the steps, memory and lanes that made a value, back to inputs",
    ),
    command(
        "why-here",
        &[],
        "",
        Verb::WhyHere,
        "Writes the conditions that led the lane to the position, with their causes",
    ),
    command(
        "why-not",
        &[],
        "POSITION",
        Verb::WhyNot,
        "Writes the step at which the chosen lane left, so that it skipped an instruction",
    ),
    command("uses", &[], "REGISTER", Verb::Uses, "Writes the later steps that use the value of a register"),
    command(
        "save",
        &[],
        "FILE",
        Verb::Save,
        "Writes the session as a file that `shisa debug --session FILE` opens: programs, input, position, breakpoints",
    ),
    command("help", &["h", "?"], "[COMMAND]", Verb::Help, "Describes a command, or all"),
    command("quit", &["q", "exit"], "", Verb::Quit, "Ends the session"),
];

/// A command by its name, one of its short names, or the beginning of its name.
///
/// # Errors
/// `debug-command` if there is none.
pub(super) fn find(name: &str) -> Result<&'static Command, Diagnostic> {
    let exact = COMMANDS.iter().find(|command| command.name == name || command.short.contains(&name));
    let mut starts = COMMANDS.iter().filter(|command| command.name.starts_with(name));
    let (first, second) = (starts.next(), starts.next());
    exact.or(first.filter(|_| second.is_none())).ok_or_else(|| {
        let d = wrong(format!("there is no command \"{}\"", shisa_diag::escape(name)));
        let near = shisa_rows::nearest(name, COMMANDS.iter().map(|command| command.name));
        d.help(match near {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => "`help` lists all commands".into(),
        })
    })
}

/// Whether a line begins with a command that adds a breakpoint.
pub(super) fn adds_breakpoint(line: &str) -> bool {
    Command::of_line(line)
        .is_ok_and(|command| matches!(command.verb, Verb::Break | Verb::Watch(_) | Verb::On))
}

/// The description of a command, or of all.
pub(super) fn help(name: &str) -> Result<Answer, Diagnostic> {
    let list: Vec<&Command> = match name {
        "" => COMMANDS.iter().collect(),
        name => vec![find(name)?],
    };
    let line = |command: &&Command| {
        let short =
            if command.short.is_empty() { String::new() } else { format!(" ({})", command.short.join(", ")) };
        let usage = format!("{} {}", command.name, command.arguments);
        format!("{:<42} {}{short}", usage.trim_end(), command.help)
    };
    let text: Vec<String> = list.iter().map(line).collect();
    let data = list.iter().map(|command| {
        json!({"name": command.name, "short": command.short, "arguments": command.arguments, "help": command.help})
    });
    Ok(Answer::new(text.join("\n"), data.collect()))
}
