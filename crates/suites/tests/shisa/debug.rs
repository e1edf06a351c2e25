//! The debugger: every program of the corpus that runs, in both directions.
use serde_json::{Value, json};
use shisa::data::debug::dap::{Adapter, Launcher};
use shisa::data::debug::{
    COMMANDS, Cause, Commands, Event, Extent, MOST_LOGGED, Origin, RECORDING_BYTES, Recorded, Reply, Session,
    Thing, Time, View, Watcher, captured, cause, conditions,
};
use shisa::data::{TraceSink, TraceStep};
use shisa::diag::Diagnostic;
use shisa::eval::Plane;
use shisa::ir::{At, FileKind, Lanes, Space, Stack};
use shisa::{File, RunOptions, Settings};
use shisa_conformance::Data;
use shisa_run::from_base64;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A program with an input.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) input: String,
}

impl Case {
    pub(crate) fn sessions(&self, most: usize) -> Vec<Session> {
        let file = File::open(&self.bytes, &Settings::new()).expect(&self.name);
        let runs = captured(|trace| file.run_traced(&self.input, trace));
        runs.expect(&self.name).into_iter().map(|run| run.session(most)).collect()
    }

    /// The steps of a run that nobody records.
    fn trace(&self) -> Vec<TraceStep> {
        let mut steps = All::default();
        let file = File::open(&self.bytes, &Settings::new()).expect(&self.name);
        // Some programs end with an error, after all of their steps.
        drop(file.run_traced(&self.input, &mut steps));
        steps.0
    }
}

#[derive(Default)]
struct All(Vec<TraceStep>);

impl TraceSink for All {
    fn step(&mut self, step: TraceStep) {
        self.0.push(step);
    }
}

pub(crate) fn agal() -> Vec<Case> {
    let data = Data::corpus("agal").unwrap();
    let case = |path: &String| {
        let input = data.text(path).unwrap();
        let json: Value = serde_json::from_str(&input).unwrap();
        let bytes = data.read(&format!("agal/{}", json["program"].as_str().unwrap())).unwrap();
        Case { name: path.clone(), bytes, input }
    };
    data.list("agal/run", ".json").unwrap().iter().map(case).collect()
}

pub(crate) fn pica200() -> Vec<Case> {
    let data = Data::corpus("pica200").unwrap();
    let case = |path: &String| {
        let input = data.text(path).unwrap();
        let json: Value = serde_json::from_str(&input).unwrap();
        let bytes = data.read(&format!("pica200/{}", json["program"].as_str().unwrap())).unwrap();
        Case { name: path.clone(), bytes, input }
    };
    data.list("pica200/run", ".json").unwrap().iter().map(case).collect()
}

pub(crate) fn maxwell() -> Vec<Case> {
    let data = Data::corpus("maxwell").unwrap();
    let kernels = data.values("maxwell/cuda/cases.jsonl").unwrap().into_iter().map(|case| Case {
        name: case["name"].as_str().unwrap().into(),
        bytes: case["cubin"].as_str().and_then(from_base64).unwrap(),
        input: case.to_string(),
    });
    let shaders = data.values("maxwell/glsl/shaders.jsonl").unwrap().into_iter().filter_map(|shader| {
        Some(Case {
            name: shader["name"].as_str().unwrap().into(),
            bytes: shader["dksh"].as_str().and_then(from_base64).unwrap(),
            input: shader.get("run")?.to_string(),
        })
    });
    kernels.chain(shaders).collect()
}

pub(crate) fn agx() -> Vec<Case> {
    let data = Data::corpus("agx").unwrap();
    let case = |case: Value| Case {
        name: case["name"].as_str().unwrap().into(),
        bytes: case["programs"][0].to_string().into_bytes(),
        input: case.to_string(),
    };
    data.values("agx/exec.jsonl").unwrap().into_iter().map(case).collect()
}

/// The share of the cases that the tests of a commit take. The campaign takes all of them.
pub(crate) const SHARE: usize = 12;

/// One of so many cases, evenly distributed.
pub(crate) fn one_of(share: usize, cases: Vec<Case>) -> Vec<Case> {
    cases.into_iter().step_by(share).collect()
}

/// Everything that a state has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    portion: usize,
    pub(crate) at: At,
    masks: [Lanes; 3],
    registers: Vec<Plane>,
    stacks: Vec<Stack>,
    memory: Vec<u8>,
}

