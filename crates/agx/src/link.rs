//! Links parts to a program, as drivers do when all parts are compiled.
//!
//! The code of prolog, main part and epilog is concatenated unchanged. With per-sample shading, main part and epilog
//! are the body of a loop that the linker writes around them ([`SampleLoop`]).

pub use crate::code::END;
pub use crate::part::{Linked, LinkedMeta, Parts, PassType};
pub use crate::sample_loop::SampleLoop;

use crate::abi::{self, Registers, Summary, layout};
use crate::part::{Part, Role};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink};
use shisa_ir::Stage;

/// Links parts. Returns the program, and warnings and notes about parts that fit together.
///
/// # Errors
/// All errors that [`abi::check_parts`] finds.
pub fn link(parts: &Parts<'_>, limits: &Limits) -> Result<(Linked, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut sink = Sink::new(limits.diagnostics);
    let summaries = abi::examine(parts, limits, &mut sink);
    if sink.errors() > 0 {
        return Err(sink.finish());
    }
    let code = join(parts, limits).map_err(|d| Vec::from([d]))?;
    let any = |f: fn(&Part) -> bool| parts.each().any(|(_, p)| f(p));
    let most = |f: fn(&Part) -> u32| parts.each().map(|(_, p)| f(p)).max().unwrap_or(0);
    let cf = |part: Option<&Part>| part.and_then(|p| p.meta.cf.clone()).unwrap_or_default();
    let mut bindings = cf(Some(parts.main)).bindings;
    bindings.extend(cf(parts.prolog).bindings);
    let meta = LinkedMeta {
        id: hash(&code),
        fragment: parts.main.meta.stage == Stage::Fragment,
        prolog: parts.prolog.map(id),
        main: id(parts.main),
        epilog: parts.epilog.map(id),
        nr_samples_shaded: parts.samples,
        size: code.len() as u32,
        nr_gprs: registers(parts, &summaries),
        scratch_size: most(|p| p.meta.scratch_size),
        reads_tib: any(|p| p.meta.reads_tib),
        writes_sample_mask: any(|p| p.meta.writes_sample_mask),
        disable_tri_merging: any(|p| p.meta.disable_tri_merging),
        tag_write_disable: parts.each().all(|(_, p)| p.meta.tag_write_disable),
        uses_base_param: any(|p| p.meta.uses_base_param),
        uses_txf: any(|p| p.meta.uses_txf),
        nr_cf: most(|p| p.meta.cf.as_ref().map_or(0, |cf| cf.nr_cf)),
        bindings,
    };
    Ok((Linked { code, meta }, sink.finish()))
}

/// Registers of the program in halves: the maximum over its parts.
///
/// The metadata of a vertex prolog is about the first program that it was compiled for. The same code passes more to
/// a main part that reads more, so the number for the prolog follows from this main part.
fn registers(parts: &Parts<'_>, summaries: &[Option<Summary>; 3]) -> u32 {
    let count = |(role, part): (Role, &Part)| {
        let said = part.meta.nr_gprs;
        match (role, part.meta.stage, &summaries[0], &summaries[1]) {
            (Role::Prolog, Stage::Vertex, Some(prolog), Some(main)) => {
                // One half beyond the code is counted if the first program was passed the last register; more than
                // one is padding of vectors. Where the main part reads nothing of the last attribute, its compiler
                // removed the use after the registers were counted.
                let counted = said as usize == prolog.touched + 1;
                let given = if counted && reads_last(prolog, main) { said - 1 } else { said };
                given.max(handed(main) as u32 + 1)
            }
            _ => said,
        }
    };
    parts.each().map(count).max().unwrap_or(0)
}

/// One more than the last half that a vertex prolog passes to a main part; compilers count one half further. The
/// numbers of vertex and instance are always passed, and a component of an attribute as a whole, even where the main
/// part reads one half of it.
fn handed(main: &Summary) -> usize {
    main.live.and(layout::ALL_ATTRIBUTES).or(layout::NUMBERS).end().next_multiple_of(2)
}

