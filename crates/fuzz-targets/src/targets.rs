//! The targets. Each returns whether the input was accepted.

use crate::program;
use shisa::agal::{RunInput, TextureInput};
use shisa::data::Container;
use shisa::diag::{Diagnostic, Place, Severity};
use shisa::ir::{Dim, Stage};
use shisa::translation::{Code, Form, GlslVersion, Options, Output, ShaderModel, SpirvVersion, Target};
use shisa::{File, Isa, Language, Listing, Program, RunOptions, Settings};
use std::collections::BTreeMap;

/// Small limits, so that every input is processed quickly.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    let limits = &mut settings.limits;
    limits.file = 1 << 20;
    limits.diagnostics = 50;
    limits.lane_steps = 10_000;
    limits.fuel = 1_000_000;
    limits.text_out = 1 << 24;
    limits.memory = 1 << 24;
    settings
}

/// The same settings for bytes of an instruction set.
pub(crate) fn settings_for(isa: Isa) -> Settings {
    settings().isa(isa)
}

/// The first program of a file.
pub(crate) fn first<'b>(bytes: &'b [u8], settings: &Settings) -> shisa::Result<Program<'b>> {
    File::open(bytes, settings)?.program(1)
}

/// All findings of a file's check.
pub(crate) fn checked(bytes: &[u8], settings: &Settings) -> shisa::Result<Vec<Diagnostic>> {
    Ok(File::open(bytes, settings)?.check()?.into_iter().map(|f| f.diagnostic).collect())
}

/// Checks that labels are inside the input.
pub(crate) fn sane(found: &[Diagnostic], bytes: &[u8]) {
    for d in found {
        assert!(!d.message.is_empty(), "{d:?}");
        for l in &d.labels {
            assert!(l.span.start <= l.span.end, "{d:?}");
            if l.place == Place::Text {
                let text = std::str::from_utf8(bytes).expect("text labels are about text");
                assert!(text.get(l.span.range()).is_some(), "{d:?}");
            } else {
                assert!(l.span.end <= bytes.len(), "{d:?} beyond {}", bytes.len());
            }
        }
        shisa::diag::escape(&d.message);
    }
}

/// Checks that a rejection has a reason.
pub(crate) fn said(e: &shisa::Error) {
    assert!(!e.diagnostics.is_empty(), "a rejection has a reason");
}

/// The accepted result; a rejection must have a reason.
pub(crate) fn accepted<T>(result: Result<T, shisa::Error>) -> Option<T> {
    result.inspect_err(said).ok()
}

/// Whether bytes or a text were accepted; the locations of findings and of errors must be inside the input.
pub(crate) fn judged(found: Result<Vec<Diagnostic>, shisa::Error>, bytes: &[u8]) -> bool {
    match &found {
        Ok(found) => sane(found, bytes),
        Err(e) => {
            said(e);
            sane(&e.diagnostics, bytes);
        }
    }
    found.is_ok()
}

/// Whether bytes have a listing; `assemble` must yield the same bytes from it.
pub(crate) fn listed(
    bytes: &[u8],
    listing: &Listing,
    isa: Isa,
    assemble: impl Fn(&str) -> Result<Option<Vec<u8>>, shisa::Error>,
) -> bool {
    let Some(text) = accepted(File::open(bytes, &settings_for(isa)).and_then(|file| file.listing(listing)))
    else {
        return false;
    };
    let back = assemble(&text).unwrap_or_else(|e| panic!("the listing does not assemble: {e}\n{text}"));
    assert!(back.as_deref() == Some(bytes), "the listing assembles to other bytes:\n{text}");
    true
}

/// Any bytes have a listing, and it assembles to the same bytes.
pub fn dis_roundtrip(data: &[u8]) -> bool {
    let bytes = program(data);
    let assemble = |text: &str| Ok(Some(shisa::assemble(text, Language::Agal, &settings())?.bytes));
    assert!(listed(&bytes, &Listing::default(), Isa::Agal, assemble), "any bytes have a listing");
    true
}

/// Any text assembles or is rejected with locations inside the text, strictly and leniently.
pub fn asm(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let mut settings = settings();
    let mut accepted = false;
    for (stage, lenient) in [(None, false), (Some(Stage::Fragment), true)] {
        (settings.stage, settings.lenient) = (stage, lenient);
        let done = shisa::assemble(text, Language::Agal, &settings);
        accepted |= judged(done.map(|done| done.diagnostics), data);
    }
    accepted
}

