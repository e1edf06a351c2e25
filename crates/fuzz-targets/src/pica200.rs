//! PICA200 programs: checked, run and translated.

use crate::targets::{checked, choice, first, languages, said, sane, settings, translated};
use shisa::diag::Severity;
use shisa::pica200::container::{Descriptor, Dvle, Shbin};
use shisa::pica200::{Options, Outputs, Pica200};
use shisa::pica200::{ShaderRun, ShaderSet};
use shisa::rows::Isa as _;
use shisa::{File, RunOptions, Settings};

/// Number of programs of a file that are tested.
const PROGRAMS: usize = 3;
const RUNS: u32 = 5;

/// Bytes that begin as a container does are used unchanged. Other bytes select words of rows and their operand bits.
pub(crate) fn file(data: &[u8]) -> Vec<u8> {
    if Shbin::sniff(data) {
        return data.to_vec();
    }
    let forms = Pica200::table().forms();
    let mut file = Shbin::default();
    let (words, _) = data.as_chunks::<8>();
    for word in words.iter().map(|w| u64::from_le_bytes(*w)) {
        let Some(form) = forms.get(word as usize % forms.len().max(1)) else { continue };
        // Targets near the program, so that some jumps hit an instruction.
        let near = !(0xfc0 << 10);
        file.code.push((form.bits as u32) | (word >> 16) as u32 & near & !(form.mask as u32));
        file.descriptors.push(Descriptor { bits: (word >> 32) as u32, flags: 0 });
    }
    file.descriptors.truncate(128);
    file.code.push(0x22 << 26);
    let kind = data.first().copied().unwrap_or(0) & 1;
    file.programs.push(Dvle { kind, output_mask: 0x81, ..Dvle::default() });
    file.write(&settings().limits).unwrap_or_default()
}

/// Half of the files use the choices of emulators.
pub(crate) fn choices(bytes: &[u8]) -> Settings {
    let mut settings = settings();
    settings.limits.lane_steps = 500;
    if choice(bytes).is_multiple_of(2) {
        settings.pica200.options = Options::emulators();
    }
    settings
}

fn programs(bytes: &[u8], settings: &Settings) -> usize {
    Shbin::read(bytes, &settings.limits).map_or(0, |f| f.programs.len().min(PROGRAMS))
}

/// Whether a check of these bytes finds no error.
fn sound(bytes: &[u8], settings: &Settings) -> bool {
    let found = checked(bytes, settings).unwrap_or_else(|e| e.diagnostics);
    let untold = found.len() >= settings.limits.diagnostics;
    !untold && found.iter().all(|d| d.severity != Severity::Error && d.code != "pica-flow-states")
}

/// Findings of a check are inside the bytes, and lowering returns a reason if it fails.
pub fn pica200_check(data: &[u8]) -> bool {
    let bytes = file(data);
    let settings = choices(&bytes);
    match checked(&bytes, &settings) {
        Ok(found) => sane(&found, &bytes),
        Err(e) => {
            said(&e);
            sane(&e.diagnostics, &bytes);
            return false;
        }
    }
    let file = File::open(&bytes, &settings).expect("what was checked opens");
    for program in file.programs().take(PROGRAMS) {
        if let Err(e) = program.lower() {
            said(&e);
        }
    }
    sound(&bytes, &settings)
}

/// Running terminates and returns a result for every run. A program without findings never runs to an address without
/// an instruction.
pub fn pica200_run(data: &[u8]) -> bool {
    let bytes = file(data);
    let settings = choices(&bytes);
    let run =
        |n: u32| ShaderRun { inputs: [(0, [n, n << 23, 0x3f80_0000, !n])].into(), ..ShaderRun::default() };
    let mut accepted = false;
    for program in 0..programs(&bytes, &settings) {
        let mut set = ShaderSet {
            program,
            runs: (0..RUNS).map(run).collect(),
            keep_registers: data.len().is_multiple_of(3),
            ..ShaderSet::default()
        };
        set.uniforms.booleans = choice(&bytes) as u16;
        let first = first(&bytes, &settings);
        match first.and_then(|p| shisa::pica200::run(&p, &[set], RunOptions::new().trace(8))) {
            Ok(output) => {
                assert!(output[0].results.len() == RUNS as usize && output[0].trace.len() <= 8);
                accepted = true;
            }
            Err(e) => {
                said(&e);
                let off = e.diagnostics.iter().any(|d| matches!(d.code, "eval-off-program" | "lift-opcode"));
                assert!(!(off && sound(&bytes, &settings)), "the check finds nothing: {e}");
            }
        }
    }
    accepted
}

/// Translation returns code and bindings, or a reason.
pub fn pica200_translate(data: &[u8]) -> bool {
    let bytes = file(data);
    let mut settings = choices(&bytes);
    let choice = choice(&bytes);
    let outputs = if (choice / 3).is_multiple_of(4) { Outputs::Registers } else { Outputs::Meaning };
    let mut accepted = false;
    settings.pica200.outputs = outputs;
    let file = crate::targets::accepted(File::open(&bytes, &settings));
    for program in file.iter().flat_map(|file| file.programs()).take(PROGRAMS) {
        let (target, options) = languages(choice + program.number());
        accepted |= translated(&bytes, program.translate(target, &options));
    }
    accepted
}
