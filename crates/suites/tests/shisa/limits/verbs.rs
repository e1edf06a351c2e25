//! Every limit, every verb and every kind of file.
//!
//! For each of them the least value of the limit is looked up at which the verb does what it does by default. One below
//! it and at smaller values the verb must name the limit and its value; at it and one above, the verb must do the same as
//! by default. `verbs.txt` lists the limits that each verb obeys: a limit that no longer acts somewhere changes that list.

use shisa::agx::LinkedFile;
use shisa::diag::{Diagnostic, Limit};
use shisa::translation::{Options, SpirvVersion, Target};
use shisa::{Error, File, Language, Listing, RunOptions, Settings};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// A file, and what the verbs need besides.
#[derive(Default)]
struct Subject {
    name: &'static str,
    bytes: Vec<u8>,
    /// The file's name, which can state the language of a source.
    file: Option<&'static str>,
    /// The input of a run.
    input: &'static str,
    /// The language, if it is a source.
    language: Option<Language>,
}

/// The output of a verb, and its findings.
type Done = Result<(String, Vec<Diagnostic>), Error>;

/// A verb.
type Verb = (&'static str, fn(&Subject, &Settings) -> Done);

fn assembled(source: &str, language: Language) -> Vec<u8> {
    shisa::assemble(source, language, &Settings::default()).expect(source).bytes
}

/// Nested conditions.
const NESTED: &str = "// agal 2 fragment\nmov ft0, v0\nife ft0.x, fc0.x\nife ft0.y, fc0.x\nadd ft0, ft0, fc1\n\
                      eif\nels\nmov ft0, fc1\neif\nmov oc, ft0\n";

/// Errors, one of each line.
const FAULTY: &str = "// agal 1 vertex\nmov\nfoo\nmov q0, va0\nbar\nmov op\n";

/// A macro, a name and nested expressions.
const MACROS: &str = "// agal 1 fragment\n#define ON\n#if (1)\nalias fc0, colour\nmacro twice(a) { out = (a) + a }\n\
                      oc = twice((v0)) + colour\n#endif\n";

const PICA200: &str = ".out o position\n.proc main\nmov r0, v0\nifu b0\nifu b1\nadd r0, r0, r0\n.end\nnop\n.end\n\
                       for i0\nadd r0, r0, v0\n.end\nmov o, r0\nend\n.end\n";

const FUNCTION: &str = "b0:\n  exit\n";

fn subjects() -> Vec<Subject> {
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let text = |name: &str| String::from_utf8(read(name)).expect("UTF-8");
    let agal_input = r#"{"lanes": 2, "varyings": {"v0": ["3f800000 00000000 00000000 3f800000", "3f800000 00000000 00000000 3f800000"]},
        "constants": {"fc0": "3f000000 00000000 00000000 00000000", "fc1": "40000000 00000000 00000000 00000000"}}"#;
    let pica200_input = r#"{"sets": [{"i": {"i0": [1, 0, 1, 0]}, "b": "0003",
        "vertices": [{"in": {"v0": "3f800000 3f800000 c0000000 00000000"}}]}]}"#;
    let saxpy = r#"{"grid": [1, 1, 1], "block": [32, 1, 1], "params": "020000000000004000100000010000000020000001000000",
        "buffers": [{"address": "0x100001000", "type": "f32", "data": "AACAPwAAAEA="},
                    {"address": "0x100002000", "type": "f32", "data": "AAAAAAAAIEE="}]}"#;
    let collatz = r#"{"grid": [2, 1, 1], "workgroup": [2, 1, 1], "uniforms_hex": "0000000001000000",
        "buffers": [{"addr": 4294967296, "data": "AAAAAAAAAAA="}]}"#;
    let source = |name, source: &str, language, file, input| Subject {
        name,
        bytes: source.into(),
        file: Some(file),
        input,
        language: Some(language),
    };
    let file = |name, bytes, input| Subject { name, bytes, input, ..Subject::default() };
    let other = |name, path| file(name, read(path), "");
    let (maxwell, agx) = (text("examples/saxpy.maxwell"), text("examples/collatz.agx"));
    vec![
        source("agal text", NESTED, Language::Agal, "a.agal", agal_input),
        source("agal faulty text", FAULTY, Language::Agal, "a.agal", ""),
        source("agal macros", MACROS, Language::AgalMacros, "a.agal", ""),
        file("agal", assembled(NESTED, Language::Agal), agal_input),
        other("swf", "tests/swf/shaders.swf"),
        other("swf inside of swf", "tests/swf/nested.swf"),
        other("swc", "tests/swf/library.swc"),
        source("pica200 text", PICA200, Language::Picasso, "a.pica", pica200_input),
        file("pica200", assembled(PICA200, Language::Picasso), pica200_input),
        other("csdr", "tests/identify/shaders.csdr"),
        source("maxwell text", &maxwell, Language::Maxwell, "a.maxwell", saxpy),
        file("maxwell", assembled(&maxwell, Language::Maxwell), saxpy),
        other("cubin", "tests/identify/kernels.cubin"),
        other("fatbin", "tests/identify/kernels.fatbin"),
        other("library", "tests/identify/library.so"),
        other("dksh", "tests/identify/shaders.dksh"),
        other("nvn", "tests/identify/shader.nvn-code"),
        other("nvn control", "tests/identify/shader.nvn-control"),
        other("sph", "tests/identify/shader.sph"),
        source("agx text", &agx, Language::Agx, "a.agx", collatz),
        file("agx", assembled(&agx, Language::Agx), collatz),
        other("metal archive", "tests/identify/shaders.metal-archive"),
        other("agx part", "tests/link/main.json"),
        file("function", FUNCTION.into(), ""),
    ]
}

