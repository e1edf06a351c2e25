use super::{
    Analysis, Budget, Direction, Graph, OutOfFuel, Paths, RegisterSet, explore, explore_all, lifted_effects,
    solve,
};
use crate::Registers;
use alloc::{vec, vec::Vec};
use shisa_ir::{
    Builder, Control, File, FileId, FileKind, Lifted, Mask, Op, Reg, Scalar, Step, Swizzle, Type,
};

/// A diamond with a loop around it: 0 → 1 → {2, 3} → 4 → {1, 5}.
fn diamond() -> Graph {
    Graph::new(6, vec![(0, 1), (1, 3), (1, 2), (2, 4), (3, 4), (4, 5), (4, 1), (4, 1), (9, 0), (0, 9)])
}

#[test]
fn graphs_list_edges_once_and_rising() {
    let graph = diamond();
    assert_eq!((graph.len(), graph.is_empty(), Graph::default().is_empty()), (6, false, true));
    let next = |n| graph.next(n).collect::<Vec<_>>();
    assert_eq!(
        (next(0), next(1), next(4), next(5), next(6)),
        (vec![1], vec![2, 3], vec![1, 5], vec![], vec![])
    );
    assert_eq!(graph.reversed().next(4).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(graph.reversed().reversed(), graph);
}

#[test]
fn reverse_post_order_has_nodes_before_their_successors() {
    let order = diamond().reverse_post_order([0]);
    let rank = |n| order.iter().position(|o| *o == n);
    assert_eq!(order.len(), 6);
    for (a, b) in [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5)] {
        assert!(rank(a) < rank(b), "{a} before {b} in {order:?}");
    }
    assert_eq!(diamond().reached([5]), [false, false, false, false, false, true]);
    assert_eq!(diamond().reverse_post_order([17]), []);
}

/// Calls with a stack: `0: call 3; 1: call 3; 2: end; 3: nothing; 4: return`.
struct Calls {
    followed: usize,
    recursive: bool,
}

impl Paths for Calls {
    type State = Vec<usize>;

    fn is_straight(&self, at: usize) -> bool {
        at == 3
    }

    fn follow(&mut self, at: usize, state: &Vec<usize>, to: &mut Vec<(usize, Vec<usize>)>) {
        self.followed += 1;
        match at {
            0 | 1 => to.push((3, [&state[..], &[at + 1]].concat())),
            4 if self.recursive => to.push((3, [&state[..], &[5]].concat())),
            4 => to.extend(state.split_last().map(|(last, rest)| (*last, rest.to_vec()))),
            _ => {}
        }
    }
}

#[test]
fn paths_keep_states_apart_and_instructions_together() {
    let mut calls = Calls { followed: 0, recursive: false };
    let walk = explore(&mut calls, 5, [(0, vec![])], Budget::of(5, 4));
    assert!(walk.complete);
    // The procedure is entered in two states; its straight instruction has no node of its own.
    assert_eq!(walk.nodes.iter().filter(|(at, _)| *at == 3).count(), 2);
    assert_eq!(calls.followed, 5);
    let graph = walk.instructions(5);
    let next = |n| graph.next(n).collect::<Vec<_>>();
    assert_eq!((next(0), next(3), next(4), next(2)), (vec![3], vec![4], vec![1, 2], vec![]));
}

#[test]
fn paths_without_end_join_states_at_the_budget() {
    for (states, edges) in [(1, 1000), (7, 1000), (100, 1000), (1000, 9)] {
        let mut calls = Calls { followed: 0, recursive: true };
        let walk = explore(&mut calls, 5, [(0, vec![])], Budget { states, edges });
        assert!(!walk.complete);
        let most = states.min(edges + 1) + 5;
        assert!(calls.followed <= most && walk.nodes.len() <= most, "{} {most}", calls.followed);
        // The procedure calls itself, and no path returns.
        assert_eq!(walk.reached(5), [true, false, false, true, true, false]);
        assert_eq!(walk.instructions(5).next(4).collect::<Vec<_>>(), [3]);
    }
}

