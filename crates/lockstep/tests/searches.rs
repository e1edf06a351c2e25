//! Searches and reductions with engines that have faults of special kinds.

use shisa::data::debug::{RECORDING_BYTES, Session, captured};
use shisa::data::engines::{Choice, Engine as Kind, Invocation, Results};
use shisa::diag::{Diagnostic, Limits};
use shisa::ir::{At, Binary, Lifted, Op, Value};
use shisa::{File, Isa, Settings};
use shisa_lockstep::{
    Compared, Difference, Engine, LAST_STEPS, Located, Native, PATH_STEPS, Verdict, WINDOW, What, lockstep,
};

/// An engine whose fault a function makes, in each program that the engine gets.
struct Changed<F>(F);

/// What becomes of a program.
enum Change {
    /// Its additions in the instruction of this number become subtractions.
    Add(usize),
    /// It is refused.
    Refused,
    /// It shows a fault of shisa.
    Fault,
    /// Nothing.
    None,
}

impl<F: Fn(&Lifted) -> Change> Engine for Changed<F> {
    fn name(&self) -> &str {
        "changed"
    }

    fn run(&self, invocation: &dyn Invocation, limits: &Limits) -> Result<Results, Diagnostic> {
        let mut lifted = invocation.lifted().clone();
        match (self.0)(&lifted) {
            Change::Refused => return Err(Diagnostic::error("exec-unsupported", "it is refused")),
            Change::Fault => return Err(Diagnostic::internal("internal-test", "it has a fault")),
            Change::None => {}
            Change::Add(instruction) => {
                for node in &mut lifted.nodes.list {
                    if let Op::Binary { op: op @ (Binary::FAdd | Binary::IAdd), .. } = &mut node.op
                        && node.origin as usize == instruction
                    {
                        *op = if *op == Binary::FAdd { Binary::FSub } else { Binary::ISub };
                    }
                }
            }
        }
        invocation.run(&lifted, &Choice::new(Kind::Evaluator, limits))
    }
}

/// Whether a program has the instruction of this number.
fn has(lifted: &Lifted, instruction: u32) -> bool {
    lifted
        .steps
        .iter()
        .any(|step| step.nodes.clone().any(|n| lifted.nodes.list[n as usize].origin == instruction))
}

/// Whether a program is a slice: its registers are not those of an instruction set.
fn is_slice(lifted: &Lifted) -> bool {
    lifted.files[0].name == "in"
}

/// The outputs of a slice.
fn outputs(lifted: &Lifted) -> usize {
    let nodes = (0..lifted.nodes.list.len() as u32).map(|n| lifted.nodes.op(Value(n)));
    nodes
        .filter(
            |op| matches!(op, Op::Write { reg, .. } if lifted.files[usize::from(reg.file.0)].name == "out"),
        )
        .count()
}

fn session(program: &str, input: &str, settings: &Settings) -> Session {
    let file = File::open(program.as_bytes(), settings).unwrap();
    let mut runs = captured(|trace| file.run_traced(input, trace)).unwrap();
    runs.remove(0).session(RECORDING_BYTES)
}

/// A program of this many additions, each of the result of the one before it.
fn additions(count: usize) -> Session {
    let lines = "add vt0, vt0, vc0\n".repeat(count);
    let program = format!("// agal 3 vertex\nmov vt0, va0\n{lines}mov op, vt0\n");
    let input = r#"{ "lanes": 2, "attributes": { "va0": { "format": "float1", "values": ["3f800000", "40000000"] } },
        "constants": { "vc0": "3f800000 3e800000 3f000000 40000000" } }"#;
    session(&program, input, &Settings::new())
}

fn compared(session: &Session, change: impl Fn(&Lifted) -> Change, values: bool) -> Compared {
    let changed = Changed(change);
    let mut all = lockstep(session, &[&Native::default(), &changed], values, &Limits::default()).unwrap();
    all.remove(0)
}

fn difference(session: &Session, change: impl Fn(&Lifted) -> Change) -> Difference {
    let compared = compared(session, change, false);
    match compared.verdict {
        Verdict::Differs(difference) => *difference,
        _ => panic!("{}", compared.text("evaluator", session)),
    }
}

fn located(session: &Session, change: impl Fn(&Lifted) -> Change) -> Located {
    difference(session, change).located.expect("an instruction")
}

/// The instructions of the reduced program.
fn reduced(located: &Located) -> Vec<At> {
    located.reduced.steps.iter().map(|(_, at)| *at).collect()
}

#[test]
fn instructions_at_the_ends_of_windows_are_found() {
    let session = additions(3 * WINDOW);
    for instruction in [1, WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW - 1, 2 * WINDOW, 3 * WINDOW] {
        let found = located(&session, |_| Change::Add(instruction));
        let at = At::Step(instruction as u32);
        assert_eq!((found.at, found.lane, &reduced(&found)[..]), (at, 0, &[at][..]));
        assert!(matches!(found.what, What::Register(_)));
        assert_eq!(found.reduced.of, instruction + 1);
    }
}

/// A fault that needs another instruction stays in the program.
#[test]
fn a_reduced_program_has_what_the_fault_needs() {
    let session = additions(60);
    let together = |lifted: &Lifted| match has(lifted, 13) && has(lifted, 30) && has(lifted, 44) {
        true => Change::Add(44),
        false => Change::None,
    };
    let found = located(&session, together);
    assert_eq!(reduced(&found), [13, 30, 44].map(At::Step));
    assert_eq!(found.reduced.of, 45);
}

