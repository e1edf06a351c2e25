//! Every limit: at its value everything succeeds; one below, the report names it.

mod pica200;
mod verbs;

use shisa::agal::{Program, RunInput, TextureInput};
use shisa::diag::{Diagnostic, Limits};
use shisa::eval::BufferEnvironment;
use shisa::ir::{Dim, Space, Stmt};
use shisa::translation::{self, Code, Options, SpirvVersion, Target};
use shisa::{Error, File, Language, Listing, Lowered, RunOptions, Settings};
use std::collections::BTreeSet;

const SWF: &[u8] = include_bytes!("../../../../../tests/swf/shaders.swf");

/// The outcome for the input.
#[derive(Debug)]
enum Outcome {
    Fits,
    /// Refused with these.
    Refused(Vec<Diagnostic>),
    /// Nested statements became a dispatch loop.
    Dispatch,
    /// Accepted or refused, with a note that counts what is not reported.
    Counted(String),
}

use Outcome::{Counted, Dispatch, Fits, Refused};

impl<T> From<Result<T, Error>> for Outcome {
    fn from(result: Result<T, Error>) -> Outcome {
        result.map_or_else(|e| Refused(e.diagnostics), |_| Fits)
    }
}

impl<T> From<Result<T, Diagnostic>> for Outcome {
    fn from(result: Result<T, Diagnostic>) -> Outcome {
        Outcome::from(result.map_err(Error::from))
    }
}

/// A limit, the least value that an input needs, what happens to the input.
type Row = (&'static str, usize, Box<dyn Fn(&Settings) -> Outcome>);

fn row(name: &'static str, needs: usize, run: impl Fn(&Settings) -> Outcome + 'static) -> Row {
    (name, needs, Box::new(run))
}

fn asm(source: &str, settings: &Settings) -> Outcome {
    shisa::assemble(source, Language::Agal, settings).into()
}

fn macros(source: &str, settings: &Settings) -> Outcome {
    shisa::assemble(source, Language::AgalMacros, settings).into()
}

fn bytes(source: &str) -> Vec<u8> {
    shisa::assemble(source, Language::Agal, &Settings::default()).expect(source).bytes
}

/// The first program of a file.
fn first<'b>(bytes: &'b [u8], settings: &Settings) -> Result<shisa::Program<'b>, Error> {
    File::open(bytes, settings)?.program(1)
}

