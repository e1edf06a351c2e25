//! Runs pieces of legs in one thread, for hosts and builds that `cargo campaign` itself does not run in.
//!
//! `legs FIRST END SEED NAME` tests the pieces from `FIRST` up to `END` of the leg of this name, which are those of
//! `cargo campaign --seed SEED`. It prints the host's level, then what each part accepted and refused, and ends with a panic
//! if a property does not hold.

use shisa::data::batch::HostLevel;
use shisa_fuzz_targets::legs::{self, Outcome};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The piece that is tested, for the report if it panics.
static PIECE: AtomicU64 = AtomicU64::new(0);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, end, seed, name] = arguments.as_slice() else { panic!("legs FIRST END SEED NAME") };
    let [first, end, seed] = [first, end, seed].map(|n| n.parse::<u64>().expect("a number"));
    let leg = legs::all().into_iter().find(|leg| leg.name == *name).expect("the name of a leg");
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        eprintln!("piece {} of {} with seed {seed}", PIECE.load(Relaxed), arguments[3]);
    }));
    println!("host level {:?}", HostLevel::best());
    let mut worker = (leg.worker)(&[]);
    let mut outcomes = vec![Outcome::default(); leg.parts.len()];
    for piece in first..end {
        PIECE.store(piece, Relaxed);
        worker.make(piece, &mut legs::random(seed, piece));
        outcomes.iter_mut().enumerate().for_each(|(part, outcome)| *outcome += worker.test(part));
    }
    for (part, Outcome { accepted, refused }) in leg.parts.iter().zip(&outcomes) {
        println!("{} {} accepts {accepted} refuses {refused}", leg.name, part.name);
    }
}
