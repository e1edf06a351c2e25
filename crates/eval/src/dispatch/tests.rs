use super::*;
use crate::Workspace;
use crate::testing::{Code, ID, Structured};
use shisa_ir::{ControlOp, Op, Space, Swizzle, Type};

/// Every thread writes its index to shared memory, waits, and stores what its neighbour wrote.
fn neighbours() -> Code {
    let mut code = Code::new();
    let id = |b: &mut shisa_ir::Builder<'_>| b.read(ID, Swizzle::IDENTITY, Type::I32);
    code.op(|b| {
        let (id, four) = (id(b), b.i32(4));
        let (local, last) = (b.i32(63), four);
        let local = b.and(id, local);
        let place = b.imul(local, last);
        b.store(Space::Shared, place, id);
    });
    code.op(|b| {
        b.push(Op::Barrier, Type::NONE);
    });
    code.op(|b| {
        let (id, four, other, last) = (id(b), b.i32(4), b.i32(32), b.i32(63));
        let local = b.and(id, last);
        let local = b.xor(local, other);
        let place = b.imul(local, four);
        let v = b.load(Space::Shared, place, Type::I32);
        let place = b.imul(id, four);
        b.store(Space::Global, place, v);
    });
    code.plain(ControlOp::Exit);
    code
}

fn run(threads: u32, limits: &Limits) -> Result<(Vec<u32>, u64), Diagnostic> {
    let code = neighbours();
    let program = code.program();
    let mut space = Workspace::new(256, 0, 0, limits)?;
    space.add(0, vec![0; 512])?;
    let dispatch = Dispatch { entry: 0, threads: [threads, 1, 1], workgroup: [64, 1, 1] };
    let mut waves = Waves::new(&program, &Structured);
    let executed = dispatch.run(&mut waves, &mut space, &mut NoObserver, limits, |machine, wave| {
        (0..32).try_for_each(|lane| machine.set_input(ID, lane as usize, wave.place(lane)[0]))
    })?;
    let bytes = space.buffer(0).unwrap().chunks(4);
    Ok((bytes.map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect(), executed))
}

#[test]
fn waves_of_a_workgroup_see_what_was_written_before_a_barrier() {
    let (got, executed) = run(128, &Limits::default()).unwrap();
    let want: Vec<u32> = (0..128).map(|i| i ^ 32).collect();
    assert_eq!((got, executed), (want, 128 * 4));
}

/// Threads beyond the grid do not run; the values that they would have written are 0.
#[test]
fn the_last_workgroup_may_be_smaller() {
    let (got, executed) = run(68, &Limits::default()).unwrap();
    let want = |i: u32| if i >= 68 || i >= 64 && (i ^ 32) >= 68 { 0 } else { i ^ 32 };
    assert_eq!((got, executed), ((0..128).map(want).collect(), 68 * 4));
}

#[test]
fn the_bound_holds_for_all_waves_together() {
    let limits = |run_steps| Limits { run_steps, ..Limits::default() };
    assert!(run(128, &limits(512)).is_ok());
    assert_eq!(run(128, &limits(511)).unwrap_err().code, "limit-exceeded");
    let dispatch = Dispatch { entry: 0, threads: [1; 3], workgroup: [33, 32, 1] };
    let code = neighbours();
    let mut space = Workspace::new(0, 0, 0, &Limits::default()).unwrap();
    let program = code.program();
    let mut waves = Waves::new(&program, &Structured);
    let refused = dispatch.run(&mut waves, &mut space, &mut NoObserver, &Limits::default(), |_, _| Ok(()));
    assert_eq!(refused.unwrap_err().code, "eval-dispatch");
}

#[test]
fn threads_are_consecutive() {
    for size in [[8, 2, 4], [7, 5, 3], [64, 1, 1], [1, 1, 40]] {
        for number in 0..2 {
            let wave = Wave { group: [0; 3], number, size, lanes: 0 };
            let [x, y, z] = wave.threads();
            for (lane, ((x, y), z)) in (0..).zip(x.into_iter().zip(y).zip(z)) {
                assert_eq!([x, y, z], wave.thread(lane), "{wave:?}");
            }
        }
    }
}
