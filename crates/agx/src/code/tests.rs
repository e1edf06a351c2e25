use super::{Code, Forwards, Step, pieces};
use crate::facts::{Control, Role};
use crate::tests::assemble;
use alloc::{vec, vec::Vec};
use shisa_diag::Limits;

/// The sets of instructions before each instruction: the paths that [`Forwards`] sees in a program.
struct Visits;

impl Forwards for Visits {
    /// The numbers of the instructions on some path to here, in the order of their numbers.
    type State = Vec<usize>;

    fn after(&self, step: &Step<'_>, before: &Vec<usize>) -> Vec<usize> {
        let mut all = before.clone();
        all.push(step.number);
        all.sort_unstable();
        all.dedup();
        all
    }

    fn join(&mut self, _: usize, state: &mut Vec<usize>, other: &Vec<usize>) -> bool {
        let before = state.len();
        state.extend(other);
        state.sort_unstable();
        state.dedup();
        state.len() != before
    }
}

/// The numbers of the instructions that run, and whether all paths are known.
fn running(lines: &[&str]) -> (Vec<usize>, bool) {
    let code = assemble(lines).code;
    let code = Code::read(&code, 0..code.len(), &Limits::default()).unwrap();
    (code.running().map(|step| step.number).collect(), code.complete)
}

/// For each context in which an instruction of a role runs, the instructions on some path to it.
fn before(lines: &[&str], role: Role) -> Vec<Vec<usize>> {
    let code = assemble(lines).code;
    let code = Code::read(&code, 0..code.len(), &Limits::default()).unwrap();
    let states = code.solve(Vec::new(), Visits).unwrap();
    states.each().filter(|(step, _)| step.role() == role).map(|(_, state)| state.clone()).collect()
}

const STOP: Role = Role::Control(Control::Stop);

#[test]
fn calls_go_to_their_target_and_come_back() {
    let lines = ["call {f}", "mov r2, 1", "stop", "f:", "mov r3, 1", "ret r1", "mov r4, 1"];
    assert_eq!(running(&lines), (vec![0, 1, 2, 3, 4], true));
    assert_eq!(before(&lines, STOP), [[0, 1, 3, 4]]);
}

#[test]
fn procedures_return_to_the_caller_of_their_context() {
    // The second call runs only where the first one has returned.
    let lines = ["call {f}", "mov r2, 1", "call {f}", "stop", "f:", "mov r3, 1", "ret r1"];
    assert_eq!(before(&lines, Role::Control(Control::Return)), [vec![0, 4], vec![0, 1, 2, 4, 5]]);
    assert_eq!(before(&lines, STOP), [[0, 1, 2, 4, 5]]);
    // A procedure in a procedure, which saves the offset to return to.
    let nested = ["call {f}", "stop", "f:", "mov r5, r1", "call {g}", "ret r5", "g:", "ret r1"];
    assert_eq!(running(&nested), (vec![0, 1, 2, 3, 4, 5], true));
    assert_eq!(before(&nested, STOP), [[0, 2, 3, 4, 5]]);
}

#[test]
fn returns_to_unknown_callers_end_a_path() {
    assert_eq!(running(&["ret r1", "mov r2, 1", "stop"]), (vec![0], true));
    // A procedure that never returns.
    assert_eq!(running(&["call {f}", "mov r2, 1", "f:", "stop"]), (vec![0, 2], true));
}

#[test]
fn calls_of_unknown_procedures_come_back() {
    assert_eq!(running(&["call r12", "stop"]), (vec![0, 1], false));
    // Recursion: calls deeper than the hardware allows end the program.
    let endless = ["f:", "call {f}", "stop"];
    assert_eq!(running(&endless), (vec![0], true));
    let twice = ["f:", "if r3, 0, 1, ieq", "jmp_none {end}", "call {f}", "call {f}", "end:", "ret r1"];
    let (reached, complete) = running(&twice);
    assert_eq!((reached, complete), (vec![0, 1, 2, 3, 4], false));
}

#[test]
fn jumps_lead_to_both_sides() {
    let lines = ["jmp_none {end}", "mov r2, 1", "jmp_any -6", "end:", "stop", "trap"];
    assert_eq!(running(&lines).0, [0, 1, 2, 3]);
    assert_eq!(before(&lines, STOP), [[0, 1, 2]]);
    // Doorbells that are skipped: the distance has eight bits with a sign.
    assert_eq!(running(&["jmp_if_skipping_doorbell 6", "stop", "mov r2, 1", "stop"]).0, [0, 1, 2, 3]);
    let back = assemble(&["stop", "jmp_if_skipping_doorbell 254"]).code;
    let code = Code::read(&back, 2..6, &Limits::default()).unwrap();
    assert!(!code.is_sound(), "the target is before the code");
}

#[test]
fn code_ends_where_bytes_are_no_instruction() {
    let mut bytes = assemble(&["mov r2, 1"]).code;
    let end = bytes.len();
    bytes.extend([0xff, 0xff, 0xff]);
    let code = Code::read(&bytes, 0..99, &Limits::default()).unwrap();
    assert_eq!((code.unknown(), code.reaches_unknown(), code.runs_out()), (Some(end..end + 3), true, false));
    assert!(!code.is_sound() && code.begins(end as i64) && !code.begins(-2));
    let whole = Code::read(&bytes, 0..end, &Limits::default()).unwrap();
    assert_eq!((whole.unknown(), whole.runs_out(), whole.is_sound()), (None, true, true));
    let all: Vec<_> = pieces(&bytes).map(|(at, piece)| (at, piece.map_err(<[u8]>::len).err())).collect();
    assert_eq!(all, [(0, None), (end, Some(2)), (end + 2, Some(1))]);
    let few = Limits { instructions: 1, ..Limits::default() };
    let two = assemble(&["stop", "stop"]).code;
    assert_eq!(Code::read(&two, 0..4, &few).unwrap_err().code, "limit-exceeded");
}

/// An unknown form of an opcode is as long as the opcode's other instructions: the `stop` after it is found.
#[test]
fn unknown_forms_are_skipped_by_their_length() {
    let unknown = 0x0000_8800_0c00_002eu64.to_le_bytes();
    let bytes = [&unknown[..], &[0x88, 0]].concat();
    let all: Vec<_> = pieces(&bytes).map(|(at, piece)| (at, piece.map_err(<[u8]>::len).err())).collect();
    assert_eq!(all, [(0, Some(8)), (8, None)]);
    // Cut off, its bytes are skipped two at a time.
    let cut: Vec<_> = pieces(&unknown[..4]).map(|(at, _)| at).collect();
    assert_eq!(cut, [0, 2]);
}
