//! What the verbs output for every program of the corpus, compared with `expected.txt`, which has a digest for each set
//! of programs and verb.
//!
//! A digest cannot show that an output is right: the conformance sets do that. It shows that an output has changed,
//! which no change of the code may do unnoticed. A test that fails writes the outputs as files; run it with `KEEP=1` on
//! the commit before to get the files to compare with. `BLESS=1` writes the digests.

mod digest;
mod verbs;

use digest::Sink;
use shisa::{Isa, Settings};
use shisa_conformance::{Data, programs};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use verbs::Verb;

/// The file of digests. Tests run beside each other, so that only one of them may write it.
static EXPECTED: Mutex<&str> = Mutex::new("tests/shisa/outputs/expected.txt");

/// Compares the outputs of a verb for the programs of a set, such as `agal/bin`.
fn same(set: &str, name: &str, verb: Verb) {
    let data = Data::corpus(set.split('/').next().unwrap()).unwrap();
    let programs = programs(&data, set).unwrap();
    compare(set, name, |sink| {
        for program in &programs {
            sink.program(&program.name);
            verb(sink, &program.bytes, &Settings::untrusted());
        }
    });
}

/// Compares outputs with the digest of this set and name.
fn compare(set: &str, name: &str, outputs: impl Fn(&mut Sink)) {
    let (key, mut sink) = (format!("{set} {name} "), Sink::default());
    outputs(&mut sink);
    let line = sink.line();
    let expected = EXPECTED.lock().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(*expected);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("BLESS").is_some() {
        let mut lines: Vec<&str> = text.lines().filter(|l| !l.starts_with(&key)).collect();
        let new = format!("{key}{line}");
        lines.push(&new);
        lines.sort_unstable();
        return std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    }
    drop(expected);
    let found = text.lines().find_map(|l| l.strip_prefix(&key));
    if found == Some(line.as_str()) && std::env::var_os("KEEP").is_none() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("outputs").join(set).join(name);
    outputs(&mut Sink::into_folder(folder.clone()));
    assert_eq!(found, Some(line.as_str()), "{set} {name}: the outputs are in {}", folder.display());
}

/// The pages of `explain` for all words of the instruction sets, and for those that none of them has alone.
#[test]
fn explain() {
    for isa in Isa::ALL.iter().copied().map(Some).chain([None]) {
        compare(isa.map_or("all", Isa::name), "explain", |sink| {
            for word in shisa::explain::words(isa) {
                let page = shisa::explain(&word, isa);
                sink.output(&word.replace('/', "_"), page.map(|page| format!("{page:#?}\n")));
            }
        });
    }
}

/// Declares a test for each set of programs and verb.
macro_rules! outputs {
    ($($family:ident: $($set:literal)+, $($verb:ident)+;)*) => {
        $(mod $family {
            outputs!(@verbs [$($set)+] $($verb)+);
        })*
    };
    (@verbs $sets:tt $($verb:ident)+) => {
        $(outputs!(@test $verb $sets);)+
    };
    (@test $verb:ident [$($set:literal)+]) => {
        #[test]
        fn $verb() {
            $(super::same($set, stringify!($verb), super::verbs::$verb);)+
        }
    };
}

// What NVIDIA's compilers made is not translated: the licence of its SDK is said to forbid it.
outputs! {
    agal: "agal/bin" "agal/errors", identify listing json check graph report translate options;
    pica200: "pica200/bin" "pica200/errors", identify listing json check graph report translate options;
    agx: "agx/exec" "agx/links", identify listing json check graph report translate options;
    maxwell: "maxwell/glsl", identify listing json check graph report translate options;
    cubins: "maxwell/cuda" "maxwell/ptx", identify listing json check graph report;
}
