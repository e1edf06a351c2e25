//! Text from drivers and disassemblers: one instruction a line, with its offset and its bytes.

use super::{Program, fault};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Limit, Limits, Sink};
use shisa_ir::Stage;

/// The longest instruction.
const LONGEST: usize = 12;

/// An instruction's line: its offset and its bytes. The text after them is ignored.
fn line(text: &str) -> Option<(usize, Vec<u8>)> {
    let (offset, rest) = text.trim_start().split_once(": ")?;
    let offset = usize::from_str_radix(offset, 16).ok()?;
    let digits = rest.split_ascii_whitespace().next()?.as_bytes();
    if !digits.len().is_multiple_of(4) || !(4..=2 * LONGEST).contains(&digits.len()) {
        return None;
    }
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let bytes: Option<Vec<u8>> =
        digits.chunks_exact(2).map(|p| Some(digit(p[0])? << 4 | digit(p[1])?)).collect();
    Some((offset, bytes?))
}

/// Lines of a text, as far as they are UTF-8.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &str> {
    bytes.split(|b| *b == b'\n').filter_map(|line| core::str::from_utf8(line).ok())
}

/// Whether bytes are such text: the first line of an instruction is at offset 0, and the next one follows it.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    if bytes.iter().take(4096).any(|b| *b == 0) {
        return false;
    }
    let mut found = lines(bytes).filter_map(line);
    let Some((0, first)) = found.next() else { return false };
    match found.next() {
        Some((offset, _)) => offset == first.len() || offset == 0,
        None => true,
    }
}

/// The bytes that the text lists, and the programs in them: each begins with an instruction at offset 0.
pub(super) fn programs(bytes: &[u8], limits: &Limits, sink: &mut Sink) -> (Vec<u8>, Vec<Program>) {
    let (mut code, mut list): (Vec<u8>, Vec<Program>) = (Vec::new(), Vec::new());
    let (mut name, mut stage) = (String::new(), None);
    let mut place = 0;
    for text in lines(bytes) {
        let start = place;
        place += text.len() + 1;
        let Some((offset, instruction)) = line(text) else {
            // Mesa's intermediate code, which comes before, states the kind of the program.
            if let Some(said) = text.trim().strip_prefix("shader: MESA_SHADER_") {
                stage = self::stage(said.trim_end());
                name = String::new();
            } else if let Some(said) = text.trim().strip_prefix("name: ") {
                name = said.trim_end().into();
            }
            continue;
        };
        if offset == 0 {
            if let Err(d) = limits.check(Limit::Programs, "programs", list.len() + 1) {
                sink.push(d);
                break;
            }
            list.push(Program { name: core::mem::take(&mut name), stage, code: code.len()..code.len() });
        }
        let Some(program) = list.last_mut() else { continue };
        if offset != program.code.len() {
            let text = format!(
                "the instruction is at {offset:#x}, but the one before ends at {:#x}",
                program.code.len()
            );
            sink.push(fault(text).at_text(start..place - 1, ""));
            continue;
        }
        code.extend(instruction);
        program.code.end = code.len();
    }
    (code, list)
}

fn stage(name: &str) -> Option<Stage> {
    match name {
        "VERTEX" => Some(Stage::Vertex),
        "GEOMETRY" => Some(Stage::Geometry),
        "FRAGMENT" => Some(Stage::Fragment),
        "COMPUTE" | "KERNEL" => Some(Stage::Compute),
        _ => None,
    }
}
