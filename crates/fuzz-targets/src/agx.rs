//! AGX code, its text, shader parts and containers.

use crate::Random;
use crate::targets::{
    self, accepted, changed, checked, choice, first, judged, languages, sane, settings, settings_for,
    translated,
};
use shisa::agx::link::END;
use shisa::agx::{Agx, ComputeProgram, ComputeRun, LinkedFile, PartFile, fetch, instructions, length};
use shisa::data::Container;
use shisa::rows::testing;
use shisa::{File, Isa, Language, Listing};

/// Programs as text.
pub(crate) const SOURCES: &[&str] = &[
    include_str!("../../../examples/collatz.agx"),
    include_str!("../../../tests/translate/samples.agx"),
    include_str!("../../../tests/translate/tile.agx"),
    include_str!("../../../tests/translate/wave.agx"),
];

/// Words for mutated sources, valid and invalid.
#[rustfmt::skip]
pub(crate) const WORDS: &[&str] = &[
    "fadd", "iadd", "store", "jmp_any", "if", "else", "pop_exec", "wait", "r0l", "r127h", "r128", "dr4", "u255h", "thread_in_grid_x",
    "sr300", "ts7", "long", "short", "discard", "cache", "0.5", "-0.0", "1e40", "0xffffffff", "-32769", "L_0016", "L_0016:",
    ".bytes", ".zero", ".code", ".data", ".isa", "mesa26", "99999999999999999999", ",", ".abs", ".neg", ".sx", "//", "/*", "*/",
    "\"", "é", "\n", "{", "}",
];

/// Program parts as JSON.
const PARTS: [&str; 4] = [
    include_str!("../../../tests/link/prolog.json"),
    include_str!("../../../tests/link/main.json"),
    include_str!("../../../tests/link/epilog.json"),
    include_str!("../../../tests/link/fragment.json"),
];
/// A Metal archive with a program and the preamble that runs before it.
const ARCHIVE: &[u8] = include_bytes!("../../../tests/identify/shaders.metal-archive");
/// Base address of the memory of programs that run.
const MEMORY: u64 = 0x1_0000;
/// Its size in bytes.
const BYTES: usize = 256;

