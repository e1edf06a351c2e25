//! Receivers of the steps of a run.

use crate::step::TraceStep;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};
use shisa_diag::Diagnostic;
use std::any::Any;
use std::collections::{BTreeMap, VecDeque};

/// Receives each step of a run when it is complete.
pub trait TraceSink {
    /// Whether it needs the steps. A run is faster without them.
    fn needs_steps(&self) -> bool {
        true
    }

    /// Receives the next step.
    fn step(&mut self, step: TraceStep);

    /// Receives a note about the run, such as why an engine does not take the program.
    fn note(&mut self, _note: Diagnostic) {}

    /// Whether it takes runs, as a debugger does that repeats them.
    fn takes_runs(&self) -> bool {
        false
    }

    /// Receives a run before it begins, in the debugger's representation, with its stage in a draw call.
    fn run(&mut self, _stage: Option<&'static str>, _run: Box<dyn Any>) {}
}

/// Writes the number of executed instructions to the result of a run, unless it is 0: not every engine counts them.
pub fn set_executed(result: &mut Map<String, Value>, executed: u64) {
    match executed {
        0 => result.remove("executed"),
        count => result.insert("executed".into(), count.into()),
    };
}

/// A receiver of the steps of a program of a draw call, which names its stage.
pub struct StageSteps<'t> {
    sink: &'t mut dyn TraceSink,
    stage: &'static str,
}

impl<'t> StageSteps<'t> {
    /// Passes steps of the stage on to `sink`.
    pub fn new(stage: &'static str, sink: &'t mut dyn TraceSink) -> StageSteps<'t> {
        StageSteps { sink, stage }
    }
}

