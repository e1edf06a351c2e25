//! Faults planted in shader parts that a compiler wrote: all are found, and nothing is found in the parts themselves.
//! `--nocapture` prints the kinds of fault and how many of each were tried.

use shisa::agx::PartFile;
use shisa::agx::link::{Parts, link};
use shisa::agx::part::{Coefficient, Part};
use shisa::agx::{abi, fetch, length};
use shisa::diag::Limits;
use shisa::ir::Stage;
use shisa_conformance::Data;

/// Parts that go together.
#[derive(Clone)]
struct Case {
    prolog: Option<Part>,
    main: Part,
    epilog: Option<Part>,
    samples: u32,
}

impl Case {
    fn parts(&self) -> Parts<'_> {
        let [prolog, epilog] = [&self.prolog, &self.epilog].map(Option::as_ref);
        Parts { prolog, main: &self.main, epilog, samples: self.samples }
    }

    fn codes(&self) -> Vec<&'static str> {
        abi::check_parts(&self.parts(), &Limits::default()).iter().map(|d| d.code).collect()
    }

    fn stage(&self) -> Stage {
        self.main.meta.stage
    }
}

/// The linked programs of the corpus.
fn cases() -> Vec<Case> {
    let text = Data::corpus("agx").unwrap().text("agx/links.jsonl").unwrap();
    let case = |line: &str| {
        let read = shisa_conformance::agx::links::Case::read(line).unwrap();
        let part = |file: Option<PartFile>| file.map(|file| file.part);
        let (prolog, epilog) = (part(read.prolog), part(read.epilog));
        Case { prolog, main: read.main.part, epilog, samples: read.samples }
    };
    text.lines().map(case).collect()
}

/// The offsets of a part's instructions, with their names.
fn instructions(part: &Part) -> Vec<(usize, usize, &'static str)> {
    let range = part.main().unwrap();
    let (mut at, mut list) = (range.start, Vec::new());
    while at < range.end {
        let insn = fetch(&part.code[at..range.end]).unwrap();
        list.push((at, length(&insn), insn.form().name));
        at += length(&insn);
    }
    list
}

/// The offset of the first instruction with a name for which `like` holds.
fn find(part: &Part, name: &str, like: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let mut list = instructions(part).into_iter();
    list.find(|(at, n, is)| *is == name && like(&part.code[*at..at + n])).map(|(at, ..)| at)
}

/// The offset of the last instruction with a name.
fn last(part: &Part, name: &str) -> Option<usize> {
    instructions(part).into_iter().rfind(|(_, _, is)| *is == name).map(|(at, ..)| at)
}

/// Whether a vertex prolog only computes addresses and loads attributes from them.
fn plain(part: &Part) -> bool {
    let list = instructions(part);
    list.len() > 2 && list.iter().all(|(_, _, name)| matches!(*name, "iadd" | "load" | "wait"))
}

/// Replaces bytes.
fn patch(part: &mut Part, at: usize, bytes: &[u8]) -> bool {
    part.code[at..at + bytes.len()].copy_from_slice(bytes);
    true
}

/// Inserts instructions before all others of a part that has nothing after them.
fn before(part: &mut Part, code: &[&[u8]]) -> bool {
    let at = part.main().unwrap().start;
    insert(part, at, code)
}

/// Appends instructions after all others of a part that another follows.
fn after(part: &mut Part, code: &[&[u8]]) -> bool {
    let end = part.main().unwrap().end;
    part.meta.key.no_stop && insert(part, end, code)
}

fn insert(part: &mut Part, at: usize, code: &[&[u8]]) -> bool {
    if part.meta.preamble_offset.is_some() {
        return false;
    }
    let bytes = code.concat();
    part.meta.main_size += bytes.len() as u32;
    part.meta.binary_size += bytes.len() as u32;
    part.code.splice(at..at, bytes);
    part.meta.nr_gprs = 256;
    true
}

/// `ldimm` of a half below 64.
fn half(n: u8, value: u8) -> Vec<u8> {
    vec![0x62, n << 1, value, 0]
}

/// `ldimm` of a register whose first half is below 64.
fn whole(n: u8) -> Vec<u8> {
    vec![0x62, n << 1 | 1, 0, 0, 0, 0]
}

