//! Every verb on programs of every instruction set: the limits that it touches, each at the least value that suffices,
//! one below, and one above.

use super::{Outcome, told};
use serde_json::to_string;
use shisa::translation::{Options, Target};
use shisa::{File, Language, Listing, RunOptions, Settings};
use std::collections::BTreeMap;

/// A file, and inputs for a run of it.
struct Sample {
    name: &'static str,
    bytes: Vec<u8>,
    input: Option<&'static str>,
}

/// The limits that refuse. The others change the form of an output (`printed-nesting`, `structure-growth`), or how many
/// findings are listed.
const LIMITS: [&str; 11] = [
    "file",
    "programs",
    "instructions",
    "nesting",
    "labels",
    "fuel",
    "text-out",
    "lane-steps",
    "run-steps",
    "run-work",
    "memory",
];

/// The limits that each verb touches, for all samples of an instruction set together.
const TOUCHED: &[(&str, &str, &str)] = &[];

fn samples() -> Vec<Sample> {
    let assembled = |source: &str, language: Language| {
        shisa::assemble(source, language, &Settings::new()).expect("it assembles").bytes
    };
    let sample = |name, bytes: Vec<u8>, input| Sample { name, bytes, input };
    let fog = include_str!("../../../../examples/fog.frag.agal");
    let flat = include_str!("../../../../examples/flat.v.pica");
    let saxpy = include_str!("../../../../examples/saxpy.maxwell");
    let collatz = include_str!("../../../../examples/collatz.agx");
    vec![
        sample("agal", assembled(fog, Language::Agal), Some(include_str!("../../../../examples/fog.json"))),
        sample("agal source", fog.into(), Some(include_str!("../../../../examples/fog.json"))),
        sample("agal swf", include_bytes!("../../../../tests/swf/shaders.swf").to_vec(), None),
        sample(
            "pica200",
            assembled(flat, Language::Picasso),
            Some(include_str!("../../../../examples/flat.json")),
        ),
        sample("pica200 csdr", include_bytes!("../../../../tests/identify/shaders.csdr").to_vec(), None),
        sample(
            "maxwell",
            assembled(saxpy, Language::Maxwell),
            Some(include_str!("../../../../examples/saxpy.json")),
        ),
        sample("maxwell fatbin", include_bytes!("../../../../tests/identify/kernels.fatbin").to_vec(), None),
        sample("maxwell dksh", include_bytes!("../../../../tests/identify/shaders.dksh").to_vec(), None),
        sample(
            "agx",
            assembled(collatz, Language::Agx),
            Some(include_str!("../../../../examples/collatz.json")),
        ),
        sample("agx source", collatz.into(), Some(include_str!("../../../../examples/collatz.json"))),
        sample(
            "agx archive",
            include_bytes!("../../../../tests/identify/shaders.metal-archive").to_vec(),
            None,
        ),
        sample("agx part", include_bytes!("../../../../tests/link/main.json").to_vec(), None),
    ]
}

type Verb = (&'static str, fn(&Sample, &Settings) -> shisa::Result<()>);

const VERBS: [Verb; 11] = [
    ("identify", |sample, settings| {
        let (_, found) = File::inspect(&sample.bytes, settings);
        if found.is_empty() { Ok(()) } else { Err(found.into()) }
    }),
    ("listing", |sample, settings| opened(sample, settings)?.listing(&Listing::new()).map(drop)),
    ("json", |sample, settings| {
        let file = opened(sample, settings)?;
        to_string(&file.listing_json(&Listing::new())).map(drop).map_err(|e| {
            // The error of the listing is text here.
            shisa::diag::Diagnostic::error("limit-exceeded", e.to_string()).into()
        })
    }),
    ("check", |sample, settings| {
        let found = opened(sample, settings)?.check()?.into_iter().map(|f| f.diagnostic);
        let limits: Vec<_> = found.filter(|d| d.code == "limit-exceeded").collect();
        if limits.is_empty() { Ok(()) } else { Err(limits.into()) }
    }),
    ("cfg", |sample, settings| opened(sample, settings)?.program(1)?.cfg()?.dot().map(drop)),
    ("run", |sample, settings| match sample.input {
        Some(input) => opened(sample, settings)?.program(1)?.run_json(input, RunOptions::new()).map(drop),
        None => Ok(()),
    }),
    ("lower", |sample, settings| opened(sample, settings)?.program(1)?.lower().map(drop)),
    ("translate", |sample, settings| {
        opened(sample, settings)?.program(1)?.translate(Target::Wgsl, &Options::default()).map(drop)
    }),
    ("extract", |sample, settings| opened(sample, settings)?.program(1)?.extract().map(drop)),
    ("report", |sample, settings| opened(sample, settings)?.program(1)?.report().map(drop)),
    ("replace", |sample, settings| {
        let file = opened(sample, settings)?;
        let code = file.program(1)?.extract()?;
        file.replace(1, &code).map(drop)
    }),
];

fn opened<'s>(sample: &'s Sample, settings: &Settings) -> shisa::Result<File<'s>> {
    let file = File::open(&sample.bytes, settings)?;
    let limits: Vec<_> = file.diagnostics().iter().filter(|d| d.code == "limit-exceeded").cloned().collect();
    if limits.is_empty() { Ok(file) } else { Err(limits.into()) }
}

#[test]
fn verbs_tell_each_limit_one_below_what_they_need() {
    let (mut wrong, mut touched) = (Vec::new(), BTreeMap::<(String, &str), Vec<&str>>::new());
    for sample in samples() {
        for (verb, run) in VERBS {
            let outcome = |limit: &str, value: u64| {
                let mut settings = Settings::new();
                assert!(settings.limits.set(limit, value), "{limit}");
                Outcome::from(run(&sample, &settings))
            };
            let fits = |limit: &str, value| matches!(outcome(limit, value), Outcome::Fits);
            if !matches!(Outcome::from(run(&sample, &Settings::new())), Outcome::Fits) {
                // The verb does not apply.
                continue;
            }
            for limit in LIMITS {
                if fits(limit, 0) {
                    continue;
                }
                let isa = sample.name.split(' ').next().unwrap_or_default().to_owned();
                let list = touched.entry((isa, verb)).or_default();
                if !list.contains(&limit) {
                    list.push(limit);
                }
                // The least value that suffices is above `low`, and at most `high`.
                let (mut low, mut high) = (0, 1 << 32);
                while high - low > 1 {
                    let middle = low + (high - low) / 2;
                    if fits(limit, middle) { high = middle } else { low = middle }
                }
                let below = outcome(limit, low);
                if !told(&below, limit, low as usize) {
                    wrong.push(format!("{} {verb}: {limit}={low}, {high} is needed: {below:?}", sample.name));
                }
                if !fits(limit, high) || !fits(limit, high + 1) {
                    wrong
                        .push(format!("{} {verb}: {limit}={high} or one more does not suffice", sample.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let found: Vec<(String, &str, String)> = touched
        .into_iter()
        .map(|((isa, verb), mut limits)| {
            limits.sort_unstable();
            (isa, verb, limits.join(" "))
        })
        .collect();
    let expected: Vec<(String, &str, String)> =
        TOUCHED.iter().map(|(isa, verb, limits)| (isa.to_string(), *verb, limits.to_string())).collect();
    assert_eq!(found, expected);
}
