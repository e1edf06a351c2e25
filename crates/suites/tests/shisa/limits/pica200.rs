//! The limits for PICA200.

use super::{Outcome, Row, checked, dispatch, first, listed, lowered, note, row};
use shisa::diag::Severity;
use shisa::pica200::container::Shbin;
use shisa::pica200::picasso::{Options, Source, assemble, listing};
use shisa::pica200::{ShaderRun, ShaderSet};
use shisa::{Error, Listing, RunOptions, Settings};

/// Three words.
const PLAIN: &str = ".out o position\n.proc main\nadd r0, v0, v0\nmov o, r0\nend\n.end\n";

/// Another program for the same file.
const OTHER: &str = ".out o position\n.proc other\nadd r0, v0, v0\nmov o, r0\nend\n.end\n.entry other\n";

/// Three nested conditions.
const NESTED: &str = ".out o position\n.proc main\nmov r0, v0\nifu b0\nifu b1\nifu b2\nadd r0, r0, r0\n\
                      .end\nnop\n.end\nnop\n.end\nmov o, r0\nend\n.end\n";

/// A square of two triangles from a point.
const SPRITE: &str = include_str!("../../../../../examples/sprite.g.pica");

fn asm(texts: &[&str], options: &Options, settings: &Settings) -> Result<Vec<u8>, Error> {
    let sources: Vec<Source<'_>> = texts.iter().map(|text| Source { name: "a", text }).collect();
    let done = assemble(&sources, options, &settings.limits);
    let found: Vec<_> = done.findings.into_iter().map(|f| f.diagnostic).collect();
    done.bytes.ok_or_else(|| Error::from(found))
}

fn bytes(texts: &[&str]) -> Vec<u8> {
    let options = Options { labels: true, ..Options::default() };
    asm(texts, &options, &Settings::default()).expect("it assembles")
}

fn run(file: &[u8], runs: usize, settings: &Settings) -> Outcome {
    let set = ShaderSet { runs: vec![ShaderRun::default(); runs], ..ShaderSet::default() };
    first(file, settings).and_then(|p| shisa::pica200::run(&p, &[set], RunOptions::new())).into()
}

fn nest(settings: &Settings) -> Outcome {
    dispatch(lowered(&bytes(&[NESTED]), settings))
}

/// The findings about a faulty source.
fn faults(source: &str, settings: &Settings) -> Outcome {
    let sources = [Source { name: "a", text: source }];
    let findings = assemble(&sources, &Options::default(), &settings.limits).findings;
    note(&findings.into_iter().map(|f| f.diagnostic).collect::<Vec<_>>())
}

fn text(settings: &Settings) -> shisa::Result<String> {
    listed(&bytes(&[PLAIN]), &Listing::new(), settings)
}

fn with_lines(settings: &Settings) -> shisa::Result<String> {
    let sources = [Source { name: "a", text: PLAIN }];
    let done = assemble(&sources, &Options::default(), &Settings::default().limits);
    Ok(listing(&sources, &done, &settings.limits)?)
}

pub(super) fn rows() -> Vec<Row> {
    let plain = bytes(&[PLAIN]);
    let length = |f: fn(&Settings) -> shisa::Result<String>| f(&Settings::default()).expect("text").len();
    let file = plain.len();
    let names = ".alias a r0\n.alias b r1\n.alias c r2\n.proc main\nend\n.end\n";
    let labels = ".proc main\na: nop\nb: nop\nc: nop\nend\n.end\n";
    let procedures = ".proc one\nnop\n.end\n.proc two\nnop\n.end\n.proc main\nend\n.end\n";
    let wrong = ".proc main\nfoo\nbar\nmov r0\nmov q, r0\nadd\nend\n.end\n";
    let long = format!("{PLAIN}; {}\n", "a ".repeat(500));
    // A number and four components.
    let register = 20;
    // Four vertices of three outputs; two of them also output a triangle.
    let emitted = 4 * 64 + (2 + 2 * 4) * 3 * register;
    // The label table names each procedure.
    let tables = Shbin::read(&plain, &Settings::default().limits).expect("it reads").programs;
    let named = tables.iter().map(|d| d.labels.len() + d.uniforms.len()).sum();
    assert!(named > 0, "there is something to count");
    let unknown = {
        let mut read = Shbin::read(&plain, &Settings::default().limits).expect("it reads");
        read.code.iter_mut().take(2).for_each(|w| *w = 0x11 << 26);
        read.write(&Settings::default().limits).expect("it is written")
    };
    let found = checked(&unknown, &Settings::default()).expect("it reads");
    assert!(found.iter().filter(|d| d.severity == Severity::Error).count() >= 2);
    vec![
        row("file", file, |s| listed(&bytes(&[PLAIN]), &Listing::new(), s).into()),
        row("file", file, |s| checked(&bytes(&[PLAIN]), s).into()),
        row("file", file, |s| run(&bytes(&[PLAIN]), 5, s)),
        row("file", file, |s| lowered(&bytes(&[PLAIN]), s).into()),
        row("file", file, |s| {
            let read = Shbin::read(&bytes(&[PLAIN]), &Settings::default().limits).expect("it reads");
            read.write(&s.limits).into()
        }),
        // The text is longer than the file that it assembles to.
        row("file", long.len(), move |s| asm(&[&long], &Options::default(), s).into()),
        row("programs", 2, |s| checked(&bytes(&[PLAIN, OTHER]), s).into()),
        row("programs", 2, |s| asm(&[PLAIN, OTHER], &Options::default(), s).into()),
        row("instructions", 3, |s| text(s).into()),
        row("instructions", 3, |s| asm(&[PLAIN], &Options::default(), s).into()),
        row("labels", named, |s| checked(&bytes(&[PLAIN]), s).into()),
        row("labels", 3, move |s| asm(&[names], &Options::default(), s).into()),
        row("labels", 3, move |s| asm(&[labels], &Options::default(), s).into()),
        row("labels", 3, move |s| asm(&[procedures], &Options::default(), s).into()),
        row("diagnostics", 5, move |s| faults(wrong, s)),
        row("diagnostics", found.len(), move |s| match checked(&unknown, s) {
            Ok(found) => note(&found),
            Err(e) => Outcome::Refused(e.diagnostics),
        }),
        row("printed-nesting", 3, nest),
        row("text-out", length(text), |s| text(s).into()),
        row("text-out", length(with_lines), |s| with_lines(s).into()),
        row("lane-steps", 3, |s| run(&bytes(&[PLAIN]), 5, s)),
        row("run-steps", 3 * 5, |s| run(&bytes(&[PLAIN]), 5, s)),
        row("run-work", 16 + 46, |s| run(&bytes(&[PLAIN]), 5, s)),
        // An output and the final registers, for each run.
        row("memory", 5 * 3 * register, |s| run(&bytes(&[PLAIN]), 5, s)),
        row("memory", emitted, |s| run(&bytes(&[SPRITE]), 1, s)),
    ]
}