/// `mov` to r0 from a register by its first half.
fn from_register(n: u8) -> Vec<u8> {
    vec![0x7e, 1, 0x40 | n & 63, 0x0a, 0x80, (n >> 6) << 2]
}

/// `mov` to r0 from a uniform by its first half.
fn from_uniform(n: u32) -> Vec<u8> {
    let low = 0x80 | n as u8 & 63 | ((n >> 8 & 1) as u8) << 6;
    vec![0x7e, 1, low, 0x09, 0x80, ((n >> 6 & 3) as u8) << 2]
}

const IF: &[u8] = &[0x42, 0x08, 0, 0, 0, 0];
const ELSE: &[u8] = &[0x42, 0x0a, 0, 0, 0, 0];
const UPDATE: &[u8] = &[0x42, 0, 0, 0, 0, 0];
const POP: &[u8] = &[0x52, 0x0e, 0, 0, 0, 0];
const POP_2: &[u8] = &[0x52, 0x16, 0, 0, 0, 0];
const STOP: &[u8] = &[0x88, 0];
const NOTHING: &[u8] = &[0xf5, 0x96];
const BARRIER: &[u8] = &[0x68, 0];
const ST_VAR: &[u8] = &[0x11, 0, 0x80, 0x80];
const ITER: &[u8] = &[0x61, 0x91, 1, 0, 0, 0, 0, 0];
const LDCF_0: &[u8] = &[0xa1, 0x81, 0, 0x40, 0, 0, 0, 0];
const ST_TILE: &[u8] = &[9, 0x11, 0, 4, 0xf0, 0xfc, 0, 3];
const LLOAD: &[u8] = &[0x69, 0x80, 0, 0, 0x10, 0, 0, 0];
const STACK_LOAD: &[u8] = &[0x35, 0, 0, 4, 0, 0xc0, 0x10, 0];
const PIXWAIT: &[u8] = &[0x48, 1, 0, 0];
const TEST_ALL: &[u8] = &[0xc1, 0x7f, 0xbf, 0x0f];

/// A kind of fault: its name, the code that reports it, and how to plant it; false if it does not apply.
type Fault = (&'static str, &'static str, fn(&mut Case) -> bool);

fn vertex_main(c: &Case) -> bool {
    c.stage() == Stage::Vertex
}

fn fragment(c: &Case) -> bool {
    c.stage() == Stage::Fragment
}

/// Calls `f` with the part, if there is one.
fn on(part: &mut Option<Part>, f: impl FnOnce(&mut Part) -> bool) -> bool {
    part.as_mut().is_some_and(f)
}

fn vertex_prolog(c: &mut Case, f: impl FnOnce(&mut Part) -> bool) -> bool {
    !fragment(c) && on(&mut c.prolog, f)
}

fn fragment_prolog(c: &mut Case, f: impl FnOnce(&mut Part) -> bool) -> bool {
    fragment(c) && on(&mut c.prolog, f)
}

/// The part waits for no pixels.
fn unwaited(part: &mut Part, bits: u8) -> bool {
    find(part, "pixwait", |b| b[1] & bits != 0).is_some_and(|at| patch(part, at, &[0x48, 0, 0, 0]))
}

