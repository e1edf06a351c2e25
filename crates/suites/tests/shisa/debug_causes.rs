//! Where values came from, judged by runs with other inputs: a value only changes if its tree names the input that changed.
//!
//! A run with another input counts if it takes the same path, with the same accesses; the trees of conditions are judged
//! in `debug.rs`.
use crate::debug::{Case, SHARE, agx, maxwell, one_of, pica200};
use serde_json::Value;
use shisa::data::debug::{
    Cause, Event, Extent, Origin, RECORDING_BYTES, Recorded, Session, Thing, View, Watcher, cause,
};
use shisa::diag::Diagnostic;
use shisa::ir::{At, FileKind, Lanes, Reg, Space};
use shisa_run::{from_base64, to_base64};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// An input of lane 0, or memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Given {
    Register(String),
    Word(u64),
}

/// An input that can be changed.
struct Change {
    given: Given,
    input: Value,
}

/// What a tree names: inputs by name, and ranges of memory.
#[derive(Default)]
struct Named {
    registers: BTreeSet<String>,
    memory: Vec<(u64, u64)>,
    /// Something that it does not follow, such as a texture or a computed register number.
    other: bool,
    count: usize,
}

impl Named {
    fn add(&mut self, cause: &Cause, session: &Session) {
        self.count += 1;
        // A tree at its limit is not complete.
        self.other |= self.count >= EXTENT.count;
        match (cause.thing, cause.origin) {
            (Thing::Register { reg, lane: 0, .. }, Origin::Start(FileKind::Input)) => {
                self.registers.insert(session.names().of(reg));
            }
            (Thing::Register { reg, .. }, Origin::Start(FileKind::Uniform)) => {
                self.registers.insert(session.names().of(reg));
            }
            (Thing::Memory { space: Space::Global, address, bytes, .. }, Origin::Memory) => {
                self.memory.push((address, address + bytes as u64));
            }
            (Thing::File(_) | Thing::Texture | Thing::Barrier, _) => self.other = true,
            _ => {}
        }
        cause.causes.iter().for_each(|cause| self.add(cause, session));
    }

    fn has(&self, given: &Given) -> bool {
        match given {
            Given::Register(name) => self.registers.contains(name),
            Given::Word(at) => self.memory.iter().any(|(start, end)| *start < at + 4 && *at < *end),
        }
    }
}

/// The position, the lanes, and the targets of a step.
#[derive(PartialEq)]
struct Taken {
    at: At,
    active: Lanes,
    writes: Vec<(Reg, Lanes)>,
    accesses: Vec<(usize, u64)>,
}

/// The path of a run.
#[derive(Default)]
struct Path {
    at: Option<At>,
    steps: Vec<Taken>,
}

impl Watcher for Path {
    fn needs_events(&self) -> bool {
        true
    }

    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        self.at = Some(view.at());
        Ok(ControlFlow::Continue(()))
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        self.steps.push(Taken {
            at: self.at.unwrap_or(At::Done),
            active: event.active,
            writes: event.writes.iter().map(|write| (write.reg, write.lanes)).collect(),
            accesses: event.accesses.iter().map(|access| (access.lane, access.address)).collect(),
        });
        Ok(ControlFlow::Continue(()))
    }
}

fn path(recorded: &dyn Recorded) -> Vec<Taken> {
    let mut path = Path::default();
    recorded.replay(0..recorded.end(), &mut path).unwrap();
    path.steps
}

/// The values of things at the end of a run.
fn values(recorded: &dyn Recorded, things: &[Thing]) -> Vec<Option<u32>> {
    let mut values = Vec::new();
    let look = recorded.view(recorded.end(), &mut |view| {
        values = things
            .iter()
            .map(|thing| match *thing {
                Thing::Register { lane, reg, .. } => view.register(reg).and_then(|plane| plane.get(lane)),
                Thing::Memory { space, address, .. } => {
                    let mut bytes = [0; 4];
                    view.load(space, 0, address, &mut bytes).is_ok().then(|| u32::from_le_bytes(bytes))
                }
                _ => None,
            })
            .collect();
        Ok(())
    });
    look.unwrap();
    values
}

