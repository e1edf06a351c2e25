//! Joining parts to a program, as drivers do when all are compiled and one more draw cannot wait.
//!
//! The code of prolog, main part and epilog is put one behind the other; nothing in it is changed. Where
//! samples are shaded one by one, main part and epilog are the body of a loop that the linker writes
//! around them: `r1l` holds the mask of the sample and moves on by one bit a turn.

use crate::abi::{self, Summary, layout};
use crate::part::{Coefficient, Part, Role};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink};
use shisa_ir::Stage;

/// How programs end: `stop`, then eight `trap`s.
pub const END: [u8; 18] = [0x88, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0];
/// `ldimm r0l, 0`, then `ldimm r1l, 1`.
const LOOP_BEGIN: [u8; 8] = [0x62, 0, 0, 0, 0x62, 4, 1, 0];
/// `iadd r1l, 0, r1l, lsl 1`.
const NEXT_SAMPLE: [u8; 8] = [0x0e, 0x04, 0x00, 0x20, 0x84, 0, 0, 0];
/// `pop_exec 1`.
const LOOP_END: [u8; 6] = [0x52, 0x0e, 0, 0, 0, 0];

/// What is to be joined.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// What runs first, if anything.
    pub prolog: Option<&'a Part>,
    /// The shader itself.
    pub main: &'a Part,
    /// What runs last, if anything.
    pub epilog: Option<&'a Part>,
    /// How many samples of a pixel are shaded one by one; 0 where all are shaded at once.
    pub samples: u32,
}

impl<'a> Parts<'a> {
    /// The parts that are there, in the order in which they run.
    pub fn each(&self) -> impl Iterator<Item = (Role, &'a Part)> + use<'a> {
        let all = [(Role::Prolog, self.prolog), (Role::Main, Some(self.main)), (Role::Epilog, self.epilog)];
        all.into_iter().filter_map(|(role, part)| Some((role, part?)))
    }
}

/// A program made of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The instructions.
    pub code: Vec<u8>,
    /// What is said of them.
    pub meta: LinkedMeta,
}

/// What is said of a program made of parts; fields mean what those of [`crate::part::Meta`] do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedMeta {
    /// The 64-bit FNV-1a hash of the code, as that of parts.
    pub id: String,
    /// Whether this is a fragment program.
    pub fragment: bool,
    /// The hash of the prolog.
    pub prolog: Option<String>,
    /// The hash of the main part.
    pub main: String,
    /// The hash of the epilog.
    pub epilog: Option<String>,
    /// How many samples of a pixel are shaded one by one; 0 where all are shaded at once.
    pub nr_samples_shaded: u32,
    /// Bytes of code.
    pub size: u32,
    /// Registers, in halves: the most that a part has in this program.
    pub nr_gprs: u32,
    /// Stack of a thread: the most that a part has.
    pub scratch_size: u32,
    /// Whether any part reads tile memory.
    pub reads_tib: bool,
    /// Whether any part kills or tests samples.
    pub writes_sample_mask: bool,
    /// Whether any part forbids merging triangles.
    pub disable_tri_merging: bool,
    /// Whether all parts let the hardware skip the program.
    pub tag_write_disable: bool,
    /// Whether any part reads the first vertex or instance.
    pub uses_base_param: bool,
    /// Whether any part fetches texels by number.
    pub uses_txf: bool,
    /// Coefficient registers: the most that a part has.
    pub nr_cf: u32,
    /// What is bound to them: the main part's, then the prolog's.
    pub bindings: Vec<Coefficient>,
}

/// How the hardware treats the pixels behind a fragment program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassType {
    /// All samples are covered, whatever was there before.
    Opaque,
    /// The colour depends on what was there before.
    Translucent,
    /// The program decides which samples are covered.
    PunchThrough,
    /// Both.
    TranslucentPunchThrough,
}

impl PassType {
    /// `opaque`, `translucent`, `punch-through` or `translucent-punch-through`.
    pub const fn name(self) -> &'static str {
        match self {
            PassType::Opaque => "opaque",
            PassType::Translucent => "translucent",
            PassType::PunchThrough => "punch-through",
            PassType::TranslucentPunchThrough => "translucent-punch-through",
        }
    }
}

impl LinkedMeta {
    /// How the hardware treats the pixels behind a fragment program.
    pub const fn pass_type(&self) -> PassType {
        match (self.reads_tib, self.writes_sample_mask) {
            (false, false) => PassType::Opaque,
            (true, false) => PassType::Translucent,
            (false, true) => PassType::PunchThrough,
            (true, true) => PassType::TranslucentPunchThrough,
        }
    }

    /// Whether depth and stencil may be tested before a fragment program.
    pub const fn early_z(&self) -> bool {
        !self.writes_sample_mask
    }