impl TraceSink for StageSteps<'_> {
    fn needs_steps(&self) -> bool {
        self.sink.needs_steps()
    }

    fn step(&mut self, step: TraceStep) {
        self.sink.step(TraceStep { stage: Some(self.stage), ..step });
    }

    fn note(&mut self, note: Diagnostic) {
        self.sink.note(note);
    }

    fn takes_runs(&self) -> bool {
        self.sink.takes_runs()
    }

    fn run(&mut self, _: Option<&'static str>, run: Box<dyn Any>) {
        self.sink.run(Some(self.stage), run);
    }
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

    /// Runs something with room for this many steps, and returns its result with the steps as `trace`.
    ///
    /// # Errors
    /// Those of `run`; `run-input` if the values of the result cannot be written.
    pub fn around<E: From<Diagnostic>>(
        limit: usize,
        run: impl FnOnce(&mut dyn TraceSink) -> Result<Value, E>,
    ) -> Result<Value, E> {
        let mut steps = LatestSteps::new(limit);
        let result = run(&mut steps)?;
        Ok(steps.fill(result)?)
    }

    /// The result of the run as JSON, with the steps as `trace`: in each of its `sets`, or in the whole.
    pub fn filled<'a>(&'a self, json: &'a Value) -> impl Serialize + 'a {
        Whole { json, steps: self }
    }

    /// As [`LatestSteps::filled`], as JSON.
    ///
    /// # Errors
    /// `run-input` if the values of the result cannot be written.
    pub fn fill(&self, json: Value) -> Result<Value, Diagnostic> {
        if self.limit == 0 {
            return Ok(json);
        }
        serde_json::to_value(self.filled(&json)).map_err(|e| Diagnostic::error("run-input", e.to_string()))
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

#[cfg(test)]
mod tests {
    use super::{LatestSteps, NoTrace, StageSteps, TraceSink};
    use crate::step::TraceStep;
    use serde_json::{Value, json};
    use shisa_diag::Diagnostic;
    use std::any::Any;

    fn step(instruction: usize, set: Option<usize>) -> TraceStep {
        TraceStep { instruction, set, ..TraceStep::default() }
    }

    fn of(limit: usize, steps: &[TraceStep]) -> LatestSteps {
        let mut latest = LatestSteps::new(limit);
        steps.iter().for_each(|s| latest.step(s.clone()));
        latest
    }

    /// A receiver that states nothing else.
    struct Plain(usize);

    impl TraceSink for Plain {
        fn step(&mut self, _: TraceStep) {
            self.0 += 1;
        }
    }

    #[test]
    fn receivers_state_whether_they_need_steps() {
        assert!(Plain(0).needs_steps());
        assert!(!NoTrace.needs_steps());
        assert!(LatestSteps::new(1).needs_steps() && !LatestSteps::new(0).needs_steps());
        assert!(!Plain(0).takes_runs());
    }

    /// A receiver of runs and notes.
    #[derive(Default)]
    struct Runs {
        stages: Vec<Option<&'static str>>,
        notes: Vec<&'static str>,
    }

    impl TraceSink for Runs {
        fn step(&mut self, _: TraceStep) {}

        fn note(&mut self, note: Diagnostic) {
            self.notes.push(note.code);
        }

        fn takes_runs(&self) -> bool {
            true
        }

        fn run(&mut self, stage: Option<&'static str>, _: Box<dyn Any>) {
            self.stages.push(stage);
        }
    }

    #[test]
    fn runs_of_a_draw_call_name_their_stage() {
        let mut runs = Runs::default();
        let mut stage = StageSteps::new("geometry", &mut runs);
        assert!(stage.takes_runs());
        stage.run(None, Box::new(1));
        stage.note(Diagnostic::warning("slow", "the evaluator runs it"));
        assert_eq!((runs.stages, runs.notes), (vec![Some("geometry")], vec!["slow"]));
        assert!(!StageSteps::new("vertex", &mut NoTrace).takes_runs());
    }

    #[test]
    fn steps_of_a_draw_call_name_their_stage() {
        let mut latest = LatestSteps::new(9);
        latest.step(step(1, None));
        let mut stage = StageSteps::new("geometry", &mut latest);
        assert!(stage.needs_steps());
        stage.step(step(2, None));
        let stages: Vec<_> = latest.take(None).iter().map(|s| (s.instruction, s.stage)).collect();
        assert_eq!(stages, [(1, None), (2, Some("geometry"))]);
        assert!(!StageSteps::new("vertex", &mut NoTrace).needs_steps());
    }

    #[test]
    fn the_latest_steps_stay() {
        let all: Vec<TraceStep> = (0..4).map(|n| step(n, None)).collect();
        let numbers = |limit| {
            let mut latest = of(limit, &all);
            latest.take(None).iter().map(|s| s.instruction).collect::<Vec<_>>()
        };
        assert_eq!(numbers(0), Vec::<usize>::new());
        assert_eq!(numbers(1), [3]);
        assert_eq!(numbers(3), [1, 2, 3]);
        assert_eq!(numbers(9), [0, 1, 2, 3]);
        let mut sets = of(9, &[step(5, Some(1)), step(6, Some(0)), step(7, Some(1))]);
        let taken = sets.take(Some(1));
        assert_eq!(taken.iter().map(|s| s.instruction).collect::<Vec<_>>(), [5, 7]);
        assert_eq!((sets.take(Some(1)), sets.take(None)), (Vec::new(), Vec::new()));
    }

    fn filled(latest: &LatestSteps, json: &Value) -> Value {
        serde_json::to_value(latest.filled(json)).unwrap()
    }

    /// The instructions of the steps of a `trace`.
    fn trace(json: &Value) -> Vec<u64> {
        let steps = json["trace"].as_array().expect("a trace");
        steps.iter().map(|s| s["instruction"].as_u64().unwrap()).collect()
    }

    #[test]
    fn traces_are_where_their_runs_are() {
        let json = json!({"a": 1, "trace": "old", "sets": [{"b": 2}, {"b": 3}, 4]});
        let without = filled(&LatestSteps::new(0), &json);
        assert_eq!(without, json);
        let whole = filled(&of(5, &[step(1, None), step(2, None)]), &json);
        assert_eq!((trace(&whole), &whole["sets"]), (vec![1, 2], &json["sets"]));
        let of_sets = filled(&of(5, &[step(8, Some(1))]), &json);
        assert_eq!((&of_sets["a"], &of_sets["trace"]), (&json!(1), &json!("old")));
        assert_eq!((trace(&of_sets["sets"][0]), trace(&of_sets["sets"][1])), (vec![], vec![8]));
        assert_eq!((&of_sets["sets"][1]["b"], &of_sets["sets"][2]), (&json!(3), &json!(4)));
        assert_eq!(filled(&of(5, &[]), &json!([1])), json!([1]));
        assert_eq!(trace(&filled(&of(5, &[step(3, None)]), &json!({}))), [3]);
    }

    #[test]
    fn the_trace_is_filled_into_the_result() {
        let result = json!({ "a": 1 });
        assert_eq!(of(0, &[]).fill(result.clone()).unwrap(), result);
        let filled = of(2, &[step(5, None)]).fill(result.clone()).unwrap();
        assert_eq!((&filled["a"], &filled["trace"][0]["instruction"]), (&json!(1), &json!(5)));
        let run = |steps: &mut dyn TraceSink| {
            steps.step(step(5, None));
            Ok::<_, Diagnostic>(result)
        };
        assert_eq!(LatestSteps::around(2, run).unwrap(), filled);
    }

    #[test]
    fn a_count_of_instructions_is_written_unless_it_is_0() {
        let Value::Object(mut result) = json!({ "executed": 3 }) else { unreachable!("it is an object") };
        super::set_executed(&mut result, 7);
        assert_eq!(result["executed"], 7);
        super::set_executed(&mut result, 0);
        assert!(result.is_empty());
    }
}
