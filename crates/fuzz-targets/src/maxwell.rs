//! Maxwell code, its text and its containers.

use crate::Random;
use crate::targets::{
    self, accepted, changed, checked, choice, first, judged, languages, sane, settings, settings_for,
    translated,
};
use shisa::data::NoTrace;
use shisa::diag::{Limits, Severity};
use shisa::maxwell::container::{Edit, Image, Sph};
use shisa::maxwell::flow::Targets;
use shisa::maxwell::{Ctx, Maxwell, Options, bundle, code as model, hazards};
use shisa::rows::testing;
use shisa::{File, Isa, Language, Listing, Program, RunOptions, Settings};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Programs as text.
pub(crate) const SOURCES: &[&str] =
    &[include_str!("../../../examples/saxpy.maxwell"), include_str!("../../../tests/asm/header.maxwell")];

/// Words for mutated sources, valid and invalid.
#[rustfmt::skip]
pub(crate) const WORDS: &[&str] = &[
    "FADD", "FADD.FTZ", "TEX", "BRA", "@!P3", "R254", "RZ", "R255", "R4.reuse,", "-|R2|,", "c[0x1f][-0x4]", "[R2+0x10]",
    "{--:-:-:Y:0}", "{3f:6:6:-:f+f}", "{--:7}", "{raw", "0x7fffffffffffffff}", ".word", ".code", ".spare", ".bytes",
    ".zero", ".sph", "ShaderType", "GEOMETRY", "99999999999999999999", ".chip", "sm_50", "done", "done:", "a::", ";", "/*",
    "*/", "//", "\"", "é", "\n", "}",
];

/// Any text assembles or is rejected with locations inside the text.
pub fn maxwell_text(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let done = shisa::assemble(text, Language::Maxwell, &settings());
    judged(done.map(|done| done.diagnostics), data)
}

/// Any bytes, as code or as the file that they are, have a listing that assembles to the same bytes.
pub fn maxwell_listing(data: &[u8]) -> bool {
    listed(data, &Listing::default())
}

fn listed(data: &[u8], listing: &Listing) -> bool {
    targets::listed(data, listing, Isa::Maxwell, |text| {
        Ok(Some(shisa::assemble(text, Language::Maxwell, &settings())?.bytes))
    })
}

/// Any bytes, as code or as the file that they are, are checked or rejected; findings are inside the bytes.
pub fn maxwell_check(data: &[u8]) -> bool {
    judged(checked(data, &settings_for(Isa::Maxwell)), data)
}

/// The graph of a program is consistent, and its listing with liveness comments assembles to the same bytes.
pub fn maxwell_graph(data: &[u8]) -> bool {
    let cfg = first(data, &settings_for(Isa::Maxwell)).and_then(|program| program.cfg());
    let Some(cfg) = accepted(cfg) else { return false };
    let count = cfg.blocks().len();
    for (number, block) in cfg.blocks().enumerate() {
        assert!(!block.is_empty() && cfg.edges(number).iter().all(|e| e.to < count), "{number}");
    }
    let json = serde_json::to_value(&cfg).expect("a graph has JSON");
    assert_eq!(json["blocks"].as_array().map(Vec::len), Some(count));
    listed(data, &Listing::new().live(true));
    true
}

/// Scheduling bits that are filled in contain every required wait.
pub fn maxwell_schedule(data: &[u8]) -> bool {
    let bundles = data.chunks_exact(bundle::BUNDLE_BYTES).map(bundle::words);
    let mut code: Vec<u128> = bundles.flat_map(bundle::fuse).take(MOST).collect();
    let limits = Limits::default();
    let filled = hazards::fill(&mut code, &Targets::new(), Ctx::default(), &limits);
    assert_eq!(filled, Ok(()));
    let graph = model::Graph::new(&code, &Targets::new(), Ctx::default());
    hazards::check(&graph, Options::DEFAULT, &limits, |f| {
        let waits = !matches!(f.diagnostic.code, "maxwell-wait-unset" | "maxwell-reuse-overwritten");
        assert!(!waits || f.diagnostic.severity == Severity::Note, "{}", f.diagnostic);
    });
    !code.is_empty()
}