#[rustfmt::skip]
const FAULTS: &[Fault] = &[
    ("code longer than the part", "agx-part-range", |c| { c.main.meta.main_size += 100_000; true }),
    ("code begins at no multiple of 128", "agx-part-meta", |c| { c.main.meta.main_offset += 2; c.main.meta.main_size -= 2; true }),
    ("size of all is wrong", "agx-part-meta", |c| { c.main.meta.binary_size += 2; true }),
    ("preamble begins at no multiple of 128", "agx-part-meta", |c| c.main.meta.preamble_offset.as_mut().is_some_and(|at| { *at += 2; true })),
    ("preamble past the part", "agx-part-range", |c| c.main.meta.preamble_offset.as_mut().is_some_and(|at| { *at += 128 << 10; true })),
    ("constants past the part", "agx-part-meta", |c| { c.main.meta.rodata.offset += 100_000; c.main.meta.rodata.size_16 > 0 }),
    ("constants in the driver's uniforms", "agx-part-meta", |c| { c.main.meta.rodata.base_uniform = 0; c.main.meta.rodata.size_16 > 0 }),
    ("prolog with uniforms", "agx-part-meta", |c| on(&mut c.prolog, |p| { p.meta.push_count = 4; true })),
    ("epilog with a preamble", "agx-part-meta", |c| on(&mut c.epilog, |p| { p.meta.preamble_offset = Some(0); true })),
    ("more uniforms than there are", "agx-part-meta", |c| { c.main.meta.push_count = 513; true }),
    ("more registers than there are", "agx-part-meta", |c| { c.main.meta.nr_gprs = 257; true }),
    ("varying bound past the coefficients", "agx-part-meta", |c| c.main.meta.cf.as_mut().is_some_and(|cf| cf.bindings.last_mut().is_some_and(|b| { b.cf_base += 1; true }))),
    ("varyings bound to the same coefficients", "agx-part-meta", |c| c.main.meta.cf.as_mut().is_some_and(|cf| cf.bindings.len() > 1 && { cf.bindings[1].cf_base = cf.bindings[0].cf_base; true })),
    ("fewer registers than used", "agx-register-count", |c| { c.main.meta.nr_gprs = 4; true }),
    ("fewer registers of the epilog than used", "agx-register-count", |c| on(&mut c.epilog, |p| { p.meta.nr_gprs = 0; true })),
    ("fewer uniforms than used", "agx-uniform-count", |c| { let used = c.main.meta.push_count > c.main.meta.key.reserved_preamble && c.main.meta.preamble_offset.is_some(); c.main.meta.push_count = c.main.meta.key.reserved_preamble; used }),
    ("fewer coefficients than used", "agx-abi-coefficient", |c| { c.main.meta.cf = None; fragment(c) && find(&c.main, "iter", |_| true).is_some() }),
    ("colours read without saying so", "agx-abi-flag", |c| on(&mut c.epilog, |p| { p.meta.reads_tib = false; find(p, "ld_tile", |_| true).is_some() })),
    ("samples tested without saying so", "agx-abi-flag", |c| on(&mut c.epilog, |p| { p.meta.writes_sample_mask = false; find(p, "zs_emit", |_| true).is_some() || find(p, "sample_mask", |_| true).is_some() })),
    ("prolog and main part exchanged", "agx-link-role", |c| on(&mut c.prolog, |p| { std::mem::swap(p, &mut c.main); true })),
    ("main part and epilog exchanged", "agx-link-role", |c| on(&mut c.epilog, |p| { std::mem::swap(p, &mut c.main); true })),
    ("epilog given as prolog", "agx-link-role", |c| { std::mem::swap(&mut c.prolog, &mut c.epilog); c.prolog.is_some() }),
    ("prolog given as epilog", "agx-link-role", |c| { std::mem::swap(&mut c.prolog, &mut c.epilog); c.epilog.is_some() }),
    ("prolog of another stage", "agx-link-stage", |c| on(&mut c.prolog, |p| { p.meta.stage = if p.meta.stage == Stage::Vertex { Stage::Fragment } else { Stage::Vertex }; true })),
    ("epilog of another stage", "agx-link-stage", |c| on(&mut c.epilog, |p| { p.meta.stage = Stage::Vertex; true })),
    ("main part of another stage", "agx-link-stage", |c| { c.main.meta.stage = Stage::Compute; c.epilog.is_some() }),
    ("main part that should end does not", "agx-link-stop", |c| { c.main.meta.key.no_stop ^= true; true }),
    ("epilog that should end does not", "agx-link-stop", |c| on(&mut c.epilog, |p| { p.meta.key.no_stop ^= true; true })),
    ("prolog compiled to end", "agx-link-stop", |c| on(&mut c.prolog, |p| { p.meta.key.no_stop = false; true })),
    ("epilog missing", "agx-link-stop", |c| c.samples == 0 && c.epilog.take().is_some()),
    ("loop of samples around parts of pixels", "agx-link-samples", |c| { let all = c.samples == 0; c.samples = 2; all && fragment(c) }),
    ("parts of samples without a loop", "agx-link-samples", |c| std::mem::take(&mut c.samples) > 0),
    ("three samples", "agx-link-samples", |c| std::mem::replace(&mut c.samples, 3) > 0),
    ("loop of samples in a vertex program", "agx-link-samples", |c| { c.samples = 4; vertex_main(c) }),
    ("main part not for the loop", "agx-link-samples", |c| { c.main.meta.key.inside_sample_loop = false; c.samples > 0 }),
    ("no instruction", "agx-code", |c| { let at = c.main.main().unwrap().start; patch(&mut c.main, at, &[0xff, 0xff]) }),
    ("last instruction cut off", "agx-code", |c| { c.main.meta.main_size -= 1; c.main.meta.key.no_stop }),
    ("jump into an instruction", "agx-target", |c| find(&c.main, "jmp_none", |_| true).or(find(&c.main, "jmp_any", |_| true)).is_some_and(|at| { c.main.code[at + 2] ^= 1; true })),
    ("jump out of the part", "agx-target", |c| find(&c.main, "jmp_none", |_| true).is_some_and(|at| patch(&mut c.main, at + 2, &[0, 0, 1, 0]))),
    ("no stop", "agx-trap", |c| on(&mut c.epilog, |p| find(p, "stop", |_| true).is_some_and(|at| patch(p, at, NOTHING)))),
    ("no traps", "agx-stop-traps", |c| !c.main.meta.key.no_stop && c.main.meta.preamble_offset.is_none() && { c.main.meta.main_size -= 16; c.main.meta.binary_size -= 16; c.main.code.truncate(c.main.code.len() - 16); true }),
    ("stop in a prolog", "agx-part-stop", |c| on(&mut c.prolog, |p| after(p, &[STOP]))),
    ("stop before an epilog", "agx-part-stop", |c| fragment(c) && before(&mut c.main, &[STOP])),
    ("preamble without end", "agx-part-stop", |c| { let Some(at) = c.main.meta.preamble_offset else { return false }; let mut at = at as usize; while let Some(insn) = fetch(&c.main.code[at..]) { if insn.form().name == "stop" { return patch(&mut c.main, at, NOTHING) } at += length(&insn); } false }),
    ("prolog overwrites the number of the vertex", "agx-abi-preserve", |c| vertex_main(c) && vertex_prolog(c, |p| plain(p) && after(p, &[&whole(10)]))),
    ("prolog loads an attribute less", "agx-link-attribute", |c| vertex_main(c) && vertex_prolog(c, |p| plain(p) && last(p, "load").is_some_and(|at| patch(p, at, &[half(0, 0), half(0, 0)].concat())))),
    ("prolog writes past the attributes", "agx-link-attribute", |c| vertex_prolog(c, |p| after(p, &[&[0x62, 0x81, 0, 0, 0, 0, 0, 0x30]]))),
    ("prolog of the hardware before compute", "agx-link-attribute", |c| c.main.meta.stage == Stage::Compute && vertex_prolog(c, |p| before(p, &[&from_register(12)]))),
    ("vertex main part reads r1", "agx-abi-undefined", |c| vertex_main(c) && before(&mut c.main, &[&from_register(2)])),
    ("vertex main part reads r7", "agx-abi-undefined", |c| vertex_main(c) && before(&mut c.main, &[&from_register(14)])),
    ("vertex main part reads r4", "agx-abi-undefined", |c| vertex_main(c) && before(&mut c.main, &[&from_register(8)])),
    ("vertex prolog reads an attribute", "agx-abi-undefined", |c| vertex_prolog(c, |p| before(p, &[&from_register(16)]))),
    ("fragment main part reads a colour", "agx-abi-undefined", |c| fragment(c) && before(&mut c.main, &[&from_register(8)])),
    ("fragment prolog reads a register", "agx-abi-undefined", |c| fragment_prolog(c, |p| before(p, &[&from_register(10)]))),
    ("epilog reads past the colours", "agx-abi-undefined", |c| on(&mut c.epilog, |p| before(p, &[&from_register(100)]))),
    ("epilog reads r0", "agx-abi-undefined", |c| c.samples == 0 && on(&mut c.epilog, |p| before(p, &[&from_register(0)]))),
    ("main part overwrites the mask of the sample", "agx-abi-preserve", |c| c.samples > 0 && after(&mut c.main, &[&half(2, 0)])),
    ("epilog overwrites the mask of the sample", "agx-abi-preserve", |c| c.samples > 0 && on(&mut c.epilog, |p| after(p, &[&half(2, 0)]))),
    ("main part leaves the counter overwritten", "agx-abi-preserve", |c| c.samples > 0 && after(&mut c.main, &[&whole(0)])),
    ("epilog leaves the counter overwritten", "agx-abi-preserve", |c| c.samples > 0 && on(&mut c.epilog, |p| after(p, &[&whole(0)]))),
    ("counter not set", "agx-abi-counter", |c| { let flows = find(&c.main, "pop_exec", |_| true).is_some(); flows && find(&c.main, "ldimm", |b| b == half(0, 0)).is_some_and(|at| patch(&mut c.main, at, &half(1, 0))) }),
    ("counter of a prolog not set", "agx-abi-counter", |c| on(&mut c.prolog, |p| after(p, &[IF, POP]))),
    ("counter overwritten in a condition", "agx-abi-counter", |c| after(&mut c.main, &[&half(0, 0), IF, &whole(0), POP])),
    ("level not ended", "agx-abi-counter", |c| after(&mut c.main, &[&half(0, 0), IF])),
    ("level of a prolog not ended", "agx-abi-counter", |c| on(&mut c.prolog, |p| after(p, &[&half(0, 0), IF]))),
    ("level ended twice", "agx-abi-counter", |c| after(&mut c.main, &[&half(0, 0), IF, POP_2])),
    ("else without a condition", "agx-abi-counter", |c| after(&mut c.main, &[&half(0, 0), IF, POP, ELSE])),
    ("lanes leave more levels than are open", "agx-abi-counter", |c| after(&mut c.main, &[&half(0, 0), IF, &half(0, 3), UPDATE, POP])),
    ("varying in a fragment program", "agx-abi-stage", |c| fragment(c) && before(&mut c.main, &[ST_VAR])),
    ("varying in a prolog", "agx-abi-stage", |c| vertex_prolog(c, |p| after(p, &[ST_VAR]))),
    ("iterator in a vertex program", "agx-abi-stage", |c| vertex_main(c) && before(&mut c.main, &[ITER])),
    ("barrier in a graphics program", "agx-abi-stage", |c| c.main.meta.stage != Stage::Compute && before(&mut c.main, &[BARRIER])),
    ("colour stored by the main part", "agx-abi-stage", |c| fragment(c) && after(&mut c.main, &[ST_TILE])),
    ("colour stored by a vertex program", "agx-abi-stage", |c| vertex_main(c) && before(&mut c.main, &[ST_TILE])),
    ("colour stored without waiting", "agx-pixel-wait", |c| on(&mut c.epilog, |p| find(p, "st_tile", |_| true).is_some() && unwaited(p, 4))),
    ("colour read without waiting", "agx-pixel-wait", |c| on(&mut c.epilog, |p| find(p, "ld_tile", |_| true).is_some() && unwaited(p, 8))),
    ("samples tested without waiting", "agx-pixel-wait", |c| on(&mut c.epilog, |p| unwaited(p, 1))),
    ("samples tested twice", "agx-sample-twice", |c| fragment(c) && before(&mut c.main, &[PIXWAIT, TEST_ALL, TEST_ALL])),
    ("last varying not marked", "agx-abi-varying", |c| vertex_main(c) && find(&c.main, "st_var", |b| b[0] & 0x80 != 0).is_some_and(|at| { c.main.code[at] &= 0x7f; true })),
    ("varying after the last", "agx-abi-varying", |c| vertex_main(c) && find(&c.main, "st_var", |b| b[0] & 0x80 == 0).is_some_and(|at| { c.main.code[at] |= 0x80; true })),
    ("attribute not waited for", "agx-abi-wait", |c| vertex_prolog(c, |p| plain(p) && last(p, "wait").is_some_and(|at| patch(p, at, NOTHING)))),
    ("threadgroup memory without any", "agx-abi-memory", |c| before(&mut c.main, &[LLOAD])),
    ("stack without any", "agx-abi-memory", |c| before(&mut c.main, &[STACK_LOAD])),
    ("uniform past the last", "agx-uniform-count", |c| { let past = from_uniform(c.main.meta.push_count.next_multiple_of(2)); before(&mut c.main, &[&past]) }),
    ("epilog reads the main part's uniforms", "agx-uniform-count", |c| on(&mut c.epilog, |p| before(p, &[&from_uniform(16)]))),
    ("prolog reads the main part's uniforms", "agx-uniform-count", |c| fragment_prolog(c, |p| before(p, &[&from_uniform(20)]))),
    ("main part reads the blend constant", "agx-abi-uniform", |c| fragment(c) && before(&mut c.main, &[&from_uniform(4)])),
    ("preamble writes the driver's uniforms", "agx-abi-uniform", |c| { c.main.meta.key.reserved_preamble = c.main.meta.push_count; c.main.meta.rodata.size_16 == 0 && c.main.meta.preamble_offset.is_some() }),
    ("vertex main part reads the address of an attribute", "agx-link-uniform", |c| vertex_main(c) && before(&mut c.main, &[&from_uniform(0)]) && c.main.meta.key.reserved_preamble > 12),
    ("vertex prolog reads the main part's uniforms", "agx-link-uniform", |c| { let past = from_uniform(c.main.meta.key.reserved_preamble.next_multiple_of(2)); vertex_prolog(c, |p| before(p, &[&past])) }),
    ("prolog binds the main part's coefficients", "agx-link-coefficient", |c| { let Some(first) = c.main.meta.cf.as_ref().and_then(|cf| cf.bindings.first().copied()) else { return false }; fragment_prolog(c, |p| p.meta.cf.as_mut().is_some_and(|cf| { cf.nr_cf = 20; cf.bindings.push(Coefficient { slot: 60, ..first }); true })) }),
    ("prolog reads the main part's coefficients", "agx-abi-coefficient", |c| fragment_prolog(c, |p| { p.meta.key.cf_base = 5; p.meta.cf.as_mut().unwrap().nr_cf = 9; before(p, &[LDCF_0]) })),
    ("epilog reads a colour that is not written", "agx-link-output", |c| c.main.meta.nr_gprs <= 64 && on(&mut c.epilog, |p| before(p, &[&from_register(64)]))),
];