/// Any text in the language of AGALMacroAssembler assembles or is rejected with locations inside the text.
pub fn macros(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let mut settings = settings().stage(Stage::Fragment);
    settings.version = Some(1);
    judged(shisa::assemble(text, Language::AgalMacros, &settings).map(|done| done.diagnostics), data)
}

/// Any text parses as a function or is rejected with locations inside the text; a function survives printing and
/// parsing.
pub fn ir_text(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let settings = settings();
    let files = shisa::agal::FRAGMENT_FILES;
    match shisa::ir::parse_func(text, files, &settings.limits) {
        Ok(func) => {
            let again = shisa::ir::print_func(&func);
            let back = shisa::ir::parse_func(&again, files, &settings.limits);
            assert!(back.as_ref() == Ok(&func), "{again}\n{back:?}");
            // Verification must not panic, whatever its result.
            let _ = shisa::ir::verify(&func);
            true
        }
        Err(found) => {
            assert!(!found.is_empty(), "a rejection has a reason");
            sane(&found, data);
            false
        }
    }
}

/// The verbs on any unmodified file: 0 identifies it, 1 lists it, 2 checks it.
pub(crate) fn container(data: &[u8], verb: usize) -> bool {
    let settings = settings();
    match verb {
        0 => {
            let identity = File::identify(data, &settings);
            assert!(identity.programs.iter().all(|p| p.size <= settings.limits.file));
            identity.isa.is_some()
        }
        1 => match File::open(data, &settings).and_then(|file| file.listing(&Listing::new())) {
            Ok(text) => !text.is_empty(),
            Err(e) => {
                said(&e);
                sane(&e.diagnostics, data);
                false
            }
        },
        _ => match checked(data, &settings) {
            Ok(found) => {
                sane(&found, data);
                found.iter().all(|d| d.severity != Severity::Error)
            }
            Err(e) => {
                sane(&e.diagnostics, data);
                false
            }
        },
    }
}

/// Whether a file is JSON: a part of AGX.
fn is_text(data: &[u8]) -> bool {
    data.trim_ascii_start().starts_with(b"{")
}

/// Number of programs of a file that are extracted.
const EXTRACTED: usize = 6;

/// Programs of a file, extracted to files of their own, are extracted from those as they are, and put back they leave the
/// file as it is.
pub(crate) fn extracted(data: &[u8]) -> bool {
    let settings = settings();
    let Ok(file) = File::open(data, &settings) else { return false };
    let mut any = false;
    for program in file.programs().take(EXTRACTED) {
        let Some(code) = accepted(program.extract()) else { continue };
        any = true;
        let mut own = settings.clone();
        own.isa = program.isa();
        // What a damaged container takes for a program may be none alone.
        if let Some(again) = accepted(first(&code, &own).and_then(|p| p.extract())) {
            assert!(
                again == code,
                "program {} is extracted as {code:x?}, which is {again:x?}",
                program.number()
            );
        }
        match file.replace(program.number(), &code) {
            Ok(back) if is_text(data) => {
                // The JSON of a part is written anew.
                let again = File::open(&back, &settings).and_then(|f| f.program(program.number())?.extract());
                assert!(
                    again.is_ok_and(|again| again == code),
                    "program {} put back is lost",
                    program.number()
                );
            }
            Ok(back) => assert!(back == data, "program {} put back changes the file", program.number()),
            Err(e) => said(&e),
        }
    }
    any
}

/// Findings of a check are inside the bytes; a program without errors lifts.
pub fn check(data: &[u8]) -> bool {
    let bytes = program(data);
    let settings = settings();
    File::identify(&bytes, &settings);
    match checked(&bytes, &settings) {
        Ok(found) => {
            sane(&found, &bytes);
            if found.is_empty() {
                first(&bytes, &settings)
                    .and_then(|p| p.lower())
                    .expect("a program that breaks no rule lifts");
            }
            found.is_empty()
        }
        Err(e) => {
            sane(&e.diagnostics, &bytes);
            false
        }
    }
}

