//! The targets. Each answers whether the input was accepted.

use crate::program;
use shisa::agal::AsmOptions;
use shisa::diag::{Diagnostic, Place};
use shisa::ir::{Dim, Stage};
use shisa::pica200::{
    Pica200,
    container::{Descriptor, Dvle, Shbin},
};
use shisa::rows::Isa as _;
use shisa::translation::{Code, Form, GlslVersion, Options, ShaderModel, SpirvVersion, Target};
use shisa::{Isa, Listing, Lowered, RunInput, RunOptions, Settings, ShaderRun, ShaderSet, TextureInput};
use std::collections::BTreeMap;

/// Small bounds, so that every input is answered quickly.
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

/// Labels lie within the input.
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

/// Any bytes have a listing, and it assembles to the same bytes.
pub fn dis_roundtrip(data: &[u8]) -> bool {
    let bytes = program(data);
    let settings = settings();
    let listing = Listing { isa: Some(Isa::Agal), ..Listing::default() };
    let text = shisa::disassemble(&bytes, &listing, &settings).expect("any bytes have a listing");
    let back = shisa::assemble(&text, &AsmOptions::default(), &settings);
    let back = back.unwrap_or_else(|e| panic!("the listing does not assemble: {e}\n{text}"));
    assert_eq!(back.bytes, bytes, "the listing assembles to other bytes:\n{text}");
    true
}

/// Any text is assembled or refused with places in the text, strictly and leniently.
pub fn asm(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let settings = settings();
    let mut accepted = false;
    for (stage, lenient) in [(None, false), (Some(shisa::ir::Stage::Fragment), true)] {
        let options = AsmOptions { stage, lenient, ..AsmOptions::default() };
        match shisa::assemble(text, &options, &settings) {
            Ok(done) => {
                sane(&done.warnings, data);
                accepted = true;
            }
            Err(e) => {
                assert!(!e.diagnostics.is_empty(), "a refusal says why");
                sane(&e.diagnostics, data);
            }
        }
    }
    accepted
}

/// Any text in the language of AGALMacroAssembler is assembled or refused with places in the text.
pub fn macros(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let options = AsmOptions { version: Some(1), stage: Some(Stage::Fragment), ..AsmOptions::default() };
    match shisa::assemble_macros(text, &options, &settings()) {
        Ok(done) => {
            sane(&done.warnings, data);
            true
        }
        Err(e) => {
            assert!(!e.diagnostics.is_empty(), "a refusal says why");
            sane(&e.diagnostics, data);
            false
        }
    }
}

/// Any text is a function or refused with places in the text; a function's text gives it back.
pub fn ir_text(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let settings = settings();
    let files = shisa::agal::FRAGMENT_FILES;
    match shisa::ir::parse_func(text, files, &settings.limits) {
        Ok(func) => {
            let again = shisa::ir::print_func(&func);
            let back = shisa::ir::parse_func(&again, files, &settings.limits);
            assert!(back.as_ref() == Ok(&func), "{again}\n{back:?}");
            // Whether it makes sense is told without a panic.
            let _ = shisa::ir::verify(&func);
            true
        }
        Err(found) => {
            assert!(!found.is_empty(), "a refusal says why");
            sane(&found, data);
            false
        }
    }
}

/// The verbs on any file as it is: 0 tells what it is, 1 lists it, 2 checks it.
pub(crate) fn container(data: &[u8], verb: usize) -> bool {
    let settings = settings();
    match verb {
        0 => {
            let identity = shisa::identify(data, &settings);
            assert!(identity.programs.iter().all(|p| p.size <= settings.limits.file));
            identity.isa.is_some()
        }
        1 => match shisa::disassemble(data, &Listing::default(), &settings) {
            Ok(text) => !text.is_empty(),
            Err(e) => {
                assert!(!e.diagnostics.is_empty(), "a refusal says why");
                sane(&e.diagnostics, data);
                false
            }
        },
        _ => match shisa::check(data, &settings) {
            Ok(found) => {
                sane(&found, data);
                found.is_empty()
            }
            Err(e) => {
                sane(&e.diagnostics, data);
                false
            }
        },
    }
}

/// Checking finds places within the bytes; what is sound lifts.
pub fn check(data: &[u8]) -> bool {
    let bytes = program(data);
    let settings = settings();
    shisa::identify(&bytes, &settings);
    match shisa::check(&bytes, &settings) {
        Ok(found) => {
            sane(&found, &bytes);
            if found.is_empty() {
                Lowered::new(&bytes, &settings).expect("a program that breaks no rule lifts");
            }
            found.is_empty()
        }
        Err(e) => {
            sane(&e.diagnostics, &bytes);
            false
        }
    }
}