/// Smaller programs that show a difference of another instruction are other differences.
#[test]
fn a_reduced_program_has_the_difference_that_was_found() {
    let session = additions(60);
    let found = located(&session, |lifted| Change::Add(if has(lifted, 5) { 44 } else { 13 }));
    assert_eq!(reduced(&found), [5, 44].map(At::Step));
}

/// A fault of shisa ends a comparison, wherever it shows.
#[test]
fn faults_of_shisa_are_no_refusals() {
    let session = additions(5);
    let fault = |in_slices: bool| {
        let changed = Changed(move |lifted: &Lifted| match is_slice(lifted) == in_slices {
            true => Change::Fault,
            false => Change::Add(3),
        });
        lockstep(&session, &[&Native::default(), &changed], false, &Limits::default()).unwrap_err().code
    };
    assert_eq!([fault(false), fault(true)], ["internal-test"; 2]);
}

/// An engine that joins instructions computes another value only where the values between them are no outputs.
#[test]
fn a_fault_that_outputs_hide_is_found() {
    let joined = |instruction: usize| {
        move |lifted: &Lifted| match is_slice(lifted) && outputs(lifted) > 4 {
            true => Change::None,
            false => Change::Add(instruction),
        }
    };
    let session = additions(LAST_STEPS);
    let found = located(&session, joined(70));
    assert_eq!(reduced(&found), [At::Step(70)]);
    assert_eq!(located(&session, joined(LAST_STEPS - 1)).at, At::Step(LAST_STEPS as u32 - 1));
    // The search ends before this instruction.
    let output = difference(&session, joined(LAST_STEPS));
    assert!(output.output.is_some() && output.located.is_none());
}

/// What no slice shows has an output and no instruction.
#[test]
fn a_fault_outside_of_slices_has_no_instruction() {
    let session = additions(20);
    let found = difference(&session, |lifted| if is_slice(lifted) { Change::None } else { Change::Add(7) });
    assert!(found.output.is_some() && found.located.is_none());
}

#[test]
fn slices_that_an_engine_refuses_are_divided() {
    let session = additions(40);
    let short = |change: Change| {
        move |lifted: &Lifted| match (is_slice(lifted) && lifted.steps.len() > 9, &change) {
            (true, _) => Change::Refused,
            (false, Change::Add(n)) => Change::Add(*n),
            (false, _) => Change::None,
        }
    };
    assert_eq!(located(&session, short(Change::Add(33))).at, At::Step(33));
    let all = compared(&session, short(Change::None), true);
    assert_eq!(all.verdict, Verdict::Values { lanes: 2, steps: 84, unchecked: 0 });
    let without = |lifted: &Lifted| match is_slice(lifted) && has(lifted, 21) {
        true => Change::Refused,
        false => Change::None,
    };
    let some = compared(&session, without, true);
    assert_eq!(some.verdict, Verdict::Values { lanes: 2, steps: 82, unchecked: 2 });
    let refused = compared(&session, |_| Change::Refused, false);
    assert!(matches!(refused.verdict, Verdict::Refused(_)));
    assert_eq!(refused.text("evaluator", &session), "changed does not run the program: it is refused");
}

/// The condition of a branch is a value, too.
#[test]
fn conditions_are_compared() {
    let program = "// agal 2 vertex\nmov vt0, va0\nifg vt0.x, vc0.x\nadd vt0, vt0, vc0\neif\nmov op, vt0\n";
    let input = r#"{ "lanes": 1, "attributes": { "va0": { "format": "float1", "values": ["3f800000"] } },
        "constants": { "vc0": "40000000 3e800000 3f000000 40000000" } }"#;
    let session = session(program, input, &Settings::new());
    struct Opposite;
    impl Engine for Opposite {
        fn name(&self) -> &str {
            "opposite"
        }

        fn run(&self, invocation: &dyn Invocation, limits: &Limits) -> Result<Results, Diagnostic> {
            let mut lifted = invocation.lifted().clone();
            for node in &mut lifted.nodes.list {
                if let Op::Binary { op: Binary::FLt | Binary::FLe, a, b, .. } = &mut node.op {
                    std::mem::swap(a, b);
                }
            }
            invocation.run(&lifted, &Choice::new(Kind::Evaluator, limits))
        }
    }
    let all = lockstep(&session, &[&Native::default(), &Opposite], false, &Limits::default()).unwrap();
    let Verdict::Differs(found) = &all[0].verdict else { panic!("{}", all[0].text("evaluator", &session)) };
    let found = found.located.as_ref().unwrap();
    assert_eq!((found.at, found.what, found.values), (At::Step(1), What::Condition, [0, 1]));
}

/// Instructions of a lane after the first [`PATH_STEPS`] are not compared, and counted.
#[test]
fn a_long_path_is_cut() {
    let settings = Settings::new().isa(Isa::Agx);
    let code = "ldimm r0l, 0\nldimm r1, 0\nstep:\nwhile r1, r5, 1, ult\njmp_none done\niadd r1, r1, 1\njmp_any step\n\
                done:\npop_exec 1\nst_var r1, 0, last\nstop\n";
    let program = format!("// agx\n.code \"count\"\n{code}{}", "trap\n".repeat(8));
    let count = PATH_STEPS / 4 + 10;
    let session = session(&program, &format!(r#"{{ "vertices": [{count}] }}"#), &settings);
    let all = compared(&session, |_| Change::None, true);
    let Verdict::Values { lanes: 1, steps, unchecked } = all.verdict else {
        panic!("{}", all.text("evaluator", &session))
    };
    assert_eq!(steps, PATH_STEPS);
    // In two steps the lane is masked off.
    assert_eq!((steps + unchecked) as u64, session.recorded().end() - 2);
}
