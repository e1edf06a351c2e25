//! Tests that read the sources of the workspace and count breaches of its rules.
//!
//! | rule | breach |
//! |---|---|
//! | `mnemonics` | a family names an instruction outside its rows |
//! | `bit positions` | a family takes bits of an instruction by number outside its rows and operand kinds |
//! | `family names` | a verb of the façade names a family outside `family/` |
//! | `circles` | two files of a crate import each other, directly or through others |
//! | `unwinding` | a panic is caught |
//! | `defaults` | a lookup that finds nothing is answered with a default, or an error is dropped |
//! | `computers` | a text or comment has a path of somebody's computer |
//! | `words` | a comment or message has a word that the style guide replaces |
//!
//! Each rule is a ratchet. `counts/CRATE.txt` holds the number of breaches that a crate still has. The number may only
//! fall: a test fails when a crate has more breaches than its file states, and also when it has fewer, so that the
//! file is lowered in the same commit. `BLESS=1 cargo test -p shisa-source-tests` lowers the files; it never
//! raises a number. `cargo test -p shisa-source-tests -- --nocapture` lists every breach with its file and line.
//!
//! Another test compares the public API of the libraries with the lists in `docs/api`.
#![cfg(test)]

mod api;
mod circles;
mod computers;
mod defaults;
mod family;
mod lexer;
mod mnemonics;
mod modules;
mod positions;
mod ratchet;
mod sources;
mod unwinding;
mod words;