/// The addresses of the buffers that an input states.
pub(crate) fn addresses(input: &str) -> Vec<u64> {
    let json: Value = serde_json::from_str(input).unwrap();
    let number = |value: &Value| match value {
        Value::String(text) => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        value => value.as_u64(),
    };
    let buffers = json["buffers"].as_array().into_iter().flatten();
    buffers.filter_map(|buffer| number(&buffer["address"])).take(4).collect()
}

pub(crate) fn state(recorded: &dyn Recorded, view: &mut dyn View, addresses: &[u64]) -> State {
    let units = recorded.program().units();
    let mut memory = Vec::new();
    for address in addresses {
        let mut bytes = [0; 4];
        for at in (0..64).step_by(4) {
            if view.load(Space::Global, 0, address + at, &mut bytes).is_ok() {
                memory.extend(bytes);
            }
        }
    }
    State {
        portion: view.portion(),
        at: view.at(),
        masks: [view.active(), view.lanes(), view.killed()],
        registers: units.iter().map(|reg| *view.register(*reg).unwrap()).collect(),
        stacks: view.stacks(),
        memory,
    }
}

/// The states and the steps of a run, in one pass.
pub(crate) struct Pass<'r> {
    recorded: &'r dyn Recorded,
    addresses: &'r [u64],
    pub(crate) states: Vec<State>,
    /// For each step the written units with the values of the active lanes.
    writes: Vec<(Lanes, Vec<Vec<u32>>)>,
}

impl Watcher for Pass<'_> {
    fn needs_events(&self) -> bool {
        true
    }

    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        self.states.push(state(self.recorded, view, self.addresses));
        Ok(ControlFlow::Continue(()))
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        let values = |plane: &Plane| {
            (0..32)
                .filter(|lane| event.active >> lane & 1 != 0)
                .map(|lane| plane.0[lane])
                .collect::<Vec<u32>>()
        };
        self.writes.push((event.active, event.writes.iter().map(|write| values(&write.new)).collect()));
        Ok(ControlFlow::Continue(()))
    }
}

/// The largest number of steps of a run of which all states are compared.
const STEPS: Time = 3000;

pub(crate) fn pass<'r>(recorded: &'r dyn Recorded, addresses: &'r [u64]) -> Pass<'r> {
    let mut pass = Pass { recorded, addresses, states: Vec::new(), writes: Vec::new() };
    recorded.replay(0..recorded.end(), &mut pass).unwrap();
    pass
}

/// Checks a program: each state from the start, each state alone from the end back to the start, and some in no order.
fn check(case: &Case) -> usize {
    let whole = check_within(case, RECORDING_BYTES);
    // Room for a few states only: the others are made again.
    assert_eq!(whole, check_within(case, 20_000), "{}", case.name);
    whole
}

fn check_within(case: &Case, most: usize) -> usize {
    let addresses = addresses(&case.input);
    let (mut steps, mut ran) = (Vec::new(), 0);
    for mut session in case.sessions(most) {
        let end = session.recorded().end();
        if end > STEPS {
            continue;
        }
        let Pass { states, writes, .. } = pass(session.recorded(), &addresses);
        assert_eq!((states.len(), writes.len()), (end as usize + 1, end as usize), "{}", case.name);
        let mut at = |time: Time| {
            session.go(time);
            let recorded = session.recorded();
            let mut seen = None;
            recorded
                .view(session.time(), &mut |view| {
                    seen = Some(state(recorded, view, &addresses));
                    Ok(())
                })
                .unwrap();
            seen.unwrap()
        };
        // All steps of short runs; of others those at distances that do not divide that of stored states.
        let every = (end / 41).max(1) as usize;
        for time in (0..=end).rev().step_by(every) {
            assert_eq!(at(time), states[time as usize], "{} at step {time}", case.name);
        }
        let mut random = 12345u64;
        for _ in 0..8 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let time = (random >> 33) % (end + 1);
            assert_eq!(at(time), states[time as usize], "{} at step {time}", case.name);
        }
        steps.extend(writes);
        ran += 1;
    }
    if ran > 0 {
        let trace = case.trace();
        assert_eq!(steps.len(), trace.len(), "{}", case.name);
        let mut compared = 0;
        for (number, ((_, writes), step)) in steps.iter().zip(&trace).enumerate() {
            let lanes: Vec<Vec<u32>> = step.writes.iter().map(|write| write.values.clone()).collect();
            // Traces lack hidden registers and helper lanes.
            if lanes.len() == writes.len() && lanes.iter().zip(writes).all(|(a, b)| a.len() == b.len()) {
                assert_eq!(&lanes, writes, "{} step {number}", case.name);
                compared += 1;
            }
        }
        assert!(2 * compared >= trace.len(), "{}: {compared} of {} steps", case.name, trace.len());
    }
    ran
}