/// Numbers of values, of pairs of a value and an input that its tree names, and of those in which the value changed.
#[derive(Debug, Default)]
struct Tally {
    values: usize,
    named: usize,
    mattered: usize,
}

/// The longest run: each level of a tree searches through it.
const STEPS: u64 = 300;
const EXTENT: Extent = Extent { depth: 300, count: 30_000 };

impl Tally {
    /// Judges the trees of things with runs in which one input each is changed.
    fn judge(&mut self, case: &Case, things: impl Fn(&Session) -> Vec<Thing>, changes: Vec<Change>) {
        let Some(session) = only_run(case) else { return };
        let recorded = session.recorded();
        let (things, taken) = (things(&session), path(recorded));
        let before = values(recorded, &things);
        let trees: Vec<Named> = things
            .iter()
            .map(|thing| {
                let mut named = Named::default();
                named.add(&cause(recorded, *thing, recorded.end(), EXTENT).unwrap(), &session);
                named
            })
            .collect();
        let mut runs = 0;
        for Change { given, input } in changes {
            let changed =
                Case { name: case.name.clone(), bytes: case.bytes.clone(), input: input.to_string() };
            let Some(session) = only_run(&changed) else { continue };
            if path(session.recorded()) != taken {
                continue;
            }
            runs += 1;
            let after = values(session.recorded(), &things);
            for (number, named) in trees.iter().enumerate() {
                let differs = before[number] != after[number];
                let has = named.has(&given) || named.other;
                assert!(
                    !differs || has,
                    "{}: {:?} changes with {given:?}, which its tree does not name",
                    case.name,
                    things[number]
                );
                self.named += usize::from(has);
                self.mattered += usize::from(differs);
            }
        }
        self.values += if runs > 0 { things.len() } else { 0 };
    }
}

/// The session of a case that has one run, which is short and does not fail.
fn only_run(case: &Case) -> Option<Session> {
    let mut sessions = case.sessions(RECORDING_BYTES);
    let session = sessions.pop().filter(|_| sessions.is_empty())?;
    let recorded = session.recorded();
    (recorded.end() <= STEPS && recorded.failure().is_none()).then_some(session)
}

/// At most so many elements, evenly distributed.
fn some<T>(list: Vec<T>, most: usize) -> Vec<T> {
    let every = list.len().div_ceil(most).max(1);
    list.into_iter().step_by(every).collect()
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap())
}

/// The buffers of an input: number, address and bytes.
fn buffers(input: &Value) -> Vec<(usize, u64, Vec<u8>)> {
    let list = input["buffers"].as_array().into_iter().flatten().enumerate();
    list.filter_map(|(index, buffer)| {
        let address = if buffer["addr"].is_null() { &buffer["address"] } else { &buffer["addr"] };
        Some((index, number(address), from_base64(buffer["data"].as_str()?)?))
    })
    .collect()
}

/// Words of buffers with other values.
fn changes_of_memory(input: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    for (index, address, bytes) in buffers(input) {
        let words = (0..bytes.len() / 4).filter(|at| bytes[4 * at..4 * at + 4] != [0; 4]).collect();
        for at in some(words, 5).into_iter().map(|word: usize| 4 * word) {
            let mut bytes = bytes.clone();
            let word = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            bytes[at..at + 4].copy_from_slice(&word.wrapping_add(0x0003_0001).to_le_bytes());
            let mut input = input.clone();
            input["buffers"][index]["data"] = to_base64(&bytes).into();
            changes.push(Change { given: Given::Word(address + at as u64), input });
        }
    }
    changes
}