/// The file, opened with these settings.
fn open<'s>(subject: &'s Subject, settings: &Settings) -> Result<File<'s>, Error> {
    let mut settings = settings.clone();
    settings.name = subject.file.map(Into::into);
    File::open(&subject.bytes, &settings)
}

/// Work on the first program, with the findings from opening the file.
fn first(
    subject: &Subject,
    settings: &Settings,
    work: impl Fn(&shisa::Program<'_>) -> Result<String, Error>,
) -> Done {
    let file = open(subject, settings)?;
    Ok((work(&file.program(1)?)?, file.diagnostics().to_vec()))
}

/// Work on the whole file, with the findings from opening it.
fn whole(subject: &Subject, settings: &Settings, work: impl Fn(&File<'_>) -> Result<String, Error>) -> Done {
    let file = open(subject, settings)?;
    Ok((work(&file)?, file.diagnostics().to_vec()))
}

fn translated(subject: &Subject, settings: &Settings, target: Target) -> Done {
    first(subject, settings, |p| Ok(format!("{:?}", p.translate(target, &Options::default())?.code)))
}

fn verbs() -> Vec<Verb> {
    vec![
        ("identify", |subject, settings| {
            let (identity, found) = File::inspect(&subject.bytes, settings);
            Ok((format!("{identity:?}"), found))
        }),
        ("dis", |subject, settings| {
            whole(subject, settings, |file| file.listing(&Listing::new().live(true)))
        }),
        ("dis --format json", |subject, settings| {
            whole(subject, settings, |file| {
                let json = file.listing_json(&Listing::new());
                match serde_json::to_string(&json) {
                    Ok(text) => Ok(text),
                    Err(_) => Err(json.failed().expect("only a program fails")),
                }
            })
        }),
        ("check", |subject, settings| {
            let found = open(subject, settings)?.check()?;
            let findings: Vec<Diagnostic> = found.into_iter().map(|f| f.diagnostic).collect();
            Ok((format!("{findings:?}"), findings))
        }),
        ("dis --cfg", |subject, settings| first(subject, settings, |p| p.cfg()?.dot())),
        ("report", |subject, settings| first(subject, settings, |p| Ok(format!("{:?}", p.report()?)))),
        ("extract", |subject, settings| first(subject, settings, |p| Ok(format!("{:?}", p.extract()?)))),
        ("instructions", |subject, settings| {
            first(subject, settings, |p| Ok(format!("{:?}", p.instructions(&Listing::new())?)))
        }),
        ("asm --into", |subject, settings| {
            whole(subject, settings, |file| {
                Ok(format!("{:?}", file.replace(1, &file.program(1)?.extract()?)?))
            })
        }),
        ("asm", |subject, settings| {
            let (Some(language), Ok(text)) = (subject.language, std::str::from_utf8(&subject.bytes)) else {
                return Err(Vec::new().into());
            };
            let done = shisa::assemble(text, language, settings)?;
            Ok((format!("{:?}", done.bytes), done.diagnostics))
        }),
        ("run", |subject, settings| {
            whole(subject, settings, |file| Ok(file.run_json(subject.input, RunOptions::new())?.to_string()))
        }),
        ("translate to WGSL", |subject, settings| translated(subject, settings, Target::Wgsl)),
        ("translate to SPIR-V", |subject, settings| {
            translated(subject, settings, Target::Spirv(SpirvVersion::V1_3))
        }),
        ("translate to MSL", |subject, settings| translated(subject, settings, Target::Msl)),
        ("run --engine batch", |subject, settings| {
            first(subject, settings, |p| {
                p.lower()?.batch(shisa::data::engines::Precision::Exact)?;
                Ok(String::new())
            })
        }),
        ("link", |subject, settings| {
            let linked = LinkedFile::read(&subject.bytes, settings)?;
            Ok((linked.to_json().to_string(), Vec::new()))
        }),
        ("parse", |subject, settings| {
            let text = std::str::from_utf8(&subject.bytes).map_err(|_| Vec::new())?;
            let func = shisa::ir::parse_func(text, &[], &settings.limits)?;
            Ok((format!("{func:?}"), Vec::new()))
        }),
    ]
}

/// The outcome at a value of a limit.
fn outcome(verb: Verb, subject: &Subject, limit: Limit, value: u64) -> Done {
    let mut settings = Settings::default();
    assert!(settings.limits.set(limit.name(), value), "{}", limit.name());
    verb.1(subject, &settings)
}

/// Whether the outcome names the limit and its value.
fn names(verb: Verb, done: &Done, usual: &Done, limit: Limit, value: u64) -> bool {
    let found = match done {
        Err(e) => &e.diagnostics,
        Ok((_, found)) => found,
    };
    let text = |d: &Diagnostic| [vec![d.message.clone()], d.notes.clone(), d.help.clone()].concat();
    let wanted = format!("{}={value}", limit.name());
    let named = found.iter().flat_map(text).any(|text| {
        text.match_indices(&wanted)
            .any(|(at, _)| !text[at + wanted.len()..].starts_with(|c: char| c.is_ascii_digit()))
    });
    let other = match limit {
        // A deep or large program is written as a loop over its blocks.
        Limit::PrintedNesting | Limit::StructureGrowth => true,
        // A listing with too many labels has numbers instead, and assembles to the same bytes.
        Limit::Labels => verb.0.starts_with("dis"),
        _ => false,
    } && done.is_ok()
        && usual.is_ok();
    named || other
}

/// The least value at which the verb does as by default, if there are smaller ones.
fn least(acts: impl Fn(u64) -> bool, usual: u64) -> Option<u64> {
    if acts(0) {
        return None;
    }
    let (mut low, mut high) = (0, 1);
    while high < usual && !acts(high) {
        (low, high) = (high, high * 2);
    }
    let mut high = high.min(usual);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if acts(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[test]
fn every_verb_names_every_limit_that_it_obeys() {
    let (mut list, mut wrong, mut seen) = (String::new(), Vec::new(), BTreeSet::new());
    for subject in subjects() {
        for verb in verbs() {
            let usual = verb.1(&subject, &Settings::default());
            // What is refused for another reason shows nothing; findings of an assembler have a limit of their own.
            let counted = matches!(&usual, Err(e) if verb.0 == "asm" && e.diagnostics.len() > 1);
            if usual.is_err() && !counted {
                continue;
            }
            let mut obeyed = Vec::new();
            for limit in Limit::ALL.iter().copied() {
                let most = Settings::default().limits.get(limit);
                let acts = |value| outcome(verb, &subject, limit, value) == usual;
                let Some(needed) = least(acts, most) else { continue };
                obeyed.push(limit.name());
                seen.insert(limit);
                let case = format!("{} {} {}={needed}", subject.name, verb.0, limit.name());
                for below in BTreeSet::from([0, needed / 2, needed - 1]) {
                    let done = outcome(verb, &subject, limit, below);
                    if !names(verb, &done, &usual, limit, below) {
                        wrong.push(format!("{case}: {below} is not named: {done:?}"));
                    }
                }
                for fits in [needed, needed + 1] {
                    if !acts(fits) {
                        wrong.push(format!("{case}: {fits} does not suffice"));
                    }
                }
            }
            let _ = writeln!(list, "{}, {}: {}", subject.name, verb.0, obeyed.join(" "));
        }
    }
    for text in &mut wrong {
        text.truncate(text.char_indices().nth(400).map_or(text.len(), |(at, _)| at));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shisa/limits/verbs.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &list).expect("the list is written");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), list);
    assert_eq!(seen, Limit::ALL.iter().copied().collect());
}