/// Largest number of instructions whose scheduling bits are filled in.
const MOST: usize = 300;

/// Address of the memory of kernels that run.
const MEMORY: u64 = 0x1_0000_1000;

/// Running a kernel, with findings and a profile, terminates, and does not change the size of its memory.
pub fn maxwell_run(data: &[u8]) -> bool {
    let mut settings = settings_for(Isa::Maxwell);
    (settings.maxwell.findings, settings.maxwell.profile) = (true, true);
    runs(data, settings)
}

/// Runs a kernel with these settings; returns whether it ends.
pub(crate) fn runs(data: &[u8], mut settings: Settings) -> bool {
    settings.limits.lane_steps = 300;
    // 240 bytes: the floats 1, 2 and 3 again and again.
    let floats = "AACAPwAAAEAAAEBA".repeat(20);
    let buffer = |n: u64| serde_json::json!({"address": format!("{:#x}", MEMORY + 0x1000 * n), "type": "f32", "data": floats});
    // Addresses of both buffers where programs of `FILES` take them from.
    let params: String = (0..16).map(|n| hex(MEMORY + 0x1000 * (n % 2))).collect();
    let launch = serde_json::json!({
        "grid": [2, 1, 1], "block": [40, 1, 1], "params": params, "shared": 256, "local": 64,
        "buffers": [buffer(0), buffer(1)],
    });
    let filled =
        first(data, &settings).and_then(|program| program.run_json(&launch.to_string(), RunOptions::new()));
    accepted(filled).is_some_and(|filled| {
        assert_eq!(filled["buffers"].as_array().map(Vec::len), Some(2));
        true
    })
}

/// The bytes of a number, as parameters have them.
fn hex(number: u64) -> String {
    number.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Translation of a kernel returns code and bindings, or a reason.
pub fn maxwell_translate(data: &[u8]) -> bool {
    let (target, options) = languages(choice(data));
    let settings = settings_for(Isa::Maxwell);
    translated(data, first(data, &settings).and_then(|program| program.translate(target, &options)))
}

/// Inputs of a kernel, and of draw calls.
pub(crate) const INPUTS: &[&str] = &[
    include_str!("../../../examples/saxpy.json"),
    include_str!("../../../tests/run/draw/lines.json"),
    include_str!("../../../tests/run/draw/patch.json"),
];

/// Words for mutated inputs, valid and invalid.
#[rustfmt::skip]
pub(crate) const INPUT_WORDS: &[&str] = &[
    "0", "1", "-1", "3", "64", "65536", "4294967296", "1e9", "0.5", "-1e30", "\"0x100001000\"", "\"0xfffffffffffffffc\"", "\"\"",
    "null", "true", "[]", "{}", "[", "]", "{", "}", ",", ":", "\"grid\"", "\"shared\"", "\"buffers\"", "\"u8\"", "\"f64\"",
    "\"draw\"", "\"topology\"", "\"points\"", "\"triangle_strip\"", "\"line_strip_adjacency\"", "\"patches\"", "\"instances\"",
    "\"indices\"", "\"restart\"", "\"viewport\"", "\"width\"", "\"cull\"", "\"depth\"", "\"blend\"", "\"stencil\"",
    "\"vertex\"", "\"fragment\"", "\"vertices\"", "\"constants\"", "\"generic0\"", "\"é\"",
];

/// The programs of the inputs: a kernel, and the stages of a draw call.
fn programs() -> &'static [Vec<u8>] {
    static PROGRAMS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let sources = [
        include_str!("../../../examples/saxpy.maxwell"),
        include_str!("../../../tests/run/draw/vertex.maxwell"),
        include_str!("../../../tests/run/draw/control.maxwell"),
        include_str!("../../../tests/run/draw/evaluation.maxwell"),
        include_str!("../../../tests/run/draw/fragment.maxwell"),
    ];
    PROGRAMS.get_or_init(|| {
        let assemble = |source: &&str| shisa::assemble(source, Language::Maxwell, &Settings::default());
        sources.iter().map(|source| assemble(source).expect("the programs assemble").bytes).collect()
    })
}

