//! The listing of a program for a debugger.

use shisa_agal::{Ctx, Options, Program, print_token};
use shisa_debug::Line;

/// The instructions of a program with their program counters, which count tokens.
pub(super) fn lines(program: &Program, options: &Options) -> Vec<Line> {
    let ctx = Ctx { version: program.version, stage: program.stage, options };
    let line = |(counter, word)| {
        let mut text = Vec::new();
        print_token(word, ctx, &mut shisa_rows::Line::new(&mut text));
        Line { counter, text: String::from_utf8_lossy(&text).into_owned() }
    };
    (0..).zip(&program.tokens).map(line).collect()
}
