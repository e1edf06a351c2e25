//! Random walks of the debugger: after any moves a state is the same as that of a run from the start.
use crate::debug::{Case, addresses, agal, agx, maxwell, pass, pica200, state};
use shisa::data::debug::{Commands, RECORDING_BYTES};
use shisa::ir::At;

/// Moves of each family, over all of its programs.
const MOVES: usize = 1_000;
/// Moves in one program.
const IN_ONE: usize = 50;
/// Lengths of runs: moves in shorter ones go nowhere, and longer ones take longer without another case.
const STEPS: std::ops::RangeInclusive<u64> = 6..=600;

/// Moves without arguments.
const PLAIN: [&str; 16] = [
    "step",
    "back",
    "next",
    "back-over",
    "out",
    "back-out",
    "tick",
    "back-tick",
    "continue",
    "reverse",
    "until nan",
    "before divergence",
    "until kill",
    "before barrier",
    "lane all",
    "end",
];

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % count
    }

    fn command(&mut self, end: usize, pcs: &[u32], names: &[&str]) -> String {
        match self.below(10) {
            0 => format!("goto {}", self.below(end + 1)),
            1 => format!("lane {}", self.below(8)),
            2 => format!("until {:#x}", pcs[self.below(pcs.len())]),
            3 => format!("before {:#x}", pcs[self.below(pcs.len())]),
            4 => format!("step {}", self.below(end)),
            5 => format!("back {}", self.below(end)),
            6 => format!("until if {} != 0", names[self.below(names.len())]),
            _ => PLAIN[self.below(PLAIN.len())].to_owned(),
        }
    }
}

/// Walks through runs until so many moves are made. Returns the numbers of runs, and of the moves that changed the position.
fn walk(cases: &[Case]) -> (usize, usize) {
    let (mut random, mut runs, mut moves, mut moved) = (Random(7), 0, 0, 0);
    for case in cases {
        let addresses = addresses(&case.input);
        // Half of the runs have room for a few states only.
        let most = [RECORDING_BYTES, 20_000][runs % 2];
        let fitting = case.sessions(most).into_iter().find(|s| STEPS.contains(&s.recorded().end()));
        let Some(session) = fitting else { continue };
        let end = session.recorded().end() as usize;
        let states = pass(session.recorded(), &addresses).states;
        let pcs = states.iter().filter_map(|s| if let At::Step(pc) = s.at { Some(pc) } else { None });
        let pcs: Vec<u32> = pcs.collect();
        let units = session.recorded().program().units();
        let names: Vec<String> = units.iter().map(|unit| session.names().of(*unit)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut commands = Commands::new(session);
        for _ in 0..IN_ONE {
            let line = random.command(end, &pcs, &names);
            let before = commands.session().time();
            if let Err(d) = commands.run(&line) {
                // A lane or a call that does not exist, or an expression of a type that has no truth value.
                assert!(d.code.starts_with("debug-"), "{}: {line}: {d}", case.name);
                assert_eq!(commands.session().time(), before, "{}: {line}", case.name);
            }
            let session = commands.session();
            let time = session.time();
            let mut seen = None;
            let look = session.recorded().view(time, &mut |view| {
                seen = Some(state(session.recorded(), view, &addresses));
                Ok(())
            });
            look.expect(&case.name);
            assert_eq!(seen.as_ref(), states.get(time as usize), "{}: {line}: step {time}", case.name);
            moved += usize::from(time != before);
            moves += 1;
        }
        runs += 1;
        if moves >= MOVES {
            break;
        }
    }
    assert!(moves >= MOVES, "{moves} moves");
    (runs, moved)
}

/// Every tenth of the cases, so that all kinds of them are met.
fn walk_through(cases: Vec<Case>) {
    let mut sorted: Vec<(usize, Case)> = cases.into_iter().enumerate().collect();
    sorted.sort_by_key(|(number, _)| (number % 10, *number));
    let cases: Vec<Case> = sorted.into_iter().map(|(_, case)| case).collect();
    let (runs, moved) = walk(&cases);
    // Moves at the end of a run, and searches that find nothing, change nothing.
    assert!(runs >= MOVES / IN_ONE && moved * 2 > MOVES, "{runs} runs, {moved} moves");
}

#[test]
fn walks_through_agal() {
    walk_through(agal());
}

#[test]
fn walks_through_pica200() {
    walk_through(pica200());
}

#[test]
fn walks_through_maxwell() {
    walk_through(maxwell());
}

#[test]
fn walks_through_agx() {
    walk_through(agx());
}