/// Any text is an input of a launch or of a draw call, or is rejected; the run terminates.
pub fn maxwell_input(data: &[u8]) -> bool {
    let Ok(input) = std::str::from_utf8(data) else { return false };
    let mut settings = settings_for(Isa::Maxwell);
    settings.limits.run_steps = 1_000_000;
    let [kernel, stages @ ..] = programs() else { return false };
    if !input.contains("\"draw\"") {
        let filled = first(kernel, &settings).and_then(|p| p.run_json(input, RunOptions::new()));
        return accepted(filled).is_some();
    }
    // Patches have all stages, other primitives the first and the last.
    let wanted: Vec<&Vec<u8>> = match input.contains("\"patches\"") {
        true => stages.iter().collect(),
        false => stages.iter().take(1).chain(stages.last()).collect(),
    };
    let files: Vec<File<'_>> =
        wanted.iter().filter_map(|s| File::open(s.as_slice(), &settings).ok()).collect();
    let programs: Vec<Program<'_>> = files.iter().filter_map(|file| file.program(1).ok()).collect();
    assert_eq!(programs.len(), wanted.len());
    accepted(Program::run_stages(&programs, input, &mut NoTrace)).is_some()
}

/// The code of valid programs.
pub(crate) fn samples() -> Vec<Vec<u8>> {
    let code = |image: Image<'_>| (0..image.programs.len()).map(|i| image.code(i).to_vec()).collect();
    let read = |file: &&[u8]| Image::read(file, &settings().limits).map_or(Vec::new(), code);
    FILES.iter().flat_map(read).filter(|code: &Vec<u8>| !code.is_empty()).collect()
}

/// A few words of any rows, most of which are not guarded, and an end.
pub(crate) fn made(random: &mut Random) -> Vec<u8> {
    let forms = <Maxwell as shisa::rows::Isa>::table().forms();
    let count = 1 + random.below(6);
    let mut words: Vec<u64> = (0..count)
        .map(|_| {
            let form = random.pick(forms).expect("there are rows");
            let word = shisa_maxwell::SUITE.word(form, &mut testing::Random(random.bits())) as u64;
            if random.below(4) == 0 { word } else { word & !GUARD | ALWAYS }
        })
        .collect();
    words.push(EXIT);
    words.resize(words.len().next_multiple_of(3), NOP);
    words
        .chunks_exact(3)
        .flat_map(|three| [SAFE, three[0], three[1], three[2]])
        .flat_map(u64::to_le_bytes)
        .collect()
}

/// The bits of the guard, and the guard that always holds.
const GUARD: u64 = 0xf << 16;
const ALWAYS: u64 = 7 << 16;
const EXIT: u64 = 0xe300_0000_0007_000f;
const NOP: u64 = 0x50b0_0000_0007_0f00;
/// The control word of three instructions with which hardware waits by itself.
const SAFE: u64 = 0x001f_8000_fc00_07e0;