/// Running terminates and returns a result for every lane.
pub fn run(data: &[u8]) -> bool {
    const LANES: usize = 5;
    let bytes = program(data);
    let settings = settings();
    let lanes = || (0..LANES).map(|l| [l as f32 - 1.5, 0.5, -2.0, 1.0]);
    let mut input = RunInput::new(LANES);
    let vertex = bytes.get(6) == Some(&0);
    for n in 0..3 {
        input = input.input(&format!("{}{n}", if vertex { "va" } else { "v" }), lanes());
        input = input.constant(&format!("{}{n}", if vertex { "vc" } else { "fc" }), [0.5, -1.0, 2.0, 1.0]);
    }
    let faces = if bytes.len().is_multiple_of(2) { 1 } else { 6 };
    let texture = TextureInput {
        dim: if faces == 1 { Dim::D2 } else { Dim::Cube },
        width: 2,
        height: 2,
        format: shisa::eval::Format::Rgba8,
        levels: vec![vec![(0..16).map(|i| i * 16).collect(); faces]],
        sampler: TextureInput::PLAIN_SAMPLER,
    };
    let name = |n| format!("{}{n}", if vertex { "vs" } else { "fs" });
    input.textures = (0..3).map(|n| (name(n), texture.clone())).collect::<BTreeMap<_, _>>();
    let output = accepted(
        first(&bytes, &settings).and_then(|p| shisa::agal::run(&p, &input, RunOptions::new().trace(8))),
    );
    output.is_some_and(|output| {
        assert!(output.killed.len() == LANES && output.trace.len() <= 8);
        true
    })
}

/// A target language and its options.
pub(crate) fn languages(choice: usize) -> (Target, Options) {
    let targets = [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Glsl(GlslVersion::Es300),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ];
    let form = if (choice / 6).is_multiple_of(4) { Form::Compute } else { Form::Stage };
    let exact = (choice / 24).is_multiple_of(2);
    let comments = (choice / 48).is_multiple_of(2);
    (targets[choice % 6], Options { form, exact, comments, ..Options::default() })
}

/// A file with some bytes changed, or truncated: four bytes select each of at most six changes.
pub(crate) fn changed(mut bytes: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    for change in changes.chunks_exact(4).take(6) {
        let [low, high, how, value] = [change[0], change[1], change[2], change[3]];
        let at = usize::from(u16::from_le_bytes([low, high])) % bytes.len().max(1);
        match (how % 5, bytes.get_mut(at)) {
            (0, Some(b)) => *b = value,
            (1, Some(b)) => *b ^= 1 << (value % 8),
            (2, Some(b)) => *b = b.wrapping_add(1),
            (3, Some(b)) => *b = 0xff,
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

/// A number that depends on every byte.
pub(crate) fn choice(bytes: &[u8]) -> usize {
    bytes.iter().fold(0usize, |h, b| h.wrapping_mul(31).wrapping_add(usize::from(*b)))
}

/// Whether translation returned code. Panics if an error has no reason, or if a program without findings is called
/// malformed.
pub(crate) fn translated(program: &[u8], result: shisa::Result<Output>) -> bool {
    match result {
        Ok(output) => {
            match output.code {
                Code::Text(text) => assert!(!text.is_empty()),
                Code::Words(words) => assert_eq!(words.first(), Some(&0x0723_0203)),
            }
            true
        }
        Err(e) => {
            said(&e);
            let malformed = ["translate-shape", "translate-refused"];
            if e.diagnostics.iter().any(|d| malformed.contains(&d.code)) {
                let sound = checked(program, &settings()).is_ok_and(|found| found.is_empty());
                assert!(!sound, "{e}");
            }
            false
        }
    }
}

/// Translation returns code and bindings, or a reason.
pub fn translate(data: &[u8]) -> bool {
    let bytes = program(data);
    let (target, options) = languages(choice(&bytes));
    translated(&bytes, first(&bytes, &settings()).and_then(|p| p.translate(target, &options)))
}

/// Extraction accepts any bytes; the data that it finds are at the stated locations.
pub fn swf(data: &[u8]) -> bool {
    let settings = settings();
    let mut bytes = b"FWS\x09\0\0\0\0\x08\0\0\x01\0\0".to_vec();
    bytes.extend_from_slice(data);
    let size = (bytes.len() as u32).to_le_bytes();
    bytes.iter_mut().skip(4).zip(size).for_each(|(b, s)| *b = s);
    let mut accepted = false;
    for file in [data, &bytes] {
        File::identify(file, &settings);
        let open = File::open(file, &settings).ok();
        if let Some(open) = open.filter(|f| f.identity().container == Some(Container::Swf)) {
            assert!(open.programs().len() <= settings.limits.programs);
            accepted |= open.programs().len() > 0;
        }
    }
    accepted
}