/// The listing of a file.
fn listed(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String, Error> {
    File::open(bytes, settings)?.listing(listing)
}

/// The findings about a file.
fn checked(bytes: &[u8], settings: &Settings) -> Result<Vec<Diagnostic>, Error> {
    Ok(File::open(bytes, settings)?.check()?.into_iter().map(|f| f.diagnostic).collect())
}

/// The input of translators for a file.
fn lowered(bytes: &[u8], settings: &Settings) -> Result<Lowered, Error> {
    first(bytes, settings)?.lower()
}

fn executed(bytes: &[u8], input: &RunInput, settings: &Settings) -> Outcome {
    first(bytes, settings).and_then(|p| shisa::agal::run(&p, input, RunOptions::new())).into()
}

/// Three tokens.
const PLAIN: &str = "// agal 2 vertex\nmov vt0, va0\nadd vt0, vt0, vc0\nmov op, vt0\n";

/// Three nested conditions.
const NESTED: &str = "// agal 2 fragment\nmov ft0, v0\nife ft0.x, fc0.x\nife ft0.y, fc0.x\n\
                      ife ft0.z, fc0.x\nadd ft0, ft0, fc1\neif\neif\neif\nmov oc, ft0\n";

fn run(program: &[u8], settings: &Settings) -> Outcome {
    let input = RunInput::new(5).input("va0", [[0.5; 4]; 5]).constant("vc0", [1.0; 4]);
    executed(program, &input, settings)
}

fn sampled(settings: &Settings) -> Outcome {
    let mut input = RunInput::new(1).input("v0", [[0.5; 4]]);
    let texture = TextureInput {
        dim: Dim::D2,
        width: 4,
        height: 4,
        format: shisa::eval::Format::Rgba8,
        levels: vec![vec![vec![0; 64]]],
        sampler: TextureInput::PLAIN_SAMPLER,
    };
    input.textures.insert("fs0".into(), texture);
    let program = bytes("// agal 1 fragment\ntex ft0, v0, fs0 <2d>\nmov oc, ft0\n");
    executed(&program, &input, settings)
}

fn translated(target: Target, settings: &Settings) -> Result<Code, Error> {
    let lowered = lowered(&bytes(PLAIN), &Settings::default()).expect("it lifts");
    let Lowered { func, tree, interface, .. } = &lowered;
    let program = translation::Program { func, tree, interface, source: &[] };
    let output = translation::translate(&program, target, &Options::default(), &settings.limits);
    Ok(output.map_err(Error::from)?.code)
}

fn length(target: Target) -> usize {
    match translated(target, &Settings::default()).expect("it translates") {
        Code::Text(text) => text.len(),
        Code::Words(words) => 4 * words.len(),
    }
}

/// Lifts and nests a program.
fn nest(source: &str, settings: &Settings) -> Outcome {
    dispatch(lowered(&bytes(source), settings))
}

fn dispatch(lowered: Result<Lowered, Error>) -> Outcome {
    match lowered {
        Ok(l) if l.tree.body.iter().any(|s| matches!(s, Stmt::Loop(_))) => Dispatch,
        done => done.into(),
    }
}

fn note(diagnostics: &[Diagnostic]) -> Outcome {
    match diagnostics.last() {
        Some(d) if d.code == "limit-diagnostics" => Counted(format!("{d}; {}", d.notes.join(" "))),
        _ => Fits,
    }
}

fn rows() -> Vec<Row> {
    const SPIRV: Target = Target::Spirv(SpirvVersion::V1_3);
    let (plain, nested) = (bytes(PLAIN), bytes(NESTED));
    let listing = |settings: &Settings| listed(&bytes(PLAIN), &Listing::new(), settings);
    let graph = |settings: &Settings| first(&bytes(NESTED), settings)?.cfg()?.dot();
    let live = |settings: &Settings| listed(&bytes(PLAIN), &Listing::new().live(true), settings);
    let text = |f: &dyn Fn(&Settings) -> shisa::Result<String>| f(&Settings::default()).expect("text").len();
    let operations = lowered(&plain, &Settings::default()).expect("it lifts").func.blocks[0].body.len();
    let programs = File::open(SWF, &Settings::default()).expect("a SWF").programs().len();
    let branches = "// agal 2 fragment\nmov ft0, v0\nife ft0.x, fc0.x\nmov ft0, fc1\neif\nmov oc, ft0\n";
    let long = branches.replacen("mov ft0, v0\n", &"mov ft0, v0\n".repeat(20), 1);
    let wrong = "// agal 1 vertex\nmov\nfoo\nmov q0, va0\nbar\nmov op\n";
    let lines = |before: &'static str, count, after: &str| {
        let lines: String = (0..count).map(|i| before.replace('#', &i.to_string())).collect();
        format!("// agal 1 fragment\n{lines}{after}")
    };
    let aliases = lines("alias fc#, NAME#\n", 4, "oc = v0\n");
    let defined = lines("%define NAME#\n", 4, "oc = v0\n").replace('%', "#");
    let three_macros = lines("macro M#(a) { out = a }\n", 4, "oc = M0(v0)\n");
    let conditions = "// agal 1 fragment\n#if 1\n#if 1\n#if 1\noc = v0\n#endif\n#endif\n#endif\n";
    let parentheses = "// agal 1 fragment\n#if (((1)))\noc = v0\n#endif\n";
    let calls = "// agal 1 fragment\nmacro A(a) { out = B(a) }\nmacro B(a) { out = rcp(a) }\noc = A(v0)\n";
    vec![
        row("file", plain.len(), |s| listed(&bytes(PLAIN), &Listing::new(), s).into()),
        row("file", plain.len(), |s| checked(&bytes(PLAIN), s).into()),
        row("file", plain.len(), |s| run(&bytes(PLAIN), s)),
        row("file", plain.len(), |s| lowered(&bytes(PLAIN), s).into()),
        row("file", PLAIN.len(), |s| asm(PLAIN, s)),
        row("file", calls.len(), move |s| macros(calls, s)),
        row("file", SWF.len(), |s| File::open(SWF, s).into()),
        row("file", 15, |s| {
            let read = shisa::ir::parse_func("b0:\n  exit\n", &[], &s.limits);
            let read = read.and(shisa::ir::parse_func("b0:\n  exit\n    ", &[], &s.limits));
            read.map_err(Error::from).into()
        }),
        row("programs", programs, |s| match File::open(SWF, s).and_then(|file| file.check()) {
            Ok(found) if found.iter().all(|f| f.program.is_some()) => Fits,
            Ok(found) => Refused(found.into_iter().map(|f| f.diagnostic).collect()),
            Err(e) => Refused(e.diagnostics),
        }),
        row("instructions", 3, |s| asm(PLAIN, s)),
        row("instructions", 3, |s| listed(&bytes(PLAIN), &Listing::new(), s).into()),
        row("instructions", 3, |s| Program::read(&bytes(PLAIN), &s.limits).into()),
        row("instructions", 3, |s| macros("// agal 1 fragment\nft0 = rcp(v0)\nft0 += v0\noc = ft0\n", s)),
        row("nesting", 3, move |s| macros(conditions, s)),
        row("nesting", 4, move |s| macros(parentheses, s)),
        row("nesting", 3, |s| macros("// agal 1 fragment\noc = (((v0)))\n", s)),
        row("nesting", 5, move |s| macros(calls, s)),
        row("nesting", 3, |s| nest(NESTED, s)),
        row("nesting", 3, move |s| {
            let input = RunInput::new(1).input("v0", [[0.5; 4]]);
            executed(&nested, &input, s)
        }),
        row("printed-nesting", 3, |s| nest(NESTED, s)),
        row("labels", 4, move |s| macros(&aliases, s)),
        row("labels", 4, move |s| macros(&defined, s)),
        row("labels", 4, move |s| macros(&three_macros, s)),
        row("diagnostics", 5, move |s| match shisa::assemble(wrong, Language::Agal, s) {
            Err(e) => note(&e.diagnostics),
            Ok(_) => Fits,
        }),
        row("diagnostics", 5, move |s| match shisa::assemble(wrong, Language::AgalMacros, s) {
            Err(e) => note(&e.diagnostics),
            Ok(_) => Fits,
        }),
        row("diagnostics", 3, |s| {
            let bytes = [0, 9, 0, 0, 0, 0, 7].into_iter().chain([0; 24]).collect::<Vec<u8>>();
            match checked(&[&[0xa0], &bytes[1..]].concat(), s) {
                Ok(found) => note(&found),
                Err(e) => Refused(e.diagnostics),
            }
        }),
        row("structure-growth", 1, move |s| nest(branches, s)),
        row("structure-growth", 1, move |s| nest(&long, s)),
        // Two statements around the block.
        row("fuel", 2 + operations, |s| translated(Target::Wgsl, s).into()),
        row("fuel", 2 + operations, |s| translated(SPIRV, s).into()),
        row("text-out", text(&listing), move |s| listing(s).into()),
        row("text-out", text(&live), move |s| live(s).into()),
        row("text-out", text(&graph), move |s| graph(s).into()),
        row("text-out", length(Target::Wgsl), |s| translated(Target::Wgsl, s).into()),
        row("text-out", length(SPIRV), |s| translated(SPIRV, s).into()),
        row("lane-steps", 3, |s| run(&bytes(PLAIN), s)),
        row("run-steps", 3 * 5, |s| run(&bytes(PLAIN), s)),
        // A wave and its three instructions, whatever lanes it has.
        row("run-work", 16 + 22, |s| run(&bytes(PLAIN), s)),
        // The result of each of five lanes, as numbers and as text.
        row("memory", 5 * 192, |s| run(&bytes(PLAIN), s)),
        // Sixteen texels of four components of four bytes, which are more than the result of a lane.
        row("memory", 16 * 4 * 4, sampled),
        row("memory", 100, |s| {
            BufferEnvironment::default().add(Space::Global, 0, &[0; 100], &s.limits).into()
        }),
    ]
}

