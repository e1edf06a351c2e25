//! Breakpoints of every kind, in both directions.

use super::*;
use crate::commands::Commands;
use crate::hits::Hits;
use crate::search::Direction::{self, Backwards, Forwards};
use crate::session::{Reason, Session, Stop};
use crate::testing::{BUFFER, answer, session, unit};
use shisa_ir::Scalar;

/// A step for everything that a breakpoint waits for.
const TOUR: &str =
    "texture 0: unit 0 2d %26 implicit sampler linear mip none wrap clamp clamp clamp anisotropy 1 bias 0
step 0x0 next 0x1: ; loads 4 bytes
  %0: i32 = const 0x1004
  %1: i32 = load global %0
  %2 = write r:0 x %1
  next
step 0x1 next 0x2: ; stores 4 bytes
  %3: i32 = const 0x1008
  %4: i32 = read v:0 xxxx
  %5 = store global %3 %4
  next
step 0x2 next 0x3: ; does both
  %6: i32 = const 0x100c
  %7: i32 = const 1
  %8: i32 = atomic_iadd global %6 %7
  %9 = write r:1 x %8
  next
step 0x3 next 0x4: ; lanes 0 and 1 go on
  %10: i32 = read v:0 xxxx
  %11: i32 = const 2
  %12: i1 = ult %10 %11
  push 0 if %12
step 0x4 next 0x5: ; lane 1 is killed
  %13: i32 = read v:0 xxxx
  %14: i32 = const 1
  %15: i1 = ieq %13 %14
  %16 = kill %15
  next
step 0x5 next 0x6:
  pop 0
step 0x6 next 0x7: ; reads what nothing has written
  %17: i32 = read r:3 xxxx
  %18: i32 = iadd %17 %17
  %19 = write r:2 x %18
  next
step 0x7 next 0x8: ; makes an infinity
  %20: f32 = const 0
  %21: f32 = frcp %20
  %22 = write o:0 x %21
  next
step 0x8 next 0x9: ; emits a vertex
  %23 = set_emit 0
  %24 = emit
  next
step 0x9 next 0xa: ; samples a texture
  %25: f32 = const 0
  %26: f32x2 = join %25 %25
  %27: f32x4 = texture 0
  %28: f32 = swizzle %27 xxxx
  next
step 0xa next 0xb: ; loads 4 bytes past the end of the constants
  %29: i32 = const 13
  %30: i32 = load constant 0 %29
  %31 = write r:3 x %30
  next
step 0xb next 0xc: ; loads 4 bytes before it
  %32: i32 = const 12
  %33: i32 = load constant 0 %32
  %34 = write r:3 x %33
  next
step 0xc next 0xd:
  exit
";

/// The stops of a run in a direction, from its start or its end.
fn stops(session: &mut Session, direction: Direction) -> Vec<(Time, Lanes, String)> {
    session.go(if direction == Forwards { 0 } else { Time::MAX });
    let mut all = Vec::new();
    while let Stop { time, reason: Reason::Breakpoint { lanes, text, .. }, .. } =
        session.run(direction, None).unwrap()
    {
        all.push((time, lanes, text));
    }
    all
}

fn register(file: u8, number: u16) -> Named {
    Named { units: vec![unit(file, number)], joined: false, scalar: Scalar::I32, bits: 32 }
}