/// The runs of one of so many cases of each family, all of whose states are compared.
fn runs(share: usize) -> [usize; 4] {
    [agal(), pica200(), maxwell(), agx()].map(|cases| one_of(share, cases).iter().map(check).sum())
}

#[test]
fn sessions_go_back_to_the_states_that_they_had() {
    assert_eq!(runs(SHARE), [18, 37, 23, 24]);
}

#[test]
#[ignore = "a campaign takes all programs"]
fn all_sessions_go_back_to_the_states_that_they_had() {
    assert_eq!(runs(1), [214, 420, 289, 281]);
}

/// The names of the inputs and uniforms in a tree.
fn inputs(cause: &Cause, session: &Session, found: &mut BTreeSet<String>) {
    assert!(!cause.cut || cause.causes.is_empty());
    match (cause.thing, cause.origin) {
        (Thing::Register { reg, .. }, Origin::Start(FileKind::Input | FileKind::Uniform)) => {
            found.insert(session.names().of(reg));
        }
        // The number of the register is computed, and not followed: it may be any.
        (Thing::File(file), _) => {
            let units = session.recorded().program().units().iter().filter(|reg| reg.file == file);
            found.extend(units.map(|reg| session.names().of(*reg)));
        }
        _ => {}
    }
    cause.causes.iter().for_each(|cause| inputs(cause, session, found));
}

/// The components of the inputs of lane 0 and of the constants, as paths in the JSON.
fn components(input: &Value) -> Vec<(String, [String; 2], usize)> {
    let mut list = Vec::new();
    for group in ["varyings", "attributes", "constants"] {
        for (name, value) in input[group].as_object().into_iter().flatten() {
            let text = value.as_str().or_else(|| value[0].as_str()).unwrap_or_default();
            for (at, component) in (0..text.split_whitespace().count()).zip(["x", "y", "z", "w"]) {
                list.push((format!("{name}.{component}"), [group.into(), name.clone()], at));
            }
        }
    }
    list
}

/// The input with another value of a component.
fn changed(input: &Value, [group, name]: &[String; 2], at: usize) -> Value {
    let mut input = input.clone();
    let value = &mut input[group][name];
    let text = if value.is_string() { value } else { &mut value[0] };
    let mut words: Vec<String> = text.as_str().unwrap().split(' ').map(String::from).collect();
    let bits = u32::from_str_radix(&words[at], 16).unwrap();
    let other = f32::from_bits(bits) * -1.5 + 0.25;
    words[at] = format!("{:08x}", other.to_bits());
    *text = words.join(" ").into();
    input
}

/// A value changes only if an input changes that the tree of its causes names, or the trees of the conditions before it.
#[test]
fn causes_name_every_input_that_matters() {
    let (mut values, mut named, mut mattered) = (0, 0, 0);
    for case in agal() {
        let input: Value = serde_json::from_str(&case.input).unwrap();
        if !input["grid"].is_null() {
            continue;
        }
        let file = File::open(&case.bytes, &Settings::new()).unwrap();
        let results = |input: &Value| {
            let filled = file.run_json(&input.to_string(), RunOptions::new()).unwrap();
            let outputs = filled["expected"].as_object().unwrap().iter();
            let lane = |(name, lanes): (&String, &Value)| (name.clone(), lanes[0].as_str().map(String::from));
            outputs.map(lane).collect::<BTreeMap<_, _>>()
        };
        let mut session = case.sessions(RECORDING_BYTES).remove(0);
        session.go(session.recorded().portion(0).unwrap().1.end - 1);
        let (recorded, time) = (session.recorded(), session.recorded().portion(0).unwrap().1.end);
        let extent = Extent { depth: 400, count: 100_000 };
        let mut conditional = BTreeSet::new();
        for condition in conditions(recorded, (0, 0), 0, time, extent).unwrap() {
            condition.causes.iter().for_each(|cause| inputs(cause, &session, &mut conditional));
        }
        let before = results(&input);
        let changes: Vec<_> = components(&input)
            .into_iter()
            .map(|(name, path, at)| (name, results(&changed(&input, &path, at))))
            .collect();
        for (output, words) in &before {
            // Listings and inputs have these names, registers the others.
            let register = match output.as_str() {
                "oc" => "fo0",
                "op" => "op0",
                other => other,
            };
            for (at, component) in (0..).zip(["x", "y", "z", "w"]) {
                let Some(named_units) = session.names().get(&format!("{register}.{component}")) else {
                    continue;
                };
                let thing = Thing::Register { wave: (0, 0), lane: 0, reg: named_units.units[0] };
                let mut causes = conditional.clone();
                inputs(&cause(recorded, thing, time, extent).unwrap(), &session, &mut causes);
                values += 1;
                let word = |words: &Option<String>| {
                    words.as_ref().and_then(|words| words.split(' ').nth(at).map(String::from))
                };
                for (name, after) in &changes {
                    // A lane that is killed has no outputs.
                    let both = word(words).zip(word(&after[output]));
                    let matters = both.is_some_and(|(before, after)| {
                        before.len() == 8 && after.len() == 8 && before != after
                    });
                    assert!(
                        !matters || causes.contains(name),
                        "{}: {output}.{component} depends on {name}: {causes:?}",
                        case.name
                    );
                    named += usize::from(causes.contains(name));
                    mattered += usize::from(matters);
                }
            }
        }
    }
    // A third of the inputs that are named matter for the one change that is tried, so trees do not name all there is:
    // others are lost in a minimum, a comparison or a product with zero.
    assert!(values >= 1400 && mattered * 4 >= named, "{values} values, {named} named, {mattered} mattered");
}

