//! Translations on a graphics device as engines.

use crate::planted::{computes, other, spoil};
use crate::programs::families;
use shisa::data::engines::{Choice, Invocation, Open, Results};
use shisa::diag::{Diagnostic, Limits};
use shisa::ir::{At, Lifted, Value};
use shisa_lockstep::{Bounds, Engine, Native, Translated, Verdict, lockstep};
use shisa_translate::execute::Device;
use shisa_translate::{SpirvVersion, Target};

/// Programs of each family.
const PROGRAMS: usize = 4;

/// The device; without one, the reason is printed.
fn device() -> Option<Device> {
    let device = Device::open().and_then(|device| device.with_words(shisa_passthrough::module));
    device.inspect_err(|e| println!("skipped: {e}")).ok()
}

const TARGETS: [Target; 2] = [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)];

/// Each instruction of the programs of the corpus is translated to code that computes what the evaluator computes.
#[test]
fn translations_are_as_close_as_their_languages_demand() {
    let Some(device) = device() else { return };
    let translated = TARGETS.map(|target| Translated { device: &device, target });
    let reference = Native::default();
    let engines: [&dyn Engine; 3] = [&reference, &translated[0], &translated[1]];
    for family in families() {
        let (mut instructions, mut left, mut whole) = (0, 0, 0);
        for (name, session) in family.runs.take(PROGRAMS) {
            let all = lockstep(&session, &engines, true, &Limits::default()).expect(&name);
            for (compared, target) in all.into_iter().zip(TARGETS) {
                assert_eq!((&*compared.engine, compared.bounds), (target.name(), Bounds::Languages));
                match compared.verdict {
                    Verdict::Values { steps, unchecked, .. } => {
                        instructions += steps;
                        left += unchecked;
                        whole += 1;
                    }
                    Verdict::Refused(reason) => {
                        assert_eq!(reason.code, "lockstep-device-unsupported", "{name}: {reason:?}");
                    }
                    _ => panic!("{name}: {}", compared.text("evaluator", &session)),
                }
            }
        }
        println!(
            "{}: {instructions} instructions of {whole} runs are close, {left} not compared",
            family.name
        );
        assert!(instructions > 100, "{}: {instructions}", family.name);
    }
}

/// Faults in programs of a family, at most, and in all programs, at least.
const FAULTS: usize = 6;
const LEAST: usize = 10;
/// The instructions of a program that get faults.
const STEPS: usize = 8;

/// A translation with a fault.
struct Faulty<'d> {
    translated: Translated<'d>,
    /// The index of the instruction, and which of its operations is another one.
    fault: (usize, usize),
}

impl Engine for Faulty<'_> {
    fn name(&self) -> &str {
        "faulty"
    }

    fn run(&self, invocation: &dyn Invocation, limits: &Limits) -> Result<Results, Diagnostic> {
        self.translated.run(&Spoiled { invocation, fault: self.fault }, limits)
    }

    fn bounds(&self) -> Bounds {
        self.translated.bounds()
    }
}

struct Spoiled<'i> {
    invocation: &'i dyn Invocation,
    fault: (usize, usize),
}

impl Invocation for Spoiled<'_> {
    fn lifted(&self) -> &Lifted {
        self.invocation.lifted()
    }

    fn run(&self, lifted: &Lifted, choice: &Choice<'_>) -> Result<Results, Diagnostic> {
        self.invocation.run(lifted, choice)
    }

    fn open(&self, limits: &Limits) -> Result<Option<Open<'_>>, Diagnostic> {
        let mut open = self.invocation.open(limits)?;
        if let Some(open) = &mut open {
            spoil(&mut open.func.nodes.list, self.fault.0, self.fault.1);
        }
        Ok(open)
    }
}

/// A fault in a translation that changes an output is found at its instruction.
#[test]
fn faults_of_translations_are_found() {
    let Some(device) = device() else { return };
    let mut all = 0;
    for family in families().into_iter().take(2) {
        let mut found = 0;
        'runs: for (name, session) in family.runs {
            let lifted = session.recorded().program().lifted();
            for (instruction, step) in lifted.steps.iter().enumerate().take(STEPS) {
                let able = step.nodes.clone().any(|n| other(lifted.nodes.op(Value(n))).is_some());
                if !able || !computes(lifted, step) {
                    continue;
                }
                let target = TARGETS[found % TARGETS.len()];
                let faulty =
                    Faulty { translated: Translated { device: &device, target }, fault: (instruction, 0) };
                let engines: [&dyn Engine; 2] = [&Native::default(), &faulty];
                let compared = lockstep(&session, &engines, false, &Limits::default()).expect(&name);
                let Verdict::Differs(difference) = &compared[0].verdict else { continue };
                let text = compared[0].text("evaluator", &session);
                let located = difference.located.as_ref().unwrap_or_else(|| panic!("{name}: {text}"));
                assert_eq!(located.at, At::Step(step.pc), "{name}: {text}");
                found += 1;
                if found == FAULTS {
                    break 'runs;
                }
            }
        }
        println!("{}: {found} faults found", family.name);
        all += found;
    }
    assert!(all >= LEAST, "only {all} faults change an output");
}