/// Whether the outcome reports that the limit is too small, with its name and value.
fn told(outcome: &Outcome, name: &str, value: usize) -> bool {
    let named = format!("{name}={value}");
    match outcome {
        Fits => false,
        Refused(list) => list.iter().any(|d| {
            let code = matches!(d.code, "limit-exceeded" | "flow-states");
            code && [&d.message]
                .into_iter()
                .chain(&d.help)
                .any(|t| t.ends_with(&named) || t.contains(&format!("{named} ")))
        }),
        Dispatch => matches!(name, "printed-nesting" | "structure-growth"),
        Counted(text) => text.contains("1 more") && text.contains(&named),
    }
}

#[test]
fn every_limit_is_told_one_below_and_holds_at_its_value_and_above() {
    let (rows, mut wrong) = (rows().into_iter().chain(pica200::rows()).collect::<Vec<_>>(), Vec::new());
    for (i, (name, needs, run)) in rows.iter().enumerate() {
        for value in [needs - 1, *needs, needs + 1] {
            let mut settings = Settings::default();
            assert!(settings.limits.set(name, value as u64), "{name}");
            let outcome = run(&settings);
            let right = if value < *needs { told(&outcome, name, value) } else { matches!(outcome, Fits) };
            if !right {
                wrong.push(format!("row {i}: {name}={value}, {needs} is needed: {outcome:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let names: BTreeSet<&str> = rows.iter().map(|r| r.0).collect();
    assert_eq!(names, Limits::NAMES.iter().copied().collect());
}
