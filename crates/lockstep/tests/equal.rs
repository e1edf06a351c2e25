//! The engines of shisa on programs of the corpus: every value is equal.

use crate::programs::families;
use shisa::data::engines::Engine as Kind;
use shisa::diag::Limits;
use shisa_lockstep::{Engine, Native, Verdict, lockstep};

/// The batch engine and machine code compute every value of every instruction as the evaluator does, except in programs and
/// instructions that they refuse.
#[test]
fn every_value_is_equal() {
    let limits = Limits::default();
    let natives = Kind::ALL.map(|kind| Native { kind, ..Native::default() });
    let engines: Vec<&dyn Engine> = natives.iter().map(|native| native as _).collect();
    for family in families() {
        let (mut instructions, mut left, mut refused) = (0, 0, 0);
        for (name, session) in family.runs {
            for compared in lockstep(&session, &engines, true, &limits).expect(&name) {
                match compared.verdict {
                    Verdict::Values { steps, unchecked, .. } => {
                        instructions += steps;
                        left += unchecked;
                    }
                    Verdict::Refused(_) => refused += 1,
                    _ => panic!("{name}: {}", compared.text("evaluator", &session)),
                }
            }
        }
        println!(
            "{}: {instructions} instructions equal, {left} not compared; {refused} runs refused",
            family.name
        );
        assert!(instructions > 1000 && left * 10 < instructions, "{}: {left}", family.name);
    }
}