#[test]
fn nothing_is_found_in_what_a_compiler_wrote() {
    for (i, case) in cases().iter().enumerate() {
        let found = abi::check_parts(&case.parts(), &Limits::default());
        assert!(found.is_empty(), "line {}: {found:?}", i + 1);
        for (_, part) in case.parts().each() {
            assert_eq!(abi::check_part(part, &Limits::default()), [], "line {}", i + 1);
        }
        let (linked, warnings) = link(&case.parts(), &Limits::default()).unwrap();
        assert!(warnings.is_empty(), "line {}: {warnings:?}", i + 1);
        assert_eq!(abi::check_linked(&linked.code, &linked.meta, &Limits::default()), [], "line {}", i + 1);
    }
}

#[test]
fn faults_are_found() {
    let cases = cases();
    let (mut tried, mut missed) = (0, Vec::new());
    for (name, code, put) in FAULTS {
        let mut times = 0;
        for (i, case) in cases.iter().enumerate() {
            let mut faulty = case.clone();
            if !put(&mut faulty) {
                continue;
            }
            times += 1;
            let found = faulty.codes();
            if !found.contains(code) {
                missed.push(format!("{name}, line {}: {found:?}", i + 1));
            }
        }
        if times == 0 {
            missed.push(format!("{name} is never tried"));
        }
        println!("{times:4} {code:20} {name}");
        tried += times;
    }
    println!("{} kinds, {tried} faults, {} missed", FAULTS.len(), missed.len());
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed[..missed.len().min(40)].join("\n"));
}

