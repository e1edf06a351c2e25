//! Receivers of the steps of a run.

use crate::step::TraceStep;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};

/// Receives each step of a run when it is complete.
pub trait TraceSink {
    /// Whether it needs the steps. A run is faster without them.
    fn needs_steps(&self) -> bool {
        true
    }

    /// Receives the next step.
    fn step(&mut self, step: TraceStep);
}

/// No trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl TraceSink for NoTrace {
    fn needs_steps(&self) -> bool {
        false
    }

    fn step(&mut self, _: TraceStep) {}
}

/// The latest steps of a run; for PICA200 those of each set.
#[derive(Clone, Debug, Default)]
pub struct LatestSteps {
    limit: usize,
    sets: BTreeMap<Option<usize>, VecDeque<TraceStep>>,
}

impl LatestSteps {
    /// Room for this many steps; 0 for no trace.
    pub fn new(limit: usize) -> LatestSteps {
        LatestSteps { limit, sets: BTreeMap::new() }
    }

    /// Takes the steps of a set, or those of a run without sets.
    pub fn take(&mut self, set: Option<usize>) -> Vec<TraceStep> {
        self.sets.remove(&set).unwrap_or_default().into()
    }

    /// The result of the run as JSON, with the steps as `trace`: in each of its `sets`, or in the whole.
    pub fn filled<'a>(&'a self, json: &'a Value) -> impl Serialize + 'a {
        Whole { json, steps: self }
    }
}

impl TraceSink for LatestSteps {
    fn needs_steps(&self) -> bool {
        self.limit > 0
    }

    fn step(&mut self, step: TraceStep) {
        if self.limit == 0 {
            return;
        }
        let steps = self.sets.entry(step.set).or_default();
        if steps.len() >= self.limit {
            steps.pop_front();
        }
        steps.push_back(step);
    }
}

struct Whole<'a> {
    json: &'a Value,
    steps: &'a LatestSteps,
}

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Value::Object(object) = self.json else { return self.json.serialize(to) };
        if self.steps.limit == 0 {
            return object.serialize(to);
        }
        match object.get("sets").and_then(Value::as_array) {
            Some(sets) if !self.steps.sets.contains_key(&None) => {
                let mut map = to.serialize_map(None)?;
                for (key, value) in object {
                    match key.as_str() {
                        "sets" => map.serialize_entry(key, &Sets { sets, steps: self.steps })?,
                        _ => map.serialize_entry(key, value)?,
                    }
                }
                map.end()
            }
            _ => traced(object, self.steps.sets.get(&None), to),
        }
    }
}

struct Sets<'a> {
    sets: &'a [Value],
    steps: &'a LatestSteps,
}

impl Serialize for Sets<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let set = |(n, value)| One { value, steps: self.steps.sets.get(&Some(n)) };
        to.collect_seq(self.sets.iter().enumerate().map(set))
    }
}

struct One<'a> {
    value: &'a Value,
    steps: Option<&'a VecDeque<TraceStep>>,
}

impl Serialize for One<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Object(object) => traced(object, self.steps, to),
            other => other.serialize(to),
        }
    }
}

/// The entries of an object, then its trace.
fn traced<S: Serializer>(
    object: &Map<String, Value>,
    steps: Option<&VecDeque<TraceStep>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    for (key, value) in object.iter().filter(|(key, _)| *key != "trace") {
        map.serialize_entry(key, value)?;
    }
    let none = VecDeque::new();
    map.serialize_entry("trace", steps.unwrap_or(&none))?;
    map.end()
}
