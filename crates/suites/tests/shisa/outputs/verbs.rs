//! The verbs whose outputs are compared, each with all of its options.

use super::digest::Sink;
use shisa::data::Syntax;
use shisa::translation::{Code, Form, GlslVersion, Options, Output, ShaderModel, SpirvVersion, Target};
use shisa::{File, Isa, Listing, Program, Settings};
use std::fmt::{Debug, Write};

/// A verb's outputs for a file.
pub(super) type Verb = fn(&mut Sink, &[u8], &Settings);

/// Every program of a file; a file that does not open has no program.
fn each(sink: &mut Sink, bytes: &[u8], settings: &Settings, mut verb: impl FnMut(&mut Sink, &Program<'_>)) {
    match File::open(bytes, settings) {
        Ok(file) => file.programs().for_each(|program| verb(sink, &program)),
        Err(e) => sink.output("open", Err::<String, _>(e)),
    }
}

fn debug(value: impl Debug) -> String {
    format!("{value:#?}\n")
}

/// What the file is, and its programs as files and as values.
pub(super) fn identify(sink: &mut Sink, bytes: &[u8], settings: &Settings) {
    sink.output("inspect", Ok(debug(File::inspect(bytes, settings))));
    each(sink, bytes, settings, |sink, program| {
        sink.output("entry", program.entry().map(debug));
        sink.output("extract", program.extract().map(debug));
        sink.output("instructions", program.instructions(&Listing::new()).map(debug));
    });
}

/// The syntaxes of a family, and the options of each.
fn listings(isa: Option<Isa>) -> Vec<Listing> {
    let (all, nvdisasm) = (Listing::new(), Listing::new().syntax(Syntax::Nvdisasm));
    let mut list = vec![
        all,
        all.live(true),
        all.offsets(true),
        all.bytes(true),
        all.live(true).offsets(true).bytes(true),
    ];
    list.extend(match isa {
        Some(Isa::Agal) => vec![all.syntax(Syntax::Adobe), all.syntax(Syntax::Adobe).offsets(true)],
        Some(Isa::Maxwell) => vec![
            nvdisasm,
            nvdisasm.bytes(true),
            nvdisasm.novliw(true),
            nvdisasm.ndf(true),
            nvdisasm.code(true),
        ],
        Some(Isa::Agx) => vec![
            all.syntax(Syntax::Mesa),
            all.syntax(Syntax::Applegpu),
            all.syntax(Syntax::Applegpu).bytes(true),
        ],
        _ => vec![],
    });
    list
}

/// Listings of the file with all options, and one of each program.
pub(super) fn listing(sink: &mut Sink, bytes: &[u8], settings: &Settings) {
    match File::open(bytes, settings) {
        Ok(file) => {
            for (number, how) in listings(file.isa()).iter().enumerate() {
                sink.output(&format!("file.{number}"), file.listing(how));
            }
            for program in file.programs() {
                sink.output(&program.number().to_string(), program.listing(&Listing::new()));
            }
        }
        Err(e) => sink.output("open", Err::<String, _>(e)),
    }
}

/// Listings as JSON.
pub(super) fn json(sink: &mut Sink, bytes: &[u8], settings: &Settings) {
    each(sink, bytes, settings, |sink, program| {
        for how in [Listing::new(), Listing::new().live(true)] {
            let listing = program.listing_json(&how);
            let text = serde_json::to_string(&listing);
            sink.output("json", text.map_err(|_| listing.failed().unwrap()));
        }
    });
}

/// The findings of the file, with where they are.
pub(super) fn check(sink: &mut Sink, bytes: &[u8], settings: &Settings) {
    match File::open(bytes, settings) {
        Ok(file) => sink.output("check", file.check().map(debug)),
        Err(e) => sink.output("open", Err::<String, _>(e)),
    }
}

/// Control flow graphs and what is live in them.
pub(super) fn graph(sink: &mut Sink, bytes: &[u8], settings: &Settings) {
    each(sink, bytes, settings, |sink, program| {
        let graph = program.cfg();
        sink.output(
            "graph",
            graph.as_ref().map_err(Clone::clone).map(|graph| {
                let blocks: Vec<_> = graph.blocks().collect();
                let edges: Vec<_> = (0..blocks.len()).map(|block| graph.edges(block)).collect();
                format!("{}\n{blocks:?}\n{edges:?}\n{:?}\n", graph.complete(), graph.live())
            }),
        );
        sink.output("dot", graph.and_then(|graph| graph.dot()));
    });
}

/// Estimated costs.
pub(super) fn report(sink: &mut Sink, bytes: &[u8], settings: &Settings) {
    each(sink, bytes, settings, |sink, program| {
        sink.output("report", program.report().map(|report| format!("{report}\n{}\n", report.json)));
    });
}

/// A translation, how to bind it, and where it is from.
fn translation(output: &Output) -> String {
    let mut text = match &output.code {
        Code::Text(text) => text.clone(),
        Code::Words(words) => words.iter().map(|word| format!("{word:08x}\n")).collect(),
    };
    let (reflection, warnings, map) = (&output.reflection, &output.warnings, &output.source_map);
    let _ = write!(text, "{reflection:#?}\n{warnings:#?}\n{map:?}\n");
    text
}

/// Every language in a version that has all stages.
const TARGETS: [Target; 6] = [
    Target::Wgsl,
    Target::Spirv(SpirvVersion::V1_3),
    Target::Msl,
    Target::Glsl(GlslVersion::Core450),
    Target::Glsl(GlslVersion::Es310),
    Target::Hlsl(ShaderModel::V5_1),
];

/// Translations to every language.
pub(super) fn translate(sink: &mut Sink, bytes: &[u8], settings: &Settings) {
    each(sink, bytes, settings, |sink, program| {
        for (number, target) in TARGETS.into_iter().enumerate() {
            let output = program.translate(target, &Options::default());
            sink.output(&format!("{}.{number}", target.name()), output.map(|o| translation(&o)));
        }
    });
}

/// Translations with options: as kernels, with comments, with subgroups.
pub(super) fn options(sink: &mut Sink, bytes: &[u8], settings: &Settings) {
    let kernel = Options { form: Form::Compute, ..Options::default() };
    let comments = Options { comments: true, exact: true, ..Options::default() };
    let mut with_subgroups = settings.clone();
    with_subgroups.subgroups = true;
    for (label, settings, options) in [
        ("kernel", settings, kernel),
        ("comments", settings, comments),
        ("subgroups", &with_subgroups, Options::default()),
    ] {
        each(sink, bytes, settings, |sink, program| {
            for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
                let output = program.translate(target, &options);
                sink.output(&format!("{label}.{}", target.name()), output.map(|o| translation(&o)));
            }
        });
    }
}