/// A jump to 20 instructions, each of which jumps back to it in a new state.
struct Table;

impl Paths for Table {
    type State = usize;

    fn is_straight(&self, _: usize) -> bool {
        false
    }

    fn follow(&mut self, at: usize, state: &usize, to: &mut Vec<(usize, usize)>) {
        match at {
            0 => to.extend((1..=20).map(|n| (n, *state))),
            _ => to.push((0, state + at)),
        }
    }
}

#[test]
fn long_lists_of_targets_are_followed_once_past_the_budget() {
    let walk = explore(&mut Table, 21, [(0, 0)], Budget { states: 1_000_000, edges: 500 });
    assert!(!walk.complete);
    let edges: usize = (0..walk.nodes.len()).map(|n| walk.graph.next(n).len()).sum();
    assert!(edges <= 500 + 20 + 21, "{edges}");
    assert_eq!(walk.instructions(21).next(0).count(), 20);
    // A target after the end is the end.
    let walk = explore(&mut Table, 9, [(0, 0)], Budget { states: 1_000_000, edges: 500 });
    assert_eq!(walk.instructions(9).next(0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn instructions_that_no_path_reaches_are_followed_last() {
    let mut calls = Calls { followed: 0, recursive: false };
    let walk = explore_all(&mut calls, 5, [(2, vec![])], vec![9], Budget::of(5, 4));
    assert!(walk.complete);
    assert_eq!((walk.entered, walk.nodes[0].0), (1, 2));
    assert_eq!(walk.reached(5), [false, false, true, false, false, false]);
    // From 0 on, in the state for the rest; the call there returns to 1, and the call at 1 returns to 2.
    assert_eq!(walk.nodes[1], (0, vec![9]));
    let graph = walk.instructions(5);
    assert_eq!(graph.next(4).collect::<Vec<_>>(), [1, 2]);
}

/// The nodes on some path to each node, as bits.
struct Ancestors {
    passes: usize,
}

impl Analysis for Ancestors {
    type State = u32;

    fn pass(&mut self, at: usize, state: &u32) -> u32 {
        self.passes += 1;
        state | 1 << at
    }

    fn join(&mut self, _: usize, state: &mut u32, other: &u32) -> bool {
        let old = *state;
        *state |= other;
        *state != old
    }
}

#[test]
fn data_flow_settles_in_both_directions() {
    let mut ancestors = Ancestors { passes: 0 };
    let states = solve(&diamond(), Direction::Forwards, [(0, 0)], &mut ancestors, 100);
    // The loop propagates 1 to 4 to all of its nodes.
    let looped = Some(0b11111);
    assert_eq!(states, Ok(vec![Some(0), looped, looped, looped, looped, looped]));
    let mut after = Ancestors { passes: 0 };
    let states = solve(&diamond(), Direction::Backwards, [(5, 0)], &mut after, 100);
    assert_eq!(states.map(|s| (s[5], s[0])), Ok((Some(0), Some(0b111110))));
}

#[test]
fn straight_code_is_passed_once() {
    let chain = Graph::new(50, (0..49).map(|n| (n, n + 1)).collect());
    let mut ancestors = Ancestors { passes: 0 };
    let states = solve(
        &Graph::new(20, (0..19).map(|n| (n, n + 1)).collect()),
        Direction::Forwards,
        [(0, 0)],
        &mut ancestors,
        20,
    );
    assert_eq!((states.map(|s| s[19]), ancestors.passes), (Ok(Some((1 << 19) - 1)), 20));
    let mut never = Never;
    assert_eq!(solve(&chain, Direction::Forwards, [(0, 0)], &mut never, 49), Err(OutOfFuel));
    assert!(solve(&chain, Direction::Forwards, [(0, 0)], &mut never, 50).is_ok());
}

/// An analysis that never converges.
struct Never;

impl Analysis for Never {
    type State = u32;

    fn pass(&mut self, _: usize, _: &u32) -> u32 {
        0
    }

    fn join(&mut self, _: usize, _: &mut u32, _: &u32) -> bool {
        false
    }
}

/// The components that were inserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Units {
    bits: u32,
    file: bool,
}

impl RegisterSet for Units {
    fn insert(&mut self, registers: &Registers) {
        (0..u16::from(registers.units)).for_each(|i| self.bits |= 1 << (registers.first.unit + i));
    }

    fn insert_file(&mut self, _: FileId) {
        self.file = true;
    }
}

#[test]
fn effects_of_a_lift_are_the_components_that_results_depend_on() {
    const FILES: &[File] = &[File {
        name: "r",
        kind: FileKind::Temp,
        unit_bits: 32,
        units_per_register: 4,
        units: 32,
        scalar: Scalar::F32,
    }];
    let mut lifted = Lifted::new(FILES);
    let mut b = Builder::new(&mut lifted.nodes, 0);
    let reg = |unit| Reg::new(FileId(0), unit);
    let vector = |b: &mut Builder<'_>, unit| b.read(reg(unit), Swizzle::IDENTITY, Scalar::F32.by(4));
    // The y component decides; of the sum, only z is written; the first and last value are unused.
    vector(&mut b, 0);
    let test = vector(&mut b, 4);
    let (test, limit) = (b.component(test, 1), b.f32(1.0, 1));
    let cond = b.flt(test, limit);
    let (left, right) = (vector(&mut b, 8), vector(&mut b, 12));
    let sum = b.fadd(left, right);
    let z = b.component(sum, 2);
    b.write(reg(17), Mask::first(1), z);
    vector(&mut b, 20);
    let index = b.read(reg(24), Swizzle::IDENTITY, Type::I32);
    let picked = Op::ReadAt { file: FileId(0), base: 0, stride: 4, index, swizzle: Swizzle::IDENTITY };
    let picked = b.push(picked, Scalar::F32.by(4));
    let dot = b.fdot(picked, left);
    b.write(reg(28), Mask::first(2), dot);
    let nodes = 0..lifted.nodes.list.len() as u32;
    let control = Control { cond: Some(cond), ..Control::default() };
    let step = Step { pc: 0, next: 1, nodes, guard: None, whole_wave: false, control };
    let effects = lifted_effects::<Units>(&lifted, &step);
    let units = |units: &[u32]| units.iter().fold(0, |all, unit| all | 1 << unit);
    assert_eq!(effects.guard, Units { bits: units(&[5]), file: false });
    assert_eq!(effects.reads, Units { bits: units(&[5, 8, 9, 10, 11, 14, 24]), file: true });
    assert_eq!(effects.writes, Units { bits: units(&[17, 28, 29]), file: false });
}

/// A component of 32 bits takes two units of 16.
#[test]
fn effects_of_a_lift_are_whole_components() {
    const FILES: &[File] = &[File {
        name: "r",
        kind: FileKind::Temp,
        unit_bits: 16,
        units_per_register: 1,
        units: 32,
        scalar: Scalar::I16,
    }];
    let mut lifted = Lifted::new(FILES);
    let mut b = Builder::new(&mut lifted.nodes, 0);
    let value = b.read(Reg::new(FileId(0), 4), Swizzle::IDENTITY, Scalar::I32.by(4));
    b.write(Reg::new(FileId(0), 20), Mask(0b1101), value);
    let nodes = 0..lifted.nodes.list.len() as u32;
    let step = Step { pc: 0, next: 1, nodes, guard: None, whole_wave: false, control: Control::default() };
    let effects = lifted_effects::<Units>(&lifted, &step);
    assert_eq!((effects.reads.bits, effects.writes.bits), (0xff << 4, 0xf3 << 20));
}