/// Running ends, and answers for every lane.
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
    match shisa::run(&bytes, &input, RunOptions { trace: 8 }, &settings) {
        Ok(output) => {
            assert!(output.killed.len() == LANES && output.trace.len() <= 8);
            true
        }
        Err(e) => {
            assert!(!e.diagnostics.is_empty(), "a refusal says why");
            false
        }
    }
}

/// Running a PICA200 file ends, and answers for every run. The words are those of rows, with other bits as
/// the bytes say.
pub fn pica200_run(data: &[u8]) -> bool {
    let forms = Pica200::table().forms();
    let mut file = Shbin::default();
    let (words, _) = data.as_chunks::<8>();
    for word in words.iter().map(|w| u64::from_le_bytes(*w)) {
        let Some(form) = forms.get(word as usize % forms.len().max(1)) else { continue };
        // Targets near the program, so that some jumps meet words.
        let near = !(0xfc0 << 10);
        file.code.push((form.bits as u32) | (word >> 16) as u32 & near & !(form.mask as u32));
        file.descriptors.push(Descriptor { bits: (word >> 32) as u32, flags: 0 });
    }
    file.descriptors.truncate(128);
    file.code.push(0x22 << 26);
    let kind = data.first().copied().unwrap_or(0) & 1;
    file.programs.push(Dvle { kind, output_mask: 0x81, ..Dvle::default() });
    let mut settings = settings();
    settings.limits.lane_steps = 500;
    if kind == 1 {
        settings.pica200 = shisa::pica200::Options::emulators();
    }
    let Ok(bytes) = file.write(&settings.limits) else { return false };
    let run =
        |n: u32| ShaderRun { inputs: [(0, [n, n << 23, 0x3f80_0000, !n])].into(), ..ShaderRun::default() };
    let set = ShaderSet {
        runs: (0..5).map(run).collect(),
        keep_registers: data.len().is_multiple_of(3),
        ..ShaderSet::default()
    };
    match shisa::run_shader(&bytes, &[set], RunOptions { trace: 8 }, &settings) {
        Ok(output) => {
            assert!(output[0].results.len() == 5 && output[0].trace.len() <= 8);
            true
        }
        Err(e) => {
            assert!(!e.diagnostics.is_empty(), "a refusal says why");
            false
        }
    }
}

/// Translation answers with code and bindings, or says why not.
pub fn translate(data: &[u8]) -> bool {
    let bytes = program(data);
    let choice = bytes.iter().fold(0usize, |h, b| h.wrapping_mul(31).wrapping_add(usize::from(*b)));
    let targets = [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Glsl(GlslVersion::Es300),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ];
    let form = if choice / 6 % 4 == 0 { Form::Compute } else { Form::Stage };
    let options =
        Options { form, exact: choice / 24 % 2 == 0, comments: choice / 48 % 2 == 0, ..Options::default() };
    match shisa::translate(&bytes, targets[choice % 6], &options, &settings()) {
        Ok(output) => {
            match output.code {
                Code::Text(text) => assert!(!text.is_empty()),
                Code::Words(words) => assert_eq!(words.first(), Some(&0x0723_0203)),
            }
            true
        }
        Err(e) => {
            assert!(!e.diagnostics.is_empty(), "a refusal says why");
            let internal = e.diagnostics.iter().find(|d| d.code == "translate-internal");
            assert!(internal.is_none(), "{e}");
            false
        }
    }
}

/// Extraction answers for any bytes; what it finds lies where it says.
pub fn swf(data: &[u8]) -> bool {
    let settings = settings();
    let mut bytes = b"FWS\x09\0\0\0\0\x08\0\0\x01\0\0".to_vec();
    bytes.extend_from_slice(data);
    let size = (bytes.len() as u32).to_le_bytes();
    bytes.iter_mut().skip(4).zip(size).for_each(|(b, s)| *b = s);
    let mut accepted = false;
    for file in [data, &bytes] {
        shisa::identify(file, &settings);
        if let Ok(found) = shisa::swf::extract(file, &settings.limits) {
            assert!(found.found.len() <= settings.limits.programs);
            accepted = true;
        }
    }
    accepted
}
