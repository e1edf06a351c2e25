//! Commands with their answers, in transcripts.

use super::*;
use crate::testing::{FLOW, session};

/// Runs the commands of a transcript, each in a line after `> `, and compares it with their answers.
fn check(mut commands: Commands, transcript: &str) {
    let mut found = String::new();
    for line in transcript.lines().filter_map(|line| line.strip_prefix("> ")) {
        let answer = match commands.run(line) {
            Ok(Reply::Answer(answer)) => answer.text,
            Ok(other) => format!("{other:?}"),
            Err(d) => format!("! {}", d.message),
        };
        found += &format!("> {line}\n{answer}\n");
    }
    assert_eq!(found, transcript);
}

#[test]
fn moves_follow_calls_and_loops() {
    check(Commands::new(session(FLOW, 4)), include_str!("transcripts/flow.txt"));
}

/// Lanes share bytes of memory, of which later stores overwrite some.
const MEMORY: &str = "step 0x0 next 0x1: ; both lanes store 4 bytes
  %0: i32 = const 0x1000
  %1: i32 = read v:0 xxxx
  %2 = store global %0 %1
  next
step 0x1 next 0x2: ; then 2 bytes in the middle of them
  %3: i32 = const 0x1001
  %4: i32 = read c:0 xxxx
  %5: i16 = truncate %4
  %6 = store global %3 %5
  next
step 0x2 next 0x3:
  %7: i32 = const 0x1000
  %8: i32 = load global %7
  %9 = write r:0 x %8
  next
step 0x3 next 0x4: ; each lane stores a word
  %10: i32 = read v:0 xxxx
  %11: i32 = const 4
  %12: i32 = imul %10 %11
  %13 = store shared %12 %10
  next
step 0x4 next 0x5: ; and loads that of the other lane
  %14: i32 = read v:0 xxxx
  %15: i32 = const 1
  %16: i32 = xor %14 %15
  %17: i32 = const 4
  %18: i32 = imul %16 %17
  %19: i32 = load shared %18
  %20 = write r:1 x %19
  next
step 0x5 next 0x6:
  %21: i32 = const 8
  %22: i32 = read r:1 xxxx
  %23 = store local %21 %22
  next
step 0x6 next 0x7:
  %24: i32 = const 8
  %25: i32 = load local %24
  %26 = write r:2 x %25
  next
step 0x7 next 0x8:
  %27: i32 = const 0x1010
  %28: i32 = read v:0 xxxx
  %29: i32 = atomic_iadd global %27 %28
  %30 = write r:3 x %29
  next
step 0x8 next 0x9:
  exit
";

#[test]
fn causes_are_followed_through_memory() {
    check(Commands::new(session(MEMORY, 2)), include_str!("transcripts/memory.txt"));
}