/// Bytes that begin as a container or as JSON are used unchanged; other bytes are code, with an end appended.
fn file(data: &[u8]) -> Vec<u8> {
    let marks: [&[u8]; 5] = [b"{", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xcb\xfe\xba\xbe", b"MTLB"];
    match marks.iter().any(|m| data.starts_with(m)) {
        true => data.to_vec(),
        false => [data, &END].concat(),
    }
}

/// Any text assembles or is rejected with locations inside the text.
pub fn agx_text(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let done = shisa::assemble(text, Language::Agx, &settings());
    judged(done.map(|done| done.diagnostics), data)
}

/// Any bytes have a listing, as code or as the file that they are. The listing of code and of archives assembles to the
/// same bytes; that of a file which is itself text does not.
pub fn agx_listing(data: &[u8]) -> bool {
    listed(&file(data), false)
}

fn listed(bytes: &[u8], live: bool) -> bool {
    let listing = Listing::new().live(live);
    targets::listed(bytes, &listing, Isa::Agx, |text| {
        let done = shisa::assemble(text, Language::Agx, &settings())?;
        Ok(Some(if std::str::from_utf8(bytes).is_err() { done.bytes } else { bytes.to_vec() }))
    })
}

/// Any bytes are identified, checked, and reported on, or rejected; findings are inside the bytes.
pub fn agx_check(data: &[u8]) -> bool {
    let bytes = file(data);
    let settings = settings();
    let identity = File::identify(&bytes, &settings);
    let file = accepted(File::open(&bytes, &settings));
    for program in file.iter().flat_map(|file| file.programs()) {
        drop(accepted(program.report()).map(|r| r.to_string()));
    }
    let found = accepted(checked(&bytes, &settings));
    // The locations of findings in JSON or text refer to the code that it contains.
    if identity.container == Some(Container::Agx) {
        found.iter().for_each(|found| sane(found, &bytes));
    }
    found.is_some()
}

/// The graph of a program is consistent, and its listing with liveness comments assembles to the same bytes.
pub fn agx_graph(data: &[u8]) -> bool {
    let bytes = file(data);
    let how = settings_for(Isa::Agx);
    let Some(cfg) = accepted(first(&bytes, &how).and_then(|p| p.cfg())) else { return false };
    let count = cfg.blocks().len();
    for number in 0..count {
        assert!(cfg.edges(number).iter().all(|e| e.to < count), "{number}");
    }
    let json = serde_json::to_value(&cfg).expect("a graph has JSON");
    assert_eq!(json["blocks"].as_array().map(Vec::len), Some(count));
    listed(&bytes, true);
    true
}

/// A kernel with the code of a file, and its memory.
pub(crate) fn kernel(data: &[u8]) -> ComputeRun {
    let code = file(data);
    let uniforms = [MEMORY.to_le_bytes(), (MEMORY + 64).to_le_bytes()].concat();
    ComputeRun {
        program: ComputeProgram {
            main: (0, code.len()),
            shared: 64,
            stack: 64,
            code,
            ..ComputeProgram::default()
        },
        grid: [40, 1, 1],
        workgroup: [32, 1, 1],
        uniforms,
        buffers: vec![(MEMORY, vec![0x3f; BYTES])],
        ..ComputeRun::default()
    }
}

/// Running terminates, and does not change the size of the memory.
pub fn agx_run(data: &[u8]) -> bool {
    let mut settings = settings();
    settings.limits.lane_steps = 500;
    accepted(shisa::agx::run_compute(&kernel(data), &settings)).is_some_and(|output| {
        assert!(output.buffers.len() == 1 && output.buffers[0].len() == BYTES);
        true
    })
}

/// Translation, for pixels of any number of samples, returns code and bindings, or a reason.
pub fn agx_translate(data: &[u8]) -> bool {
    let bytes = file(data);
    let choice = choice(&bytes);
    let (target, options) = languages(choice);
    let samples = [None, Some(1), Some(2), Some(4)][choice / 96 % 4];
    let mut settings = settings();
    settings.agx.samples = samples;
    translated(&bytes, first(&bytes, &settings).and_then(|p| p.translate(target, &options)))
}

/// Parts as JSON are read or rejected. A part that is read is checked, survives writing and reading, and is linked with
/// valid parts, or rejected; the linked program also survives writing and reading. Other bytes select changes to a
/// valid part.
pub fn agx_part(data: &[u8]) -> bool {
    let bytes = match data.split_first() {
        Some((b'{', _)) => data.to_vec(),
        Some((first, changes)) => {
            let part = PARTS[usize::from(*first) % PARTS.len()].as_bytes().to_vec();
            if first.is_ascii() { renumbered(part, changes) } else { changed(part, changes) }
        }
        None => Vec::new(),
    };
    let settings = settings();
    let Some(part) = accepted(PartFile::read(&bytes, &settings)) else { return false };
    let again = PartFile::read(part.to_json().to_string().as_bytes(), &settings);
    assert_eq!(again.ok().map(|p| p.part).as_ref(), Some(&part.part), "a part survives writing and reading");
    agx_check(&bytes);
    listed(&bytes, false);
    let sound = |n: usize| PartFile::read(PARTS[n].as_bytes(), &settings).ok();
    let [prolog, main, epilog, fragment] = [0, 1, 2, 3].map(sound);
    for (first, second, third) in [
        (prolog.as_ref(), Some(&part), None),
        (Some(&part), main.as_ref(), None),
        (None, fragment.as_ref(), Some(&part)),
        (None, Some(&part), epilog.as_ref()),
    ] {
        let Some(second) = second else { continue };
        let linked = accepted(shisa::agx::link(first, second, third, 0, &settings));
        let Some((program, _)) = linked else { continue };
        let text = program.to_json().to_string();
        let read =
            LinkedFile::read(text.as_bytes(), &settings).expect("a program survives writing and reading");
        assert_eq!(read.linked.code, program.linked.code);
        agx_check(text.as_bytes());
    }
    true
}

/// A part with some digits of its numbers and its code replaced; three bytes select each replacement.
fn renumbered(mut part: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    let digits: Vec<usize> = (0..part.len()).filter(|i| part[*i].is_ascii_digit()).collect();
    for change in changes.chunks_exact(3) {
        let which = usize::from(u16::from_le_bytes([change[0], change[1]])) % digits.len().max(1);
        if let Some(at) = digits.get(which) {
            part[*at] = b'0' + change[2] % 10;
        }
    }
    part
}

/// A file of each format.
pub(crate) fn files() -> Vec<Vec<u8>> {
    let dump = "0: 72051004             mov r1, thread_in_grid_x\n4: 8800                 stop\n";
    let all = PARTS.iter().map(|part| part.as_bytes()).chain([ARCHIVE, dump.as_bytes()]);
    all.map(<[u8]>::to_vec).collect()
}

/// The code of valid programs.
pub(crate) fn samples() -> Vec<Vec<u8>> {
    let assemble = |text: &&str| Some(shisa::assemble(text, Language::Agx, &settings()).ok()?.bytes);
    let mut all: Vec<Vec<u8>> = SOURCES.iter().filter_map(assemble).collect();
    let parts = PARTS.iter().filter_map(|text| PartFile::read(text.as_bytes(), &settings()).ok());
    all.extend(parts.map(|p| p.part.code));
    // Without traps, so that the code after them runs.
    for code in &mut all {
        code.truncate(shisa::agx::up_to_trap(code).len());
        code.truncate(code.len() - if code.ends_with(&END[..2]) { 2 } else { 0 });
    }
    all
}

/// One to four changes to the code of a program.
pub(crate) fn mutated(samples: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut code = random.pick(samples).cloned().unwrap_or_default();
    let forms = <Agx as shisa::rows::Isa>::table().forms();
    for _ in 0..=random.below(4) {
        let starts: Vec<usize> = instructions(&code).map(|(at, _)| at).chain([code.len()]).collect();
        let at = random.pick(&starts).copied().unwrap_or(0);
        let old = code.get(at..).and_then(fetch).map_or(0, |insn| length(&insn));
        match random.below(4) {
            // Flips a bit, replaces or inserts an instruction of any row, or removes one.
            0 => {
                let bit = random.below(8 * old);
                if let Some(byte) = code.get_mut(at + bit / 8) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            1 => drop(code.drain(at..at + old)),
            choice => {
                let bits = &mut testing::Random(random.bits());
                let word = random.pick(forms).map_or(0, |form| shisa_agx::SUITE.word(form, bits));
                let new = word.to_le_bytes();
                let size = fetch(&new).map_or(0, |insn| length(&insn));
                let end = if choice == 2 { at + old } else { at };
                code.splice(at..end, new[..size].iter().copied());
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutated_code_often_runs() {
        let (samples, mut random) = (samples(), Random::new(5));
        let mut ran = [0; 3];
        for _ in 0..500 {
            let code = mutated(&samples, &mut random);
            assert!(agx_listing(&code));
            let targets = [agx_run, agx_graph, agx_translate];
            for (count, target) in ran.iter_mut().zip(targets) {
                *count += u32::from(target(&code));
            }
        }
        assert!(ran.iter().all(|n| *n > 50), "code that is never accepted tests little: {ran:?}");
    }

    #[test]
    fn changed_parts_hold() {
        let mut random = Random::new(6);
        let changes = || (0..1 + 4 * (1 + random.below(3))).map(|_| random.bits() as u8).collect::<Vec<u8>>();
        let read = std::iter::repeat_with(changes).take(1_000).filter(|data| agx_part(data)).count();
        assert!(read > 200, "changes that are never accepted test little: {read}");
        assert!(PARTS.iter().all(|part| agx_part(part.as_bytes())));
    }
}