/// A launcher of the examples.
struct Examples;

impl Launcher for Examples {
    fn launch(&mut self, arguments: &Value) -> Result<Commands, Diagnostic> {
        let read = |key: &str| {
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
            std::fs::read(root.join(arguments[key].as_str().unwrap())).unwrap()
        };
        let input = String::from_utf8(read("input")).unwrap();
        let name = arguments["program"].as_str().unwrap().to_owned();
        let session = Case { name, bytes: read("program"), input }.sessions(RECORDING_BYTES).remove(0);
        Ok(Commands::new(session))
    }
}

/// A conversation with an adapter.
struct Client(Adapter<Examples>);

impl Client {
    /// Sends a request, and returns the body of the answer and the events after it.
    fn ask(&mut self, command: &str, arguments: Value) -> (Value, Vec<Value>) {
        let request = json!({"seq": 1, "type": "request", "command": command, "arguments": arguments});
        let mut all = self.0.handle(&request);
        all.extend(self.0.proceed());
        let answer = all.remove(0);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        (answer["body"].clone(), all)
    }

    fn launched(program: &str, input: &str) -> Client {
        let mut client = Client(Adapter::new(Examples));
        client.ask("initialize", json!({"linesStartAt1": true}));
        client.ask("launch", json!({"program": program, "input": input, "stopOnEntry": true}));
        let (_, events) = client.ask("configurationDone", Value::Null);
        assert_eq!((&events[0]["event"], &events[0]["body"]["reason"]), (&json!("stopped"), &json!("entry")));
        client
    }

    fn at(&mut self) -> String {
        let (trace, _) = self.ask("stackTrace", json!({"threadId": 1}));
        trace["stackFrames"][0]["instructionPointerReference"].as_str().unwrap_or("end").to_owned()
    }
}