/// The time of a stop, its lanes, and what happened.
type Wanted = (Time, Lanes, &'static str);

#[test]
fn every_event_stops_in_both_directions() {
    let outside = "bank 0 at 0xd (4 bytes) is outside of memory";
    let cases: [(On, &[Wanted]); 14] = [
        (On::Step(5), &[(5, 3, "runs next")]),
        (On::Step(14), &[]),
        (On::Register(register(2, 1), Access::Writes), &[(3, 15, "r1 is written")]),
        (On::Register(register(0, 0), Access::Writes), &[]),
        (On::Register(register(2, 3), Access::Reads), &[(7, 15, "the register is read")]),
        (
            On::Register(register(2, 3), Access::All),
            &[(7, 15, "the register is read"), (11, 15, "r3 is written"), (12, 15, "r3 is written")],
        ),
        (On::NotFinite, &[(8, 15, "in o0")]),
        (On::Divergence, &[(4, 15, "lanes of the wave take different paths")]),
        (On::Texture, &[(10, 15, "a texture is accessed")]),
        (On::Emission, &[(9, 13, "a vertex is emitted")]),
        (On::Kill, &[(5, 2, "killed")]),
        (On::Unwritten, &[(7, 15, "r3 is read before anything writes it")]),
        (On::Outside, &[(11, 15, outside)]),
        (On::End, &[(13, 15, "the wave ends")]),
    ];
    for (on, want) in cases {
        let mut session = session(TOUR, 4);
        session.add(on.clone(), None, None);
        let own = |(time, lanes, text): &Wanted| (*time, *lanes, (*text).to_owned());
        let mut want: Vec<_> = want.iter().map(own).collect();
        assert_eq!(stops(&mut session, Forwards), want, "{on:?}");
        // Backwards, a move stops before the step.
        let before = Time::from(!on.is_of_states());
        want.reverse();
        want.iter_mut().for_each(|(time, ..)| *time -= before);
        assert_eq!(stops(&mut session, Backwards), want, "{on:?}");
    }
}

/// A load, a store and an atomic operation of four bytes each, one after the other from `BUFFER + 4`.
#[test]
fn memory_is_watched_to_the_byte() {
    use Access::{All, Reads, Writes};
    let cases: [(Space, Range<u64>, Access, &[Time]); 11] = [
        (Space::Global, 0..4, All, &[]),
        (Space::Global, 1..5, All, &[1]),
        (Space::Global, 4..8, Writes, &[]),
        (Space::Global, 7..8, Reads, &[1]),
        (Space::Global, 8..12, Reads, &[]),
        (Space::Global, 8..12, Writes, &[2]),
        (Space::Global, 11..13, Reads, &[3]),
        (Space::Global, 11..13, Writes, &[2, 3]),
        (Space::Global, 15..40, All, &[3]),
        (Space::Global, 16..40, All, &[]),
        (Space::Shared, 0..40, All, &[]),
    ];
    for (space, range, access, want) in cases {
        let mut session = session(TOUR, 4);
        let of_buffer = BUFFER + range.start..BUFFER + range.end;
        session.add(On::Memory(space, of_buffer, access), None, None);
        let found: Vec<(Time, Lanes)> =
            stops(&mut session, Forwards).into_iter().map(|(time, lanes, _)| (time, lanes)).collect();
        let want: Vec<(Time, Lanes)> = want.iter().map(|time| (*time, 0b1111)).collect();
        assert_eq!(found, want, "{space:?} {range:?} {access:?}");
    }
}

#[test]
fn conditions_hits_and_the_focus_limit_breakpoints() {
    let mut session = session(TOUR, 4);
    let condition = |text: &str, session: &Session| Some(Expression::parse(text, session.names()).unwrap());
    let written = On::Register(register(2, 3), Access::Writes);
    let number = session.add(written, condition("v0 > 1", &session), None);
    let lanes = |session: &mut Session| -> Vec<(Time, Lanes)> {
        stops(session, Forwards).into_iter().map(|(time, lanes, _)| (time, lanes)).collect()
    };
    assert_eq!(lanes(&mut session), [(11, 0b1100), (12, 0b1100)]);
    session.set_focus(Some(3)).unwrap();
    assert_eq!(lanes(&mut session), [(11, 0b1000), (12, 0b1000)]);
    session.set_focus(Some(1)).unwrap();
    assert_eq!(lanes(&mut session), []);
    session.set_focus(None).unwrap();
    // Hits count from the start of the run, wherever a move begins.
    session.limit(number, Some(Hits::parse("2").unwrap()));
    for from in [0, 11] {
        session.go(from);
        assert_eq!(session.run(Forwards, None).unwrap().time, 12, "from {from}");
    }
    session.go(Time::MAX);
    assert_eq!(session.run(Backwards, None).unwrap().time, 11);
    session.enable(number, false);
    assert_eq!((lanes(&mut session), stops(&mut session, Backwards)), (vec![], vec![]));
}

#[test]
fn a_breakpoint_that_is_found_does_not_hide_hits_of_others() {
    let mut session = session(TOUR, 1);
    session.add(On::Step(1), None, None);
    let every_state = Some(Expression::parse("1", session.names()).unwrap());
    let number = session.add(On::Always, every_state, None);
    session.limit(number, Some(Hits::parse("3").unwrap()));
    // States 0, 1 and 2 are hits of the second one; the first one stops at the second of them.
    let times: Vec<Time> = stops(&mut session, Forwards).into_iter().map(|(time, ..)| time).collect();
    assert_eq!(times, [1, 2]);
}

#[test]
fn log_points_log_each_lane_up_to_the_most_lines() {
    let mut session = session(TOUR, 4);
    let log = Log::message("v0 is {v0}", session.names()).unwrap();
    session.add(On::Step(4), None, Some(log));
    let stop = session.run(Forwards, None).unwrap();
    assert_eq!((stop.time, stop.reason), (13, Reason::End));
    assert_eq!(stop.logged, [(4, "lane 0: v0 is 0x00000000".into()), (4, "lane 1: v0 is 0x00000001".into())]);
    // A backward move logs nothing.
    assert_eq!(session.run(Backwards, None).unwrap().logged, []);
}

/// Two waves: each lane loads its number, which the environment has for the wave that runs.
#[test]
fn waves_of_a_batch_are_entered_in_both_directions() {
    let text = "step 0x0 next 0x1:
  %0: i32 = const 0
  %1: i32 = load uniforms %0
  %2 = write r:0 x %1
  next
step 0x1 next 0x2:
  exit
";
    let mut session = session(text, 40);
    let found = Expression::parse("r0 == 35", session.names()).unwrap();
    session.add(On::Always, Some(found), None);
    for (direction, time) in [(Forwards, 3), (Backwards, 3)] {
        let want = (time, 1 << 3, "the condition holds".to_owned());
        assert_eq!(stops(&mut session, direction), [want], "{direction:?}");
    }
    let lanes = answer(&mut Commands::new(session), "waves");
    assert_eq!(
        lanes.text,
        "=> steps 0 to 2: workgroup 0, wave 0, lanes 0 to 31\n   steps 2 to 4: workgroup 0, wave 1, lanes 32 to 39"
    );
}