/// A part as Mesa compiles one with values in memory: its metadata counts the stack in words of 32 bits, and so does
/// the instruction that reserves it. The stack begins and ends with a word of the program.
#[test]
fn stacks_have_room_for_what_compilers_store() {
    use shisa::agx::text::{AsmOptions, assemble};
    use shisa::agx::{ComputeProgram, ComputeRun, run_compute};
    let lines = "stack_adjust 16, long\nldimm r0, 7\nldimm r1, 9\n\
                 stack_store r0, 0, i32, x, a\nstack_store r1, 60, i32, x, a\n\
                 stack_load r2, 0, i32, x, a\nstack_load r3, 60, i32, x, a\nwait a\n\
                 store r2_r3, du0, 0, i32, xy, a\nstop\ntrap\ntrap\ntrap\ntrap\ntrap\ntrap\ntrap\ntrap";
    let done = assemble(lines, &AsmOptions::default(), &Limits::default());
    let code = done.bytes.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let hex: String = code.iter().map(|b| format!("{b:02x}")).collect();
    let part = |scratch_size: u32| {
        let meta = serde_json::json!({
            "stage": "CS", "main_offset": 0, "main_size": code.len(), "binary_size": code.len(), "nr_gprs": 8,
            "push_count": 16, "scratch_size": scratch_size, "workgroup_size": [32, 1, 1], "key": {},
        });
        serde_json::json!({ "code": hex, "meta": meta }).to_string().into_bytes()
    };
    let settings = shisa::Settings::default();
    let run = |stack| {
        let program =
            ComputeProgram { main: (0, code.len()), code: code.clone(), stack, ..Default::default() };
        let (uniforms, buffers) = (4096u64.to_le_bytes().to_vec(), vec![(4096, vec![0; 8])]);
        let size = [1; 3];
        run_compute(
            &ComputeRun { program, grid: size, workgroup: size, uniforms, buffers, ..Default::default() },
            &settings,
        )
    };
    assert_eq!(run(64).unwrap().buffers, [[7, 0, 0, 0, 9, 0, 0, 0]]);
    assert_eq!(run(60).unwrap_err().diagnostics[0].code, "eval-memory-outside");
    let program: ComputeProgram = ComputeProgram::from_json(&String::from_utf8(part(16)).unwrap()).unwrap();
    assert_eq!(program.stack, 64);
    let linked = |scratch_size: u32| {
        let meta = serde_json::json!({
            "id": "main", "kind": "linked", "fragment": 0, "prolog": null, "main": "main", "epilog": null,
            "nr_samples_shaded": 0, "size": code.len(), "nr_gprs": 8, "scratch_size": scratch_size, "reads_tib": 0,
            "writes_sample_mask": 0, "disable_tri_merging": 0, "tag_write_disable": 0, "uses_base_param": 0,
            "uses_txf": 0, "nr_cf": 0, "nr_cf_bindings": 0,
        });
        serde_json::json!({ "code": hex, "meta": meta }).to_string().into_bytes()
    };
    let translate = |bytes: &[u8]| {
        let file = shisa::File::open(bytes, &settings).unwrap();
        let program = file.program(1).unwrap();
        program.translate(shisa_translate::Target::Wgsl, &shisa_translate::Options::default()).map(drop)
    };
    for file in [&part as &dyn Fn(u32) -> Vec<u8>, &linked] {
        translate(&file(16)).unwrap();
        assert_eq!(translate(&file(15)).unwrap_err().diagnostics[0].code, "translate-memory-size");
    }
}

/// A part without the number of its registers runs, and every other verb reports what is missing.
#[test]
fn parts_that_lack_metadata_are_reported_by_every_verb() {
    use shisa::{File, Listing, Settings};
    let meta = serde_json::json!({ "stage": "CS", "main_offset": 0, "main_size": 2, "binary_size": 2 });
    let part = serde_json::json!({ "code": "8800", "meta": meta }).to_string();
    let settings = Settings::default();
    let file = File::open(part.as_bytes(), &settings).unwrap();
    let program = file.program(1).unwrap();
    let how = Listing::new();
    let reported = [
        program.listing(&how).map(drop),
        program.instructions(&how).map(drop),
        program.check().map(drop),
        program.cfg().map(drop),
        program.lower().map(drop),
        program.extract().map(drop),
        program.report().map(drop),
    ];
    for (number, reported) in reported.into_iter().enumerate() {
        let found = reported.unwrap_err().diagnostics;
        assert!(found.iter().all(|d| d.code == "agx-part"), "{number}: {found:?}");
    }
}