#[test]
fn editors_step_in_both_directions() {
    let mut client = Client::launched("saxpy.maxwell", "saxpy.json");
    assert_eq!(client.at(), "0x8");
    let (threads, _) = client.ask("threads", Value::Null);
    assert_eq!(
        (threads["threads"].as_array().unwrap().len(), &threads["threads"][31]["name"]),
        (32, &json!("lane 31"))
    );
    let (source, _) = client.ask("source", json!({"sourceReference": 1}));
    let lines: Vec<&str> = source["content"].as_str().unwrap().lines().collect();
    let store = lines.iter().position(|line| line.contains("STG.E")).unwrap();
    let (set, _) = client.ask(
        "setBreakpoints",
        json!({"source": {"sourceReference": 1}, "breakpoints": [{"line": store + 1, "condition": "lane == 2"}, {"line": 9999}]}),
    );
    assert_eq!(
        (&set["breakpoints"][0]["verified"], &set["breakpoints"][1]["verified"]),
        (&json!(true), &json!(false))
    );
    let (_, events) = client.ask("continue", json!({"threadId": 3}));
    assert_eq!(
        (&events[0]["body"]["reason"], &events[0]["body"]["threadId"]),
        (&json!("breakpoint"), &json!(3))
    );
    assert_eq!(client.at(), "0x98");
    let (value, _) = client.ask("evaluate", json!({"expression": "float(R0)", "frameId": 3 << 8}));
    assert_eq!(value["result"], "26.0");
    let (scopes, _) = client.ask("scopes", json!({"frameId": 3 << 8}));
    assert_eq!(scopes["scopes"][0]["name"], "Registers");
    let registers = &scopes["scopes"][0]["variablesReference"];
    let (variables, _) = client.ask("variables", json!({"variablesReference": registers}));
    let named = |name: &str| {
        let list = variables["variables"].as_array().unwrap();
        list.iter().find(|v| v["name"] == name).map(|v| v["value"].clone())
    };
    assert_eq!(named("R0"), Some(json!("0x41d00000")));
    client.ask("stepBack", json!({"threadId": 3}));
    assert_eq!(client.at(), "0x90");
    client.ask("stepIn", json!({"threadId": 3}));
    client.ask("next", json!({"threadId": 3}));
    assert_eq!(client.at(), "0xa8");
    let (memory, _) =
        client.ask("readMemory", json!({"memoryReference": "global[0x100002000]", "count": 4096}));
    assert_eq!((memory["data"].as_str().unwrap().len(), &memory["unreadableBytes"]), (32, &json!(4072)));
    let (info, _) = client.ask("dataBreakpointInfo", json!({"name": "R4"}));
    assert_eq!(info["dataId"], "R4");
    client.ask("setDataBreakpoints", json!({"breakpoints": [{"dataId": "R4", "accessType": "write"}]}));
    let (_, events) = client.ask("reverseContinue", json!({"threadId": 3}));
    assert_eq!(events[0]["body"]["reason"], "breakpoint");
    assert_eq!(client.at(), "0x98");
    let (_, events) = client.ask("reverseContinue", json!({"threadId": 3}));
    assert_eq!(events[0]["body"]["reason"], "data breakpoint");
    assert_eq!(client.at(), "0x68");
    let (code, _) = client.ask(
        "disassemble",
        json!({"memoryReference": "0x68", "instructionOffset": -1, "instructionCount": 3}),
    );
    assert_eq!(code["instructions"][1]["instruction"], "IADD R4.CC, R4, c[0x0][0x150]");
    let (targets, _) = client.ask("completions", json!({"text": "print R1", "column": 9}));
    assert_eq!(targets["targets"][0]["label"], "R1");
    let (shown, events) = client.ask("evaluate", json!({"expression": "goto 0", "context": "repl"}));
    assert!(shown["result"].as_str().unwrap().contains("S2R") && events[0]["body"]["reason"] == "goto");
    client.ask("setBreakpoints", json!({"source": {"sourceReference": 1}, "breakpoints": []}));
    client.ask("setDataBreakpoints", json!({"breakpoints": []}));
    client.ask("setExceptionBreakpoints", json!({"filters": ["divergence"]}));
    let (_, events) = client.ask("continue", json!({"threadId": 3}));
    assert_eq!(events[0]["body"]["description"], "lanes of the wave take different paths");
    let (_, events) = client.ask("continue", json!({"threadId": 3}));
    assert_eq!(events[0]["body"]["description"], "the end of the run");
}

#[test]
fn editors_debug_every_family() {
    for (program, input, expression) in [
        ("fog.frag.agal", "fog.json", "v1.x"),
        ("flat.v.pica", "flat.json", "projection[1].y"),
        ("collatz.agx", "collatz.json", "r2"),
        ("saxpy.maxwell", "saxpy.json", "SR33"),
    ] {
        let mut client = Client::launched(program, input);
        client.ask("stepIn", json!({"threadId": 1}));
        for scope in 1..=5 {
            client.ask("variables", json!({"variablesReference": scope}));
        }
        client.ask("evaluate", json!({"expression": expression, "context": "hover"}));
        let (_, events) = client.ask("continue", json!({"threadId": 1}));
        assert_eq!(events[0]["event"], "stopped", "{program}");
        client.ask("reverseContinue", json!({"threadId": 1}));
        client.ask("terminate", json!({}));
    }
}