/// One to four changes to the code of a program.
pub(crate) fn mutated(samples: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut code = random.pick(samples).cloned().unwrap_or_default();
    let forms = <Maxwell as shisa::rows::Isa>::table().forms();
    for _ in 0..=random.below(4) {
        let (at, from) = (8 * random.below(code.len() / 8), 8 * random.below(code.len() / 8));
        let word = match random.below(4) {
            // Flips a bit; or uses a word of any row, another word of the program, or noise.
            0 => word(&code, at) ^ 1 << random.below(64),
            1 => match random.pick(forms) {
                Some(form) => shisa_maxwell::SUITE.word(form, &mut testing::Random(random.bits())) as u64,
                None => 0,
            },
            2 => word(&code, from),
            _ => random.bits(),
        };
        if let Some(bytes) = code.get_mut(at..at + 8) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
    code
}

fn word(code: &[u8], at: usize) -> u64 {
    code.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
}

/// A file of each format.
pub(crate) const FILES: [&[u8]; 7] = [
    include_bytes!("../../../tests/identify/kernels.cubin"),
    include_bytes!("../../../tests/identify/kernels.fatbin"),
    include_bytes!("../../../tests/identify/library.so"),
    include_bytes!("../../../tests/identify/shaders.dksh"),
    include_bytes!("../../../tests/identify/shader.nvn-control"),
    include_bytes!("../../../tests/identify/shader.nvn-code"),
    include_bytes!("../../../tests/identify/shader.sph"),
];

/// Bytes of a container are used unchanged; other bytes select changes to a valid file.
fn file(data: &[u8]) -> Vec<u8> {
    let marks: [&[u8]; 5] =
        [b"\x7fELF", b"\x50\xed\x55\xba", b"DKSH", b"\x78\x56\x34\x12", b"\x34\x12\x76\x98"];
    if marks.iter().any(|m| data.starts_with(m)) {
        return data.to_vec();
    }
    let Some((first, changes)) = data.split_first() else { return Vec::new() };
    changed(FILES[usize::from(*first) % FILES.len()].to_vec(), changes)
}

/// Any bytes are identified. A file that is read survives writing and reading, and accepts other code or returns a
/// reason. Any header survives printing and parsing.
pub fn maxwell_container(data: &[u8]) -> bool {
    whole(&file(data))
}

/// As [`maxwell_container`], for unmodified bytes.
pub(crate) fn whole(bytes: &[u8]) -> bool {
    let settings = settings();
    let limits = &settings.limits;
    let identity = File::identify(bytes, &settings);
    let image = match Image::read(bytes, limits) {
        Ok(image) => image,
        Err(found) => {
            assert!(!found.is_empty(), "a rejection has a reason");
            sane(&found, bytes);
            return false;
        }
    };
    assert!(identity.container.is_some());
    sane(&image.faults, bytes);
    let all = 0..image.programs.len();
    let same = all
        .clone()
        .map(|n| (n, Edit { code: image.code(n), header: image.header(n), targets: None }))
        .collect();
    assert!(image.write(&same, limits).as_deref() == Ok(bytes), "unchanged parts preserve their bytes");
    for sph in all.clone().filter_map(|n| image.header(n)) {
        assert_eq!(Sph::parse(&sph.text(), limits), Ok(sph));
        sph.check(0).iter().for_each(|d| assert!(!d.message.is_empty()));
    }
    for bundles in [1, 100] {
        let code = [0x5a; 32].repeat(bundles);
        let edits: BTreeMap<usize, Edit<'_>> =
            all.clone().map(|n| (n, Edit { code: &code, header: None, targets: None })).collect();
        match image.write(&edits, limits) {
            Ok(file) => drop(Image::read(&file, limits)),
            Err(found) => assert!(!found.is_empty(), "a rejection has a reason"),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bundles of random words of rows, and files with a few changes.
    #[test]
    fn maxwell_listing_holds() {
        let mut random = Random::new(5);
        let suite = shisa_maxwell::SUITE;
        let forms = <shisa_maxwell::Maxwell as shisa::rows::Isa>::table().forms();
        for _ in 0..300 {
            let mut bytes = Vec::new();
            for _ in 0..1 + random.below(6) {
                let mut bits = shisa::rows::testing::Random(random.bits());
                let code = std::array::from_fn(|_| {
                    let form = &forms[random.below(forms.len())];
                    let flips = if random.below(4) == 0 { u128::from(random.bits()) } else { 0 };
                    suite.word(form, &mut bits) ^ flips
                });
                bytes.extend(shisa_maxwell::bundle::split(code).into_iter().flat_map(u64::to_le_bytes));
            }
            assert!(maxwell_listing(&bytes));
        }
        for _ in 0..300 {
            let changes: Vec<u8> = (0..1 + 4 * (1 + random.below(4))).map(|_| random.bits() as u8).collect();
            maxwell_listing(&file(&changes));
        }
        assert!(FILES.iter().filter(|f| maxwell_listing(f)).count() > 4);
    }

    #[test]
    fn maxwell_container_holds() {
        let mut random = Random::new(7);
        let mut read = 0;
        for _ in 0..2_000 {
            let changes: Vec<u8> = (0..1 + 4 * (1 + random.below(4))).map(|_| random.bits() as u8).collect();
            read += u32::from(maxwell_container(&changes));
        }
        assert!(read > 600, "changes that are never accepted test little: {read}");
        assert!(FILES.iter().all(|file| whole(file)));
    }
}
