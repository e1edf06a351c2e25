//! Speed of writing and reading text: tokens and lines per second on one thread.

use divan::Bencher;
use divan::counter::ItemsCount;
use shisa_agal::{
    Agal, AsmOptions, Ctx, DisOptions, Options, Program, Token, assemble, assemble_macros, disassemble,
};
use shisa_diag::Limits;
use shisa_ir::Stage;
use shisa_rows::{Insn, Line};

/// A program of the usual size and mix of instructions.
const PROGRAM: &str = "// agal 1 fragment
tex ft0, v0, fs0 <2d,linear,miplinear,repeat>
tex ft1, v1, fs1 <2d,linear,nomip,clamp>
nrm ft2.xyz, v2
dp3 ft2.w, ft2.xyz, v3.xyz
max ft2.w, ft2.w, v4.x
mul ft3, ft0, ft2.w
add ft3.xyz, ft3.xyz, ft1.xyz
mul ft3, ft3, fc0
sub ft4.x, ft3.w, fc1.x
kil ft4.x
sat ft3, ft3
mul ft3.xyz, ft3.xyz, fc1.yyy
mov oc, ft3
";

const TOKENS: usize = 13;
const TIMES: usize = 10_000;

fn tokens() -> Vec<Token> {
    let program = assemble(PROGRAM, &AsmOptions::default(), &Limits::default()).program;
    let tokens = program.expect("a sound program").tokens;
    tokens.iter().cycle().take(TOKENS * TIMES).copied().collect()
}

fn listing() -> String {
    PROGRAM.lines().next().into_iter().chain(PROGRAM.lines().skip(1).cycle().take(TOKENS * TIMES)).fold(
        String::new(),
        |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        },
    )
}

/// Tokens to text, without the program around them.
#[divan::bench]
fn decode_and_print(bencher: Bencher) {
    let (tokens, options) = (tokens(), Options::default());
    let ctx = Ctx { version: 1, stage: Stage::Fragment, options: &options };
    let mut out = Vec::with_capacity(tokens.len() * 64);
    bencher.counter(ItemsCount::new(tokens.len())).bench_local(|| {
        out.clear();
        let mut line = Line::new(&mut out);
        for token in &tokens {
            if let Some(insn) = Insn::<Agal>::decode(*token) {
                shisa_rows::print(&insn, ctx, &mut line);
            }
            line.end();
        }
    });
}

/// Bytes to a listing that assembles to the same bytes.
#[divan::bench]
fn listings(bencher: Bencher) {
    let program = Program { version: 1, stage: Stage::Fragment, tokens: tokens(), trailing: Vec::new() };
    let bytes = program.write();
    bencher
        .counter(ItemsCount::new(program.tokens.len()))
        .bench(|| disassemble(&bytes, &DisOptions::default(), &Limits::default()));
}

/// Lines of one long source, without rule checks.
#[divan::bench]
fn assemble_lines(bencher: Bencher) {
    let (source, options) = (listing(), AsmOptions { unchecked: true, ..AsmOptions::default() });
    bencher
        .counter(ItemsCount::new(TOKENS * TIMES))
        .bench(|| assemble(&source, &options, &Limits::default()));
}

/// Lines of whole programs, with all rules.
#[divan::bench]
fn assemble_programs(bencher: Bencher) {
    bencher.counter(ItemsCount::new(TOKENS * TIMES)).bench(|| {
        for _ in 0..TIMES {
            divan::black_box(assemble(divan::black_box(PROGRAM), &AsmOptions::default(), &Limits::default()));
        }
    });
}

/// Lines of whole programs in the macro language.
#[divan::bench]
fn assemble_macro_programs(bencher: Bencher) {
    bencher.counter(ItemsCount::new(TOKENS * 100)).bench(|| {
        for _ in 0..100 {
            let source = divan::black_box(PROGRAM);
            divan::black_box(assemble_macros(source, &AsmOptions::default(), &Limits::default()));
        }
    });
}

fn main() {
    divan::main();
}