/// Commands of words in any order: an answer or an error with a code, and the position stays in the run.
#[test]
fn hostile_commands_are_refused() {
    let words = [
        "0",
        "1",
        "3",
        "0x8",
        "0x98",
        "99999999999999999999",
        "-1",
        "if",
        "log",
        "R0",
        "r0",
        "ft0.xyzw",
        "P0",
        "r2",
        "global[0]",
        "global[0x100002000]",
        "shared[0xffffffffffffffff]",
        "bank0[4",
        "lane",
        "all",
        "nan",
        "emit",
        "==",
        "<",
        ">>",
        "/",
        "(",
        ")",
        "float(",
        "color(R0)",
        "projection[",
        "1e999",
        "\u{0}",
        "\u{fffd}é",
        "c[lane * 1000000]",
        "%",
        "\u{2028}",
    ];
    let mut random = 99u64;
    let mut next = |count: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % count
    };
    let names: Vec<&str> =
        COMMANDS.iter().map(|command| command.name).filter(|name| *name != "quit").collect();
    let (mut fine, mut refused) = (0, 0);
    for (program, input) in [
        ("fog.frag.agal", "fog.json"),
        ("flat.v.pica", "flat.json"),
        ("collatz.agx", "collatz.json"),
        ("saxpy.maxwell", "saxpy.json"),
    ] {
        let mut commands = Examples.launch(&json!({"program": program, "input": input})).unwrap();
        for _ in 0..1500 {
            let mut line = names[next(names.len())].to_owned();
            for _ in 0..next(5) {
                line += " ";
                line += words[next(words.len())];
            }
            match commands.run(&line) {
                Ok(_) => fine += 1,
                Err(d) => {
                    assert!(!d.code.starts_with("internal-"), "{line}: {d}");
                    refused += 1;
                }
            }
            let end = commands.session().recorded().end();
            assert!(commands.session().time() <= end, "{line}");
            // Every condition of a breakpoint costs an evaluation at each step.
            let numbers: Vec<usize> = commands.session().breakpoints().iter().map(|b| b.number).collect();
            if numbers.len() > 4 {
                numbers.into_iter().for_each(|number| assert!(commands.session_mut().remove(number)));
            }
        }
    }
    assert!(fine > 500 && refused > 2000, "{fine} {refused}");
}

/// Limits of sessions, each at its edge.
#[test]
fn sessions_have_limits() {
    let mut commands = Examples.launch(&json!({"program": "collatz.agx", "input": "collatz.json"})).unwrap();
    let refused = |commands: &mut Commands, line: &str, want: &str| {
        let d = commands.run(line).unwrap_err();
        assert!(d.message.contains(want), "{d}");
    };
    let long = |bytes: usize| format!("print 1{}+1", " ".repeat(bytes - 3));
    commands.run(&long(1024)).unwrap();
    refused(&mut commands, &long(1025), "the longest has 1024");
    commands.run("step 65536").unwrap();
    refused(&mut commands, "step 65537", "65537 steps are more than 65536");
    commands.run("start").unwrap();
    for _ in 0..256 {
        commands.run("break 0 if r2 == 99999").unwrap();
    }
    refused(&mut commands, "break 0", "there are 256 breakpoints");
    (1..=256).for_each(|number| assert!(commands.session_mut().remove(number)));
    let most = MOST_LOGGED;
    for _ in 0..64 {
        commands.run("break if 1 log r2").unwrap();
    }
    commands.run("start").unwrap();
    let Ok(Reply::Answer(answer)) = commands.run("continue") else { panic!("no answer") };
    let logged = answer.data["logged"].as_array().unwrap();
    assert_eq!(logged.len(), most + 1);
    assert!(logged[most]["text"].as_str().unwrap().contains("a move logs at most 4096 lines"));
}

/// A request sets a number of breakpoints, at its edge.
#[test]
fn requests_have_limits() {
    let mut client = Client::launched("fog.frag.agal", "fog.json");
    let points = |count: usize| {
        let points: Vec<Value> = (0..count).map(|_| json!({"name": "nowhere"})).collect();
        json!({"breakpoints": points})
    };
    let (set, _) = client.ask("setFunctionBreakpoints", points(4096));
    assert_eq!(set["breakpoints"].as_array().unwrap().len(), 4096);
    let request =
        json!({"seq": 1, "type": "request", "command": "setFunctionBreakpoints", "arguments": points(4097)});
    assert_eq!(client.0.handle(&request)[0]["message"], "4097 breakpoints are more than 4096 of one kind");
    let request = json!({
        "seq": 1, "type": "request", "command": "disassemble",
        "arguments": {"memoryReference": "0x0", "instructionCount": 4097},
    });
    assert_eq!(client.0.handle(&request)[0]["success"], false);
    let (code, _) = client.ask("disassemble", json!({"memoryReference": "0x0", "instructionCount": 4096}));
    assert_eq!(code["instructions"].as_array().unwrap().len(), 4096);
}