/// Words of buffers that a run changed.
fn results_in_memory(input: &Value, session: &Session) -> Vec<Thing> {
    let word = |address| Thing::Memory { wave: (0, 0), lane: 0, space: Space::Global, address, bytes: 4 };
    let mut things = Vec::new();
    for (_, address, bytes) in buffers(input) {
        let words: Vec<Thing> = (0..bytes.len() as u64 / 4).map(|at| word(address + 4 * at)).collect();
        let after = values(session.recorded(), &words);
        let before = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
        let written = words.into_iter().zip(before.zip(after)).filter(|(_, (old, new))| Some(*old) != *new);
        things.extend(written.map(|(thing, _)| thing));
    }
    some(things, 4)
}

fn of_memory(cases: &[Case]) -> Tally {
    let mut tally = Tally::default();
    for case in cases {
        let input: Value = serde_json::from_str(&case.input).unwrap();
        tally.judge(case, |session| results_in_memory(&input, session), changes_of_memory(&input));
    }
    tally
}

/// Components of the inputs of the first vertex, and of uniforms, with other values.
fn changes_of_vertices(input: &Value) -> Vec<Change> {
    let set = &input["sets"][0];
    let mut changes = Vec::new();
    for (group, path) in [("in", "/sets/0/vertices/0/in"), ("c", "/sets/0/c")] {
        let registers = if group == "c" { &set["c"] } else { &set["vertices"][0]["in"] };
        for (name, words) in registers.as_object().into_iter().flatten() {
            let Some(words) = words.as_str() else { continue };
            let words: Vec<&str> = words.split(' ').collect();
            for (at, component) in (0..words.len()).zip(["x", "y", "z", "w"]) {
                let value = f32::from_bits(u32::from_str_radix(words[at], 16).unwrap()) * 1.5 + 0.25;
                let new = format!("{:08x}", value.to_bits());
                let mut words = words.clone();
                words[at] = &new;
                let mut input = input.clone();
                input.pointer_mut(path).unwrap()[name] = words.join(" ").into();
                changes.push(Change { given: Given::Register(format!("{name}.{component}")), input });
            }
        }
    }
    some(changes, 12)
}

/// The outputs of the first vertex.
fn outputs(session: &Session) -> Vec<Thing> {
    let recorded = session.recorded();
    // The state at the end has the registers of the last wave.
    if recorded.portions() != 1 {
        return Vec::new();
    }
    let units = recorded.program().units().iter();
    let outputs = units.filter(|reg| session.names().kind(**reg) == Some(FileKind::Output));
    let thing = |reg: &Reg| Thing::Register { wave: (0, 0), lane: 0, reg: *reg };
    some(outputs.map(thing).collect(), 6)
}

fn of_outputs(cases: Vec<Case>) -> Tally {
    let mut tally = Tally::default();
    for case in cases {
        let mut input: Value = serde_json::from_str(&case.input).unwrap();
        // One set with few vertices is one wave.
        let Some(sets) = input["sets"].as_array_mut() else { continue };
        sets.truncate(1);
        if let Some(vertices) = sets[0]["vertices"].as_array_mut() {
            vertices.truncate(4);
        }
        let case = Case { input: input.to_string(), ..case };
        tally.judge(&case, outputs, changes_of_vertices(&input));
    }
    tally
}

/// Judges one of so many cases of each family that has inputs to change.
fn judge_causes(share: usize) {
    let families = [
        of_memory(&one_of(share, maxwell())),
        of_memory(&one_of(share, agx())),
        of_outputs(one_of(share, pica200())),
    ];
    for tally in families {
        assert!(tally.values >= 300 / share && tally.mattered > 100 / share, "{tally:?}");
    }
}

#[test]
fn causes_name_what_changes_a_result() {
    judge_causes(2 * SHARE);
}

#[test]
#[ignore = "a campaign takes all programs"]
fn causes_in_all_programs_name_what_changes_a_result() {
    judge_causes(1);
}