    /// The field of the launch command that holds the number of registers: groups of eight halves, where 0
    /// stands for all 32 groups.
    pub const fn register_groups(&self) -> u32 {
        self.nr_gprs.div_ceil(8) % 32
    }
}

/// Joins parts. With the program come warnings of what goes together but is hardly meant.
///
/// # Errors
/// Where the parts break the ABI, alone or together. What else is wrong with their code [`abi::check_parts`] tells.
pub fn link(parts: &Parts<'_>, limits: &Limits) -> Result<(Linked, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut sink = Sink::new(limits.diagnostics);
    let summaries = abi::survey(parts, limits, &mut sink);
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

/// Registers of the program, in halves: the most that a part has in it.
///
/// What is said of a vertex prolog is of the first program that it was compiled for. The same code hands
/// more to a main part that reads more, so its number follows from this main part.
fn registers(parts: &Parts<'_>, summaries: &[Option<Summary>; 3]) -> u32 {
    let count = |(role, part): (Role, &Part)| {
        let said = part.meta.nr_gprs;
        match (role, part.meta.stage, &summaries[0], &summaries[1]) {
            (Role::Prolog, Stage::Vertex, Some(prolog), Some(main)) => {
                // One half beyond the code is counted where the first program was handed the last register;
                // more than one is room that vectors were given.
                let given = if said as usize == prolog.touched + 1 { said - 1 } else { said };
                given.max(handed(main) as u32 + 1)
            }
            _ => said,
        }
    };
    parts.each().map(count).max().unwrap_or(0)
}

/// One more than the last half that a vertex prolog hands to a main part; compilers count one half further.
/// The numbers of vertex and instance are always handed over.
fn handed(main: &Summary) -> usize {
    main.live.and(layout::ALL_ATTRIBUTES).or(layout::NUMBERS).end()
}

/// The loop around what runs once a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleLoop {
    /// Where what runs once a sample begins. In front of it `r1l` becomes the bit of the first.
    pub body: usize,
    /// Where the jump back to it lies.
    pub jump: usize,
    /// How many samples there are: 2 or 4.
    pub samples: u16,
}

impl SampleLoop {
    /// The loop of a program that is made of parts, if it has one.
    pub fn of(code: &[u8]) -> Option<SampleLoop> {
        let before = crate::up_to_trap(code).strip_suffix(&END[..2])?.strip_suffix(&LOOP_END)?;
        let (before, jump) = before.split_at_checked(before.len().checked_sub(6)?)?;
        let back = i32::from_le_bytes(jump.strip_prefix(&[0, 0xc0])?.try_into().ok()?);
        let body = before.len().checked_add_signed(isize::try_from(back).ok()?)?;
        let samples = [2, 4].into_iter().find(|n| before.ends_with(&while_below(*n)))?;
        let known = code.get(..body)?.ends_with(&LOOP_BEGIN)
            && before.get(..before.len().checked_sub(6)?)?.ends_with(&NEXT_SAMPLE);
        known.then_some(SampleLoop { body, jump: before.len(), samples: samples as u16 })
    }

    /// Where `r1l` becomes the bit of the first sample.
    pub(crate) const fn start(&self) -> usize {
        self.body - LOOP_BEGIN.len() / 2
    }
}

/// The instructions of all parts, with the loop around those that run once a sample.
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
    code.extend_from_slice(&LOOP_BEGIN);
    let body = code.len();
    append(&mut code, Some(parts.main))?;
    append(&mut code, parts.epilog)?;
    if parts.samples > 1 {
        code.extend_from_slice(&NEXT_SAMPLE);
        code.extend_from_slice(&while_below(parts.samples));
        let back = (body as i64 - code.len() as i64) as i32;
        code.extend_from_slice(&[0x00, 0xc0]);
        code.extend_from_slice(&back.to_le_bytes());
        code.extend_from_slice(&LOOP_END);
    }
    code.extend_from_slice(&END);
    Ok(code)
}

/// `while r1l, LAST, 1, ult`: on while the mask is below that of the sample behind the last.
fn while_below(samples: u32) -> [u8; 6] {
    let last = ((1u32 << samples) - 1) << 4;
    [0x52, 0x2c, 0x42, last as u8, 0, 0]
}

/// The hash of a part, which may not say it itself.
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
        for (said, code, main, linked) in [
            (25, &all, 24, 25),
            (25, &half, 20, 24),
            // The first program read less.
            (24, &all, 24, 25),
            (24, &half, 20, 24),
            // Vectors round up.
            (28, &all, 24, 28),
            // The main part has most.
            (25, &half, 40, 40),
        ] {
            let (prolog, main) = (part("VS prolog", &loads, said), part("", code, main));
            let parts = Parts { prolog: Some(&prolog), main: &main, epilog: None, samples: 0 };
            let (got, _) = link(&parts, &Limits::default()).unwrap();
            assert_eq!(got.meta.nr_gprs, linked, "{said} {}", main.meta.nr_gprs);
        }
    }
}
