//! The debugger: commands, and requests of the Debug Adapter Protocol.

use crate::Random;
use crate::inputs::Inputs;
use crate::targets::settings;
use serde_json::{Value, json};
use shisa::data::debug::dap::{Adapter, Launcher, read, write};
use shisa::data::debug::{Captured, Commands, ProgramText, Reply, Saved, Session, captured};
use shisa::data::pictures::replayed;
use shisa::diag::Diagnostic;
use shisa::{File, Language, Settings};

/// A program with an input, and names of it.
struct Example {
    language: Language,
    source: &'static str,
    input: &'static str,
    /// The last number of a lane.
    last: usize,
    registers: [&'static str; 4],
    positions: [&'static str; 4],
}

const EXAMPLES: [Example; 4] = [
    Example {
        language: Language::Agal,
        source: include_str!("../../../examples/fog.frag.agal"),
        input: include_str!("../../../examples/fog.json"),
        last: 3,
        registers: ["ft0.x", "v1", "ft1.zyx", "oc"],
        positions: ["3", "0x8", ":10", ":1"],
    },
    Example {
        language: Language::Picasso,
        source: include_str!("../../../examples/flat.v.pica"),
        input: include_str!("../../../examples/flat.json"),
        last: 2,
        registers: ["r0", "projection[1].y", "o0.x", "v0"],
        positions: ["3", "0x2", ":13", "main"],
    },
    Example {
        language: Language::Agx,
        source: include_str!("../../../examples/collatz.agx"),
        input: include_str!("../../../examples/collatz.json"),
        last: 7,
        registers: ["r2", "r3", "r0l", "r4"],
        positions: ["0x16", "step", ":12", "done"],
    },
    Example {
        language: Language::Maxwell,
        source: include_str!("../../../examples/saxpy.maxwell"),
        input: include_str!("../../../examples/saxpy.json"),
        last: 31,
        registers: ["R0", "float(R4)", "P0", "global[0x100002000]"],
        positions: ["0x98", "done", ":17", "0x68"],
    },
];

/// Bytes of a recording: small enough to drop states of long runs.
const RECORDING: usize = 1 << 20;

/// The most commands or requests of an input.
const MOST: usize = 64;

impl Example {
    /// The example that a byte selects.
    fn of(byte: u8) -> &'static Example {
        &EXAMPLES[usize::from(byte) % EXAMPLES.len()]
    }

    /// A session with the source as its text.
    fn session(&self) -> Session {
        let assembly = shisa::assemble(self.source, self.language, &settings()).expect("an example");
        let own: Settings = settings().isa(self.language.isa());
        let file = File::open(&assembly.bytes, &own).expect("an example");
        let runs = captured(|trace| file.run_traced(self.input, trace)).expect("an example runs");
        let mut session = Captured::choose(runs, 1).expect("a run").session(RECORDING);
        let counters: Vec<u32> = session.lines().iter().map(|line| line.counter).collect();
        let starts =
            assembly.lines.iter().zip(counters).map(|(line, counter)| (line.span.start, Some(counter)));
        let text = ProgramText::new("example", None, self.source.into(), starts.collect::<Vec<_>>());
        session.set_text(text);
        session
    }
}

/// Any commands are answered or refused with a code, and the position stays in the run. Accepts a script of which most commands
/// are answered.
pub fn debug_script(data: &[u8]) -> bool {
    let Some((first, script)) = data.split_first() else { return false };
    let mut commands = Commands::new(Example::of(*first).session());
    let (mut answered, mut all) = (0, 0);
    for line in String::from_utf8_lossy(script).lines().take(MOST) {
        all += 1;
        match commands.run(line) {
            Ok(Reply::Quit) => break,
            Ok(Reply::Answer(_) | Reply::Save(_)) => answered += 1,
            Err(d) => assert!(!d.message.is_empty() && !d.code.starts_with("internal-"), "{line}: {d}"),
        }
        let session = commands.session();
        assert!(session.time() <= session.recorded().end(), "{line}");
    }
    answered * 2 > all
}

/// Any text is a saved session, or is refused with a code. A session is written as it was read, and if it has a picture, its run is
/// opened or refused. Accepts a session that is read.
pub fn debug_session(data: &[u8]) -> bool {
    let refused = |d: &Diagnostic| assert!(!d.message.is_empty() && !d.code.starts_with("internal-"), "{d}");
    let saved = match Saved::from_json(&String::from_utf8_lossy(data)) {
        Ok(saved) => saved,
        Err(d) => {
            refused(&d);
            return false;
        }
    };
    assert_eq!(Saved::from_json(&saved.to_json()).as_ref(), Ok(&saved));
    if let (Some(picture), [file]) = (&saved.picture, &saved.files[..]) {
        let text = Some(&*saved.input).filter(|text| !text.is_empty());
        let mut own = settings();
        own.name = Some(file.name.clone());
        let shader = File::open(&file.bytes, &own).and_then(|file| file.program(1)?.shader(text));
        let run = shader.and_then(|mut shader| Ok(replayed(&mut *shader, picture, &own.limits)?));
        match run {
            Ok(run) => {
                let mut commands = Commands::new(run.session(RECORDING));
                let restored = commands.query("where").and_then(|_| commands.restore(&saved.state));
                restored.unwrap_or_else(|d| refused(&d));
            }
            Err(e) => e.diagnostics.iter().for_each(refused),
        }
    }
    true
}

/// The session of a picture.
const SESSION: &str = include_str!("../../../tests/debug/picture.session");

/// Sessions of a picture, three in four of which have another value, and one in eight other bytes.
pub(crate) fn sessions(_: &[Vec<u8>]) -> Inputs {
    Box::new(|random| {
        let mut session: Value = serde_json::from_str(SESSION).expect("a session");
        for _ in 0..random.below(4) {
            change(&mut session, random);
        }
        let mut bytes = session.to_string().into_bytes();
        if random.below(8) == 0 {
            let at = random.below(bytes.len());
            bytes[at] = random.bits() as u8;
        }
        bytes
    })
}

/// Changes a part of a value, at most once.
fn change(value: &mut Value, random: &mut Random) {
    let count = match value {
        Value::Object(members) => members.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if count == 0 || random.below(8) == 0 {
        *value = match random.below(3) {
            0 => hostile(random),
            1 => json!(random.below(70)),
            _ => json!(format!("{:08x}", random.bits() as u32)),
        };
        return;
    }
    let which = random.below(count);
    match value {
        Value::Object(members) => members.values_mut().nth(which),
        Value::Array(items) => items.get_mut(which),
        _ => None,
    }
    .into_iter()
    .for_each(|part| change(part, random));
}

/// Launches one example.
struct Fixed(&'static Example);

impl Launcher for Fixed {
    fn launch(&mut self, _: &Value) -> Result<Commands, Diagnostic> {
        Ok(Commands::new(self.0.session()))
    }
}

/// Any bytes are messages of a client or end the conversation; each request has one response, and after it only events. Accepts
/// a conversation of which most requests succeed.
pub fn debug_adapter(data: &[u8]) -> bool {
    let Some((first, mut input)) = data.split_first() else { return false };
    let mut adapter = Adapter::new(Fixed(Example::of(*first)));
    let (mut succeeded, mut all, mut number) = (0, 0, 0);
    while let Ok(Some(request)) = read(&mut input)
        && all < MOST
        && !adapter.has_ended()
    {
        let mut messages = adapter.handle(&request);
        messages.extend(adapter.proceed());
        assert_eq!(messages.is_empty(), request["type"] != "request", "{request}");
        for (at, message) in messages.iter().enumerate() {
            number += 1;
            assert_eq!(message["seq"], number, "{message}");
            assert_eq!(message["type"] == "response", at == 0, "{message}");
        }
        if let Some(response) = messages.first() {
            all += 1;
            succeeded += usize::from(response["success"] == true);
            let error = response["message"].as_str();
            assert!(error.is_none_or(|text| !text.is_empty()), "{response}");
        }
    }
    succeeded * 2 > all
}

/// Text that is valid in few positions.
#[rustfmt::skip]
const HOSTILE: &[&str] = &[
    "", "if", "log", "99999999999999999999", "-1", "0x", ":", ":0", "::9", "/x:3", "1e999", "((((", "))", "[", "global[0",
    "shared[0xffffffffffffffff]", "c[lane * 1000000]", "\u{0}", "é😀", "\u{2028}", "%", "#", "~~~~!!", ".x.y.z.w",
];

/// An expression of a program.
fn expression(example: &Example, random: &mut Random) -> String {
    let register = pick(random, &example.registers);
    match random.below(6) {
        0 => format!("{register} == 3"),
        1 => format!("{register} * 2 + lane"),
        2 => format!("lane == {}", random.below(4)),
        3 => format!("hex({register})"),
        4 => "pc > 3 && active".into(),
        _ => register.into(),
    }
}

fn pick<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    random.pick(all).copied().unwrap_or_default()
}

/// The events of breakpoints.
const EVENTS: [&str; 9] =
    ["nan", "divergence", "texture", "emit", "kill", "uninitialised", "outside", "barrier", "end"];

/// A command that is valid in most states.
fn command(example: &Example, random: &mut Random) -> String {
    let (register, position) = (pick(random, &example.registers), pick(random, &example.positions));
    let event = pick(random, &EVENTS);
    let (value, number) = (expression(example, random), random.below(20));
    match random.below(26) {
        0 => "step".into(),
        1 => format!("step {number}"),
        2 => format!("back {number}"),
        3 => "next".into(),
        4 => format!("tick {number}"),
        5 => "continue".into(),
        6 => "reverse".into(),
        7 => format!("until {position}"),
        8 => format!("before {position} if {value}"),
        9 => format!("until {event}"),
        10 => format!("goto {}", random.below(12)),
        11 => "start".into(),
        12 => "end".into(),
        13 => format!("break {position} if {value}"),
        14 => format!("break if {value} log {register}"),
        15 => format!("watch {register}"),
        16 => format!("on {event} if {value}"),
        17 => format!("delete {}", 1 + random.below(3)),
        18 => format!("lane {}", random.below(example.last + 2)),
        19 => format!("print {value}"),
        20 => format!("lanes {value}"),
        21 => format!("why {register}"),
        22 => pick(
            random,
            &["why-here", "registers", "stacks", "list", "where", "waves", "breakpoints", "help"],
        )
        .into(),
        23 => format!("why-not {position}"),
        24 => format!("uses {register}"),
        _ => format!("list {number}"),
    }
}

/// The number of commands and requests that are made.
const MADE: usize = 12;

/// Scripts of commands, one in eight of which has a word too many.
pub(crate) fn scripts(_: &[Vec<u8>]) -> Inputs {
    Box::new(|random| {
        let first = random.below(EXAMPLES.len()) as u8;
        let mut script = vec![first];
        for _ in 0..1 + random.below(MADE) {
            let mut line = command(Example::of(first), random);
            if random.below(8) == 0 {
                line += " ";
                line += pick(random, HOSTILE);
            }
            script.extend(line.bytes().chain([b'\n']));
        }
        script
    })
}

/// A request that is valid in most states.
fn request(example: &Example, random: &mut Random) -> (&'static str, Value) {
    let lane = random.below(example.last + 1);
    let (thread, frame) = (json!({"threadId": lane + 1}), (lane + 1) << 8);
    let number = |random: &mut Random| random.bits() as i64 % 40;
    let source = json!({"name": "example", "sourceReference": 1});
    let points = |item: Value| json!({"source": source, "breakpoints": [item]});
    match random.below(22) {
        0 => ("continue", thread),
        1 => ("reverseContinue", thread),
        2 => ("next", thread),
        3 => ("stepIn", thread),
        4 => ("stepBack", thread),
        5 => ("stackTrace", thread),
        6 => ("scopes", json!({"frameId": frame})),
        7 => ("variables", json!({"variablesReference": random.below(40), "start": random.below(4)})),
        8 => {
            let text = command(example, random);
            ("evaluate", json!({"expression": text, "context": "repl", "frameId": frame}))
        }
        9 => ("evaluate", json!({"expression": expression(example, random), "context": "hover"})),
        10 => {
            let condition = expression(example, random);
            ("setBreakpoints", points(json!({"line": random.below(30), "condition": condition})))
        }
        11 => ("setFunctionBreakpoints", points(json!({"name": pick(random, &example.positions)}))),
        12 => (
            "setInstructionBreakpoints",
            points(json!({"instructionReference": "0x8", "offset": number(random)})),
        ),
        13 => ("setDataBreakpoints", points(json!({"dataId": pick(random, &example.registers)}))),
        14 => ("setExceptionBreakpoints", json!({"filters": ["nan", "divergence", "uninitialised"]})),
        15 => (
            "disassemble",
            json!({"memoryReference": "0x8", "instructionOffset": number(random), "instructionCount": 20}),
        ),
        16 => ("completions", json!({"text": "print fé😀 r", "column": random.below(16)})),
        17 => ("gotoTargets", json!({"source": source, "line": random.below(20)})),
        18 => ("goto", json!({"threadId": 1, "targetId": random.below(12)})),
        19 => (
            "readMemory",
            json!({"memoryReference": "global[0x100002000]", "offset": number(random), "count": 64}),
        ),
        20 => ("breakpointLocations", json!({"source": source, "line": 1, "endLine": random.below(40)})),
        _ => (pick(random, &["threads", "pause", "loadedSources", "exceptionInfo", "frobnicate"]), json!({})),
    }
}

/// A value in place of one that a request has.
fn hostile(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(1e300),
        4 => json!([[[]]]),
        5 => json!({"a": {"b": 1}}),
        6 => json!(true),
        _ => json!(pick(random, HOSTILE)),
    }
}

/// Conversations: one request in eight has another value, one conversation in eight other bytes, and some have no beginning.
pub(crate) fn conversations(_: &[Vec<u8>]) -> Inputs {
    Box::new(|random| {
        let first = random.below(EXAMPLES.len()) as u8;
        let begin = [
            ("initialize", json!({"adapterID": "shisa", "linesStartAt1": random.below(2) == 0})),
            ("launch", json!({"stopOnEntry": random.below(2) == 0})),
            ("configurationDone", json!({})),
        ];
        let mut requests: Vec<(&str, Value)> = begin.into_iter().skip(random.below(16) / 13).collect();
        requests.extend((0..1 + random.below(MADE)).map(|_| request(Example::of(first), random)));
        let mut bytes = vec![first];
        for (number, (command, mut arguments)) in (1..).zip(requests) {
            if let Value::Object(members) = &mut arguments
                && let Some(member) = members.values_mut().next()
                && random.below(8) == 0
            {
                *member = hostile(random);
            }
            let request =
                json!({"seq": number, "type": "request", "command": command, "arguments": arguments});
            write(&mut bytes, &request).expect("memory has no errors");
        }
        if random.below(8) == 0 {
            let at = 1 + random.below(bytes.len() - 1);
            bytes[at] = random.bits() as u8;
        }
        bytes
    })
}