/// Whether a main part reads any of the last attribute that a vertex prolog passes.
fn reads_last(prolog: &Summary, main: &Summary) -> bool {
    let last = prolog.touched.saturating_sub(1) / layout::ATTRIBUTE * layout::ATTRIBUTE;
    !main.live.and(Registers::range(last, prolog.touched)).is_empty()
}

/// The instructions of all parts, with the loop around those that run once for each sample.
fn join(parts: &Parts<'_>, limits: &Limits) -> Result<Vec<u8>, Diagnostic> {
    let mut code = Vec::new();
    let append = |code: &mut Vec<u8>, part: Option<&Part>| -> Result<(), Diagnostic> {
        let Some(part) = part else { return Ok(()) };
        let bytes = &part.code[part.main()?];
        limits.check(Limit::File, "bytes of code", code.len().saturating_add(bytes.len()))?;
        code.extend_from_slice(bytes);
        Ok(())
    };
    append(&mut code, parts.prolog)?;
    if parts.samples == 0 {
        append(&mut code, Some(parts.main))?;
        append(&mut code, parts.epilog)?;
        return Ok(code);
    }
    SampleLoop::begin(&mut code);
    let body = code.len();
    append(&mut code, Some(parts.main))?;
    append(&mut code, parts.epilog)?;
    SampleLoop::end(&mut code, body, parts.samples)?;
    code.extend_from_slice(&END);
    Ok(code)
}

/// The hash of a part, which the part itself may not state.
fn id(part: &Part) -> String {
    if part.meta.id.is_empty() { hash(&part.code) } else { part.meta.id.clone() }
}

/// The 64-bit FNV-1a hash of bytes, in hexadecimal.
fn hash(bytes: &[u8]) -> String {
    let step = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Meta;

    /// A part of a vertex program.
    fn part(name: &str, code: &[u8], nr_gprs: u32) -> Part {
        let mut meta = Meta { stage: Stage::Vertex, name: name.into(), nr_gprs, ..Meta::default() };
        (meta.main_size, meta.binary_size) = (code.len() as u32, code.len() as u32);
        meta.key.no_stop = name.ends_with("prolog");
        meta.key.secondary = meta.key.no_stop;
        if !meta.key.secondary {
            (meta.push_count, meta.key.reserved_preamble) = (10, 10);
        }
        Part { code: code.into(), meta }
    }

    #[test]
    fn registers_of_a_vertex_prolog_follow_what_the_main_part_reads() {
        // iadd r0, 0, r5.sx, lsl 4; load r8_r9_r10_r11, du0, r0, i32, xyzw, a; wait a
        let loads = [0x0e, 1, 0, 0xa0, 0x64, 0, 0x20, 0, 5, 0x41, 0, 0x0e, 0, 0xc0, 0xf2, 0, 0x38, 0];
        // st_var r11, 0, last
        let all = [&[0x91, 0x2c, 0x80, 0x80][..], &END].concat();
        // st_var r9, 0, last
        let half = [&[0x91, 0x24, 0x80, 0x80][..], &END].concat();
        // st_var r6, 0, last
        let none = [&[0x91, 0x18, 0x80, 0x80][..], &END].concat();
        let low = crate::tests::assemble(&["mov r0, r11l", "st_var r0, 0, last"]).code;
        let low = [&low[..], &END].concat();
        for (said, code, main, linked) in [
            // A component is passed as a whole.
            (25, &low, 24, 25),
            (25, &all, 24, 25),
            (25, &half, 20, 24),
            // The first program read less.
            (24, &all, 24, 25),
            (24, &half, 20, 24),
            // Vectors round up.
            (28, &all, 24, 28),
            // The main part has most.
            (25, &half, 40, 40),
            // What read the attribute was removed.
            (25, &none, 20, 25),
        ] {
            let (prolog, main) = (part("VS prolog", &loads, said), part("", code, main));
            let parts = Parts { prolog: Some(&prolog), main: &main, epilog: None, samples: 0 };
            let (got, _) = link(&parts, &Limits::default()).unwrap();
            assert_eq!(got.meta.nr_gprs, linked, "{said} {}", main.meta.nr_gprs);
        }
    }
}
