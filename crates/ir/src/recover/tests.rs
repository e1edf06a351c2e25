//! Recovery of guarded instructions: a lane does what the guard lets it do, and nothing where the guard does not hold.

use super::{MOST_COPIES, recover};
use crate::testing::{FILES, Machine, Outcome};
use crate::{At, Control, Lanes, Sequencer, parse_lifted, verify};
use alloc::{format, string::String, vec};
use core::cell::Cell;
use shisa_diag::{Diagnostic, Limits};

/// Instructions run one after the other, up to the program counter of the end.
struct Straight(u32);

impl Sequencer for Straight {
    type State = u32;

    fn start(&self, entry: u32, _: Lanes) -> u32 {
        entry
    }

    fn at(&self, pc: &u32) -> At {
        if *pc < self.0 { At::Step(*pc) } else { At::Done }
    }

    fn active(&self, _: &u32) -> Lanes {
        1
    }

    fn step(&self, pc: &mut u32, _: &Control, next: u32, _: Lanes) -> Result<(), Diagnostic> {
        *pc = next;
        Ok(())
    }
}

/// What a program shows whose second instruction has these operations, `%6` and following. `%5` states whether the
/// input is not zero.
fn shown(guard: &str, operations: &[&str], input: u64) -> Outcome {
    let lines: String = operations.iter().map(|line| format!("  {line}\n")).collect();
    let n = 6 + operations.len();
    let text = format!(
        "step 0x0 next 0x1:
  %0: f32x4 = const 0x3f800000
  %1 = write o:0 xyzw %0
  %2 = write t:0 xyzw %0
  next
step 0x1 next 0x2{guard}:
  %3: i32 = read i:0 xxxx
  %4: i32 = const 0
  %5: i1 = ine %3 %4
{lines}  next
step 0x2 next 0x3:
  %{n}: f32x4 = read t:0 xyzw
  %{} = write o:4 xyzw %{n}
  next
",
        n + 1
    );
    let lifted = parse_lifted(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{text}{d:?}"));
    let func = recover(lifted, &Straight(3), 0, &Limits::default()).unwrap();
    verify(&func).unwrap_or_else(|d| panic!("{text}{d:?}"));
    Machine::new(&func, 1, 100).with_file(4, vec![input; 16]).run()
}

#[test]
fn guards_decide_about_every_effect() {
    let effects: [&[&str]; 11] = [
        &["%6 = write o:0 x %3"],
        &["%6 = write t:0 z %3"],
        &["%6: i32x2 = swizzle %3 xxxx", "%7 = write t:0 yw %6"],
        &["%6 = write o:0 y %3", "%7 = write o:0 y %4"],
        &["%6: i32 = load shared %3", "%7 = write o:0 x %6"],
        &["%6 = store shared %4 %3"],
        &["%6: i32 = exchange shared %4 %3"],
        &["%6 = kill %5"],
        &["%6 = set_emit 1"],
        &["%6 = emit"],
        &["%6 = barrier"],
    ];
    for operations in effects {
        // A guard that holds is none, and one that does not hold leaves nothing of the instruction.
        let (with, without) = (shown("", operations, 3), shown("", &[], 3));
        assert_ne!(with, without, "{operations:?}");
        assert_eq!(shown(" guard %5", operations, 3), with, "{operations:?}");
        assert_eq!(shown(" guard %5", operations, 0), shown("", &[], 0), "{operations:?}");
    }
}

/// Runs the first of two instructions forever, and counts the iterations as its state.
struct Counting<'c>(&'c Cell<usize>);

impl Sequencer for Counting<'_> {
    type State = u32;

    fn start(&self, _: u32, _: Lanes) -> u32 {
        0
    }

    fn at(&self, iteration: &u32) -> At {
        At::Step(iteration % 2)
    }

    fn active(&self, _: &u32) -> Lanes {
        1
    }

    fn step(&self, iteration: &mut u32, _: &Control, _: u32, _: Lanes) -> Result<(), Diagnostic> {
        self.0.set(self.0.get() + 1);
        *iteration += 1;
        Ok(())
    }
}

/// States that no limit of instructions holds in memory if one instruction has hundreds of operations.
#[test]
fn a_walk_is_bounded_by_the_operations_that_it_copies() {
    let operations: String = (0..1000).map(|v| format!("  %{v}: i32 = const {v}\n")).collect();
    let text = format!("step 0x0 next 0x1:\n{operations}  next\nstep 0x1 next 0x0:\n  next\n");
    let walked = Cell::new(0);
    let lifted = parse_lifted(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{text}{d:?}"));
    // The instructions alone may be walked 128,000 times.
    let limits = Limits { structure_growth: 1000, ..Limits::default() };
    let fault = recover(lifted, &Counting(&walked), 0, &limits).unwrap_err();
    assert_eq!(fault.code, "flow-states");
    assert!(walked.get() < 4 * (MOST_COPIES / 1000 + 1000), "walked {} instructions", walked.get());
}
