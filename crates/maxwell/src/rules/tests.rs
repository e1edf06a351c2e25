use super::*;
use crate::container::{Container, Sph};
use crate::{Ctx, Maxwell, Options, PlainControl, ShaderStage, bundle};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{format, string::String, vec::Vec};
use shisa_rows::testing::Random;
use shisa_rows::{Isa, Names, Scan, parse};

/// Code from text, filled up with NOP; `name:` makes a label of the next instruction, `{name}` stands for its
/// address.
fn code(lines: &[&str]) -> Vec<u8> {
    let (mut labels, mut n) = (BTreeMap::new(), 0);
    for line in lines {
        match line.strip_suffix(':') {
            Some(name) => drop(labels.insert(format!("{{{name}}}"), bundle::address(n))),
            None => n += 1,
        }
    }
    let names = Names::<Maxwell>::new();
    let mut words = Vec::new();
    for line in lines.iter().filter(|l| !l.ends_with(':')) {
        let text =
            labels.iter().fold(String::from(*line), |t, (name, at)| t.replace(name, &format!("{at:#x}")));
        let ctx = Ctx { pc: bundle::address(words.len() as u32), ..Ctx::default() };
        let insn = parse(&names, &mut Scan::new(&text, 0), ctx);
        words.push(insn.unwrap_or_else(|d| panic!("{text}: {d}")).word);
    }
    bytes(&words)
}

fn bytes(words: &[u128]) -> Vec<u8> {
    let nop = 0x07e0_50b0_0000_0007_0f00;
    let of = |bundle: &[u128]| bundle::split(core::array::from_fn(|i| bundle.get(i).copied().unwrap_or(nop)));
    words.chunks(3).flat_map(of).flat_map(u64::to_le_bytes).collect()
}

/// Codes of what is found, with the address of the instruction. The code of these tests waits for nothing.
fn told(found: &[Diagnostic], base: usize) -> Vec<String> {
    let waits = |d: &&Diagnostic| hazards::CODES.iter().any(|(code, _)| *code == d.code);
    found
        .iter()
        .filter(|d| !waits(d))
        .map(|d| format!("{} {:#x}", d.code, d.offset().unwrap() - base))
        .collect()
}

/// What is found in code without a header.
fn raw(lines: &[&str]) -> Vec<String> {
    let bytes = code(lines);
    let image = Image::read_as(&bytes, Container::Bundles, &Limits::default()).unwrap();
    told(&check(&image, None, Options::DEFAULT, &Limits::default()), 0)
}

/// What is found in code after a header of a stage with some fields set, but for strips that end too soon: most tests
/// need only one vertex.
fn staged(stage: ShaderStage, fields: &[(&str, u16, u32)], lines: &[&str]) -> Vec<String> {
    let mut found = complete(stage, fields, lines);
    found.retain(|found| !found.starts_with("maxwell-out-strip"));
    found
}

/// What is found in code after a header of a stage with some fields set.
fn complete(stage: ShaderStage, fields: &[(&str, u16, u32)], lines: &[&str]) -> Vec<String> {
    let mut header = Sph::new(stage).unwrap();
    let geometry = [("OutputTopology", 0, 7), ("MaxOutputVertexCount", 0, 3), ("StreamOutMask", 0, 15)];
    let own = if stage == ShaderStage::Geometry { &geometry[..] } else { &[] };
    for (name, number, value) in own.iter().chain(fields) {
        header.fields().find(|f| f.name == *name).unwrap().set(&mut header, *number, *value);
    }
    let bytes = [&header.0[..], &code(lines)].concat();
    let image = Image::read_as(&bytes, Container::Sph, &Limits::default()).unwrap();
    told(&check(&image, None, Options::DEFAULT, &Limits::default()), image.programs[0].code.start)
}

const NONE: [&str; 0] = [];

#[test]
fn words_are_instructions_where_they_may_run() {
    let check = |words: &[u128]| {
        let bytes = bytes(words);
        let image = Image::read_as(&bytes, Container::Bundles, &Limits::default()).unwrap();
        told(&check(&image, None, Options::DEFAULT, &Limits::default()), 0)
    };
    let (exit, bad) = (0x07e0_e300_0000_0007_000f, 0x07e0_ffff_ffff_ffff_ffff);
    assert_eq!(check(&[bad, exit]), ["maxwell-opcode 0x8"]);
    assert_eq!(check(&[exit, bad]), NONE);
    // S2R with bit 30, which means nothing; F2I with one that compilers set or not.
    assert_eq!(check(&[0x07e0_f0c8_4000_0217_0000, exit]), ["maxwell-ignored-bits 0x8"]);
    assert_eq!(check(&[0x07e0_f0c8_0000_0217_0000, exit]), NONE);
    assert_eq!(check(&[0x07e0_5cb0_0400_0007_0a00, exit]), NONE);
}

#[test]
fn registers_are_aligned_and_there() {
    assert_eq!(raw(&["LDG.E.64 R1, [R2];", "EXIT;"]), ["maxwell-register-alignment 0x8"]);
    assert_eq!(raw(&["LDG.E.64 R0, [R3];", "EXIT;"]), ["maxwell-register-alignment 0x8"]);
    assert_eq!(raw(&["LDS.U.128 R2, [R3];", "EXIT;"]), ["maxwell-register-alignment 0x8"]);
    assert_eq!(raw(&["LDS.U.128 R252, [R3];", "EXIT;"]), ["maxwell-register-past 0x8"]);
    assert_eq!(raw(&["LDS.U.128 R248, [R3];", "EXIT;"]), NONE);
    assert_eq!(raw(&["DADD R254, R2, R4;", "EXIT;"]), ["maxwell-register-past 0x8"]);
}

#[test]
fn the_header_has_enough_registers() {
    let program = |count: u32, lines: &[&str]| {
        let bytes = code(lines);
        let mut image = Image::read_as(&bytes, Container::Bundles, &Limits::default()).unwrap();
        image.programs[0].registers = Some(count);
        told(&check(&image, None, Options::DEFAULT, &Limits::default()), 0)
    };
    let lines = ["MOV R0, RZ;", "MOV R4, R0;", "MOV R4, R0;", "EXIT;", "MOV R9, R0;"];
    assert_eq!(program(5, &lines), NONE);
    assert_eq!(program(4, &lines), ["maxwell-register-count 0x10"]);
}

#[test]
fn barriers_and_local_memory_are_asked_for() {
    let program = |count: Option<u32>, lines: &[&str]| {
        let bytes = code(lines);
        let mut image = Image::read_as(&bytes, Container::Bundles, &Limits::default()).unwrap();
        image.programs[0].barriers = count;
        told(&check(&image, None, Options::DEFAULT, &Limits::default()), 0)
    };
    // Which barrier a register holds is not known.
    let lines = ["BAR.SYNC 0x1;", "BAR.ARV 0x2, R0;", "BAR.SYNC R3;", "EXIT;"];
    assert_eq!(program(Some(3), &lines), NONE);
    assert_eq!(program(Some(2), &lines), ["maxwell-barrier-count 0x10"]);
    assert_eq!(program(None, &lines), NONE);
    let sizes = [
        ("DoesLoadOrStore", 0, 1),
        ("ShaderLocalMemoryLowSize", 0, 32),
        ("ShaderLocalMemoryHighSize", 0, 16),
    ];
    let local = |line: &str| staged(ShaderStage::Vertex, &sizes, &[line, "EXIT;"]);
    for sound in ["STL.64 [0x18], R2;", "LDL R0, [R2+0x40];", "LDL.128 R0, [0xfffff0];", "LDL.U8 R0, [0x1f];"]
    {
        assert_eq!(local(sound), NONE, "{sound}");
    }
    for wrong in ["STL.64 [0x1c], R2;", "LDL.U8 R0, [0x20];", "LDL R0, [0xffffec];"] {
        assert_eq!(local(wrong), ["maxwell-local-memory 0x8"], "{wrong}");
    }
}

#[test]
fn marks_are_made_before_they_are_left_for() {
    let sound = ["SSY {end};", "@P0 SYNC;", "NOP;", "SYNC;", "end:", "EXIT;", "self:", "BRA {self};"];
    assert_eq!(raw(&sound), NONE);
    assert_eq!(raw(&["SYNC;", "EXIT;"])[0], "maxwell-mark-missing 0x8");
    assert_eq!(raw(&["PBK {end};", "SYNC;", "end:", "EXIT;"])[0], "maxwell-mark-missing 0x10");
    // Code that no path reaches, such as padding, is not checked.
    assert_eq!(raw(&["EXIT;", "SYNC;", "BRK;"]), NONE);
    assert_eq!(raw(&["PBK {end};", "NOP;", "end:", "EXIT;"]), ["maxwell-mark-unused 0x8"]);
    // Nor is what comes after a call that never comes back.
    assert_eq!(raw(&["CAL {ends};", "SYNC;", "BRK;", "ends:", "EXIT;"]), NONE);
    let back = ["CAL {back};", "SYNC;", "EXIT;", "back:", "RET;"];
    assert_eq!(raw(&back), ["maxwell-mark-missing 0x10"]);
    let piled = ["again:", "PCNT {end};", "@P0 BRA {again};", "CONT;", "end:", "EXIT;"];
    assert_eq!(raw(&piled), ["maxwell-mark-growth 0x8"]);
}

#[test]
fn code_ends() {
    assert_eq!(raw(&["MOV R0, RZ;", "NOP;", "@P0 EXIT;"]), ["maxwell-past-end 0x18"]);
    assert_eq!(raw(&["BRA 0x1000;"]), ["maxwell-past-end 0x8", "maxwell-no-exit 0x8"]);
    assert_eq!(raw(&["self:", "BRA {self};"]), ["maxwell-no-exit 0x8"]);
    assert_eq!(raw(&["CAL {f};", "EXIT;", "f:", "RET;"]), NONE);
}

#[test]
fn headers_allow_what_code_does() {
    let vertex = |fields: &[_], lines: &[&str]| staged(ShaderStage::Vertex, fields, lines);
    let store = ["STG.E [R2], R0;", "EXIT;"];
    assert_eq!(vertex(&[], &store), ["maxwell-header 0x8", "maxwell-header 0x8"]);
    assert_eq!(vertex(&[("DoesLoadOrStore", 0, 1)], &store), ["maxwell-header 0x8"]);
    assert_eq!(vertex(&[("DoesLoadOrStore", 0, 1), ("DoesGlobalStore", 0, 1)], &store), NONE);
    let double = ["DADD R0, R2, R4;", "EXIT;"];
    assert_eq!(vertex(&[], &double), ["maxwell-header 0x8"]);
    assert_eq!(vertex(&[("DoesFp64", 0, 1)], &double), NONE);
    assert_eq!(vertex(&[], &["F2F.F32.F64 R0, R2;", "EXIT;"]), ["maxwell-header 0x8"]);
    assert_eq!(vertex(&[], &["KIL;", "EXIT;"]), ["maxwell-stage 0x8"]);
    let kill = ["KIL;", "EXIT;"];
    assert_eq!(staged(ShaderStage::Fragment, &[], &kill), ["maxwell-header 0x8"]);
    assert_eq!(staged(ShaderStage::Fragment, &[("KillsPixels", 0, 1)], &kill), NONE);
    assert_eq!(vertex(&[], &["OUT.EMIT R0, R0, RZ;", "EXIT;"]), ["maxwell-stage 0x8"]);
}

#[test]
fn attributes_are_in_the_maps() {
    let vertex = |fields: &[_], lines: &[&str]| staged(ShaderStage::Vertex, fields, lines);
    let lines = ["ALD.64 R0, a[0x98];", "AST a[0x70], R0;", "EXIT;"];
    let both = ["maxwell-attribute 0x8", "maxwell-attribute 0x8", "maxwell-attribute 0x10"];
    assert_eq!(vertex(&[], &lines), both);
    let maps = [("ImapGenericVector", 1, 8 | 4), ("OmapSystemValuesB", 0, 0x10)];
    assert_eq!(vertex(&maps, &lines), NONE);
    assert_eq!(vertex(&[maps[0], ("OmapSystemValuesB", 0, 0x20)], &lines), both[2..]);
    let fragment = |fields: &[_], lines: &[&str]| staged(ShaderStage::Fragment, fields, lines);
    let lines = ["IPA R0, a[0x84], RZ;", "EXIT;"];
    assert_eq!(fragment(&[], &lines), ["maxwell-attribute 0x8"]);
    assert_eq!(fragment(&[("ImapGenericVector", 0, 2 << 2)], &lines), NONE);
    let patch = ["AST.P a[0x20], R0;", "EXIT;"];
    let control = |count| {
        let fields = [("PerPatchAttributeCount", 0, count)];
        staged(ShaderStage::TessellationControl, &fields, &patch)
    };
    assert_eq!([control(8), control(9)], [["maxwell-attribute 0x8"].map(String::from).to_vec(), Vec::new()]);
}

#[test]
fn attributes_are_taken_as_the_header_has_them() {
    let ipa = |suffix: &str, value: u32| {
        let line = format!("IPA{suffix} R0, a[0x84], RZ;");
        staged(ShaderStage::Fragment, &[("ImapGenericVector", 0, value << 2)], &[&line, "EXIT;"])
    };
    let (constant, perspective, linear) = (1, 2, 3);
    for (suffix, value) in [
        (".CONSTANT", constant),
        ("", perspective),
        (".PASS", linear),
        (".PASS", perspective),
        (".SC", constant),
    ] {
        assert_eq!(ipa(suffix, value), NONE, "{suffix} {value}");
    }
    for (suffix, value) in
        [(".CONSTANT", linear), (".CONSTANT", perspective), ("", constant), ("", linear), (".PASS", constant)]
    {
        assert_eq!(ipa(suffix, value), ["maxwell-interpolation 0x8"], "{suffix} {value}");
    }
    // System values are not interpolated.
    let system = [("ImapSystemValuesB", 0, 1 << 4)];
    assert_eq!(staged(ShaderStage::Fragment, &system, &["IPA.CONSTANT R0, a[0x70], RZ;", "EXIT;"]), NONE);
}

#[test]
fn what_the_header_hands_on_is_written() {
    let pixel = |lines: &[&str]| {
        let fields = [("OmapTarget", 0, 3), ("OmapDepth", 0, 1)];
        staged(ShaderStage::Fragment, &fields, lines)
    };
    // The mask of samples would be in R2.
    assert_eq!(pixel(&["MOV R0, RZ;", "MOV R1, RZ;", "MOV R3, RZ;", "EXIT;"]), NONE);
    assert_eq!(pixel(&["MOV R0, RZ;", "MOV R1, RZ;", "EXIT;"]), ["maxwell-output-unset 0x18"]);
    // One component of a target may be left as it is.
    assert_eq!(pixel(&["MOV R1, RZ;", "MOV R3, RZ;", "EXIT;"]), NONE);
    // Written on one path that leads there, or the pixel has no outputs.
    let joined = ["MOV R0, RZ;", "@P0 BRA {end};", "MOV R1, RZ;", "MOV R3, RZ;", "end:", "EXIT;"];
    assert_eq!(pixel(&joined), NONE);
    let header = [("OmapTarget", 0, 3), ("KillsPixels", 0, 1)];
    assert_eq!(staged(ShaderStage::Fragment, &header, &["KIL;", "EXIT;"]), NONE);
    assert_eq!(staged(ShaderStage::Fragment, &header, &["@P0 KIL;", "EXIT;"]), ["maxwell-output-unset 0x10"]);
}

fn geometry(lines: &[&str]) -> Vec<String> {
    staged(ShaderStage::Geometry, &[("OmapGenericVector", 0, 15)], lines)
}

#[test]
fn the_state_of_emission_is_kept() {
    let sound =
        ["MOV R0, RZ;", "AST a[0x80], R4, R0;", "OUT.EMIT R0, R0, RZ;", "OUT.CUT R0, R0, RZ;", "EXIT;"];
    assert_eq!(geometry(&sound), NONE);
    // In another register, and back in R0 at the end.
    let moved = ["MOV32I R5, 0x0;", "OUT.EMIT R6, R5, 0x0;", "AST a[0x80], R4, R6;", "MOV R0, R6;", "EXIT;"];
    assert_eq!(geometry(&moved), NONE);
    assert_eq!(geometry(&["OUT.EMIT R0, RZ, RZ;", "EXIT;"]), NONE);
    assert_eq!(geometry(&["OUT.EMIT R0, R0, RZ;", "EXIT;"]), ["maxwell-out-state 0x8"]);
    assert_eq!(geometry(&["NOP;", "EXIT;"]), ["maxwell-out-exit 0x10"]);
    let stale = ["MOV R0, RZ;", "OUT.EMIT R1, R0, RZ;", "OUT.EMIT R0, R0, RZ;", "EXIT;"];
    assert_eq!(geometry(&stale), ["maxwell-out-state 0x18"]);
    let elsewhere = ["MOV R0, RZ;", "OUT.EMIT R1, R0, RZ;", "EXIT;"];
    assert_eq!(geometry(&elsewhere), ["maxwell-out-exit 0x18"]);
    let changed =
        ["MOV R0, RZ;", "OUT.EMIT R0, R0, RZ;", "IADD R0, R0, 0x1;", "AST a[0x80], R4, R0;", "EXIT;"];
    assert_eq!(geometry(&changed), ["maxwell-out-store 0x28", "maxwell-out-exit 0x30"]);
    assert_eq!(geometry(&["MOV R0, RZ;", "AST a[0x80], R4;", "EXIT;"]), NONE);
    // On one of two paths only.
    let guarded = ["MOV R0, RZ;", "@P0 OUT.EMIT R1, R0, RZ;", "OUT.CUT R0, R0, RZ;", "EXIT;"];
    assert_eq!(geometry(&guarded), ["maxwell-out-state 0x18"]);
    let joined =
        ["MOV R0, RZ;", "@P0 BRA {end};", "OUT.EMIT R0, R0, RZ;", "end:", "OUT.CUT R0, R0, RZ;", "EXIT;"];
    assert_eq!(geometry(&joined), NONE);
    let fast = [("IsFastGs", 0, 1)];
    assert_eq!(
        staged(ShaderStage::Geometry, &fast, &["OUT.EMIT R0, R0, RZ;", "EXIT;"]),
        ["maxwell-out-fast 0x8"]
    );
}

/// Seed 001 permits any register and any instruction that preserves the state.
#[test]
fn the_state_of_emission_may_move() {
    // What two instructions with the same guard do belongs together.
    let guarded = |second: &str, last: &str| {
        geometry(&["MOV R0, RZ;", "@P0 OUT.EMIT R2, R0, 0x0;", second, last, "EXIT;"])
    };
    assert_eq!(guarded("@P0 MOV R0, R2;", "OUT.CUT R0, R0, RZ;"), NONE);
    assert_eq!(guarded("@!P0 MOV R2, R0;", "OUT.CUT R0, R2, RZ;"), NONE);
    assert_eq!(guarded("@!P0 MOV R0, R2;", "OUT.CUT R0, R0, RZ;"), ["maxwell-out-state 0x28"]);
    assert_eq!(guarded("@P1 MOV R0, R2;", "OUT.CUT R0, R0, RZ;"), ["maxwell-out-state 0x28"]);
    assert_eq!(
        guarded("ISETP.EQ.AND P0, PT, R8, R9, PT;", "@P0 OUT.CUT R0, R2, RZ;"),
        ["maxwell-out-state 0x28", "maxwell-out-exit 0x30"]
    );
    let branch = [
        "MOV R0, RZ;",
        "@P0 OUT.EMIT R2, R0, 0x0;",
        "@!P0 BRA {skip};",
        "MOV R0, R2;",
        "skip:",
        "OUT.CUT R0, R0, RZ;",
        "EXIT;",
    ];
    assert_eq!(geometry(&branch), NONE);
    let copied = |zero: &str, copy: &str| {
        geometry(&[zero, "OUT.EMIT R2, R0, 0x0;", copy, "OUT.CUT R0, R0, RZ;", "EXIT;"])
    };
    for copy in [
        "IADD R0, R2, RZ;",
        "IADD R0, RZ, R2;",
        "IADD32I R0, R2, 0x0;",
        "LOP.PASS_B R0, RZ, R2;",
        "SHL R0, R2, 0x0;",
        "LOP.OR R0, R2, R2;",
        "LOP.XOR R0, RZ, R2;",
        "SEL R0, R2, R2, P0;",
        "LOP3.LUT R0, R2, RZ, RZ, 0xf0;",
    ] {
        assert_eq!(copied("MOV R0, RZ;", copy), NONE, "{copy}");
    }
    for other in ["IADD R0, R2, -RZ;", "IADD R0, -R2, RZ;", "LOP.PASS_B R0, R2, RZ;", "SHL R0, R2, 0x1;"] {
        let want: &[&str] = if other.contains("-RZ") { &NONE } else { &["maxwell-out-state 0x28"] };
        assert_eq!(copied("MOV R0, RZ;", other), want, "{other}");
    }
    for zero in ["LOP.XOR R0, R0, R0;", "IADD R0, RZ, RZ;", "LOP.AND R0, R0, RZ;", "MOV32I R0, 0x0;"] {
        assert_eq!(copied(zero, "MOV R0, R2;"), NONE, "{zero}");
    }
    // A zero from before the first vertex is not the state after it.
    let stale = ["MOV R0, RZ;", "MOV R5, RZ;", "OUT.EMIT R0, R0, RZ;", "OUT.EMIT R0, R5, RZ;", "EXIT;"];
    assert_eq!(geometry(&stale), ["maxwell-out-state 0x28"]);
}

/// Streams that registers of known value name.
#[test]
fn registers_name_streams() {
    let of = |second: &str| {
        geometry(&[
            "MOV R0, RZ;",
            "MOV32I R5, 0x1;",
            "OUT.EMIT R0, R0, R5;",
            second,
            "OUT.EMIT R0, R0, R5;",
            "EXIT;",
        ])
    };
    assert_eq!(of("NOP;"), NONE);
    assert_eq!(of("MOV32I R5, 0x2;"), ["maxwell-out-stream-change 0x30"]);
    assert_eq!(of("IADD R5, R5, R6;"), NONE);
    let masked = ["MOV R0, RZ;", "MOV32I R5, 0x1;", "OUT.EMIT R0, R0, R5;", "EXIT;"];
    assert_eq!(
        staged(ShaderStage::Geometry, &[("StreamOutMask", 0, 1)], &masked),
        ["maxwell-out-stream-mask 0x18"]
    );
}

/// A strip needs the vertices of one primitive.
#[test]
fn strips_have_enough_vertices() {
    let of = |topology: u32, lines: &[&str]| {
        let own = [("OutputTopology", 0, topology), ("MaxOutputVertexCount", 0, 9)];
        let lines: Vec<&str> = ["MOV R0, RZ;"].iter().chain(lines).copied().collect();
        complete(ShaderStage::Geometry, &own, &lines)
    };
    let (emit, both, cut, exit) =
        ("OUT.EMIT R0, R0, RZ;", "OUT.EMIT_THEN_CUT R0, R0, RZ;", "OUT.CUT R0, R0, RZ;", "EXIT;");
    assert_eq!(of(7, &[emit, emit, both, exit]), NONE);
    assert_eq!(of(7, &[emit, both, exit]), ["maxwell-out-strip 0x18"]);
    assert_eq!(of(6, &[emit, both, exit]), NONE);
    assert_eq!(of(6, &[both, exit]), ["maxwell-out-strip 0x10"]);
    assert_eq!(of(1, &[both, exit]), NONE);
    assert_eq!(of(7, &[emit, emit, cut, exit]), ["maxwell-out-strip 0x28"]);
    assert_eq!(of(7, &[cut, exit]), NONE);
    assert_eq!(of(7, &[emit, emit, exit]), ["maxwell-out-strip 0x28"]);
    // Another stream ends a strip.
    let changed = of(6, &[emit, "OUT.EMIT R0, R0, 0x1;", "OUT.EMIT R0, R0, 0x1;", exit]);
    assert_eq!(changed, ["maxwell-out-stream-change 0x18", "maxwell-out-strip 0x18"]);
    // Enough on some path is enough.
    assert_eq!(of(6, &["@P0 OUT.EMIT R0, R0, RZ;", both, exit]), NONE);
    assert_eq!(of(7, &["again:", emit, "@P0 BRA {again};", cut, exit]), NONE);
}

#[test]
fn attributes_are_addressed_in_all_graphics_stages() {
    let code = ["AL2P R1, R0, 0x80;", "MOV R0, R1;", "EXIT;"];
    assert_eq!(staged(ShaderStage::Fragment, &[("OmapTarget", 0, 1)], &code), NONE);
}

#[test]
fn vertices_are_no_more_than_the_header_allows() {
    let of = |most: u32, lines: &[&str]| {
        staged(ShaderStage::Geometry, &[("MaxOutputVertexCount", 0, most)], lines)
    };
    let three = [
        "MOV R0, RZ;",
        "OUT.EMIT R0, R0, RZ;",
        "@P0 OUT.EMIT R0, R0, RZ;",
        "@P0 BRA {end};",
        "OUT.EMIT_THEN_CUT R0, R0, RZ;",
        "end:",
        "OUT.EMIT R0, R0, RZ;",
        "OUT.CUT R0, R0, RZ;",
        "EXIT;",
    ];
    assert_eq!(of(2, &three), NONE);
    let dropped = ["maxwell-out-vertices 0x18", "maxwell-out-vertices 0x30", "maxwell-out-vertices 0x38"];
    assert_eq!(of(1, &three), dropped);
    // Only the first iteration is certain.
    let turns = ["MOV R0, RZ;", "again:", "OUT.EMIT R0, R0, RZ;", "@P0 BRA {again};", "EXIT;"];
    assert_eq!(of(1, &turns), NONE);
    // A loop that counts from a number to a number has a known number of iterations.
    let counted = |emits: &[&'static str]| -> Vec<&str> {
        let head = ["MOV R0, RZ;", "MOV R1, RZ;", "again:", "OUT.EMIT R0, R0, RZ;"];
        let tail = ["IADD R1, R1, 0x1;", "ISETP.LT.AND P0, PT, R1, 0x4, PT;", "@P0 BRA {again};"];
        head.iter().chain(&tail).chain(emits).chain(&["EXIT;"]).copied().collect()
    };
    let one = ["OUT.EMIT R0, R0, RZ;"];
    assert_eq!(of(4, &counted(&[])), NONE);
    assert_eq!(of(5, &counted(&one)), NONE);
    assert_eq!(of(4, &counted(&one)), ["maxwell-out-vertices 0x48"]);
    // Without a known bound there may be fewer.
    let unknown: Vec<&str> =
        counted(&one).iter().map(|l| if l.starts_with("MOV R1") { "MOV R1, R9;" } else { l }).collect();
    assert_eq!(of(4, &unknown), NONE);
    assert_eq!(of(1, &unknown), ["maxwell-out-vertices 0x48"]);
    // A loop that never ends in the search leaves a lower bound.
    let endless: Vec<&str> = counted(&one)
        .iter()
        .map(|l| if l.starts_with("ISETP") { "ISETP.LT.AND P0, PT, R1, R9, PT;" } else { l })
        .collect();
    assert_eq!(of(1, &endless), ["maxwell-out-vertices 0x48"]);
}

#[test]
fn out_says_what_it_can() {
    let of = |out: &str| geometry(&["MOV R0, RZ;", out, "EXIT;"]);
    assert_eq!(of("OUT.CUT R0, R0, RZ;"), NONE);
    assert_eq!(of("OUT.CUT R0, R0, 0x0;"), ["maxwell-out-cut 0x10"]);
    assert_eq!(of("OUT.CUT R0, R0, R1;"), ["maxwell-out-cut 0x10"]);
    assert_eq!(of("OUT.EMIT R0, R0, 0x3;"), NONE);
    assert_eq!(of("OUT.EMIT R0, R0, 0x4;"), ["maxwell-out-stream 0x10"]);
    assert_eq!(of("OUT.INVALIDOUTSTYPE0 R0, R0, RZ;"), ["maxwell-out-type 0x10"]);
    let two = ["MOV R0, RZ;", "OUT.EMIT R0, R0, 0x1;", "OUT.EMIT R0, R0, 0x2;", "EXIT;"];
    assert_eq!(geometry(&two), ["maxwell-out-stream-change 0x18"]);
    let first = [("StreamOutMask", 0, 1)];
    let emit = |stream| ["MOV R0, RZ;", ["OUT.EMIT R0, R0, RZ;", "OUT.EMIT R0, R0, 0x1;"][stream], "EXIT;"];
    assert_eq!(staged(ShaderStage::Geometry, &first, &emit(0)), NONE);
    assert_eq!(staged(ShaderStage::Geometry, &first, &emit(1)), ["maxwell-out-stream-mask 0x10"]);
    let points = [("OutputTopology", 0, 1)];
    assert_eq!(staged(ShaderStage::Geometry, &points, &two), NONE);
    let cut = ["MOV R0, RZ;", "OUT.EMIT_THEN_CUT R0, R0, 0x1;", "OUT.EMIT R0, R0, 0x2;", "EXIT;"];
    assert_eq!(geometry(&cut), NONE);
    let read = ["MOV R0, RZ;", "ALD.O R1, a[0x80];", "EXIT;"];
    assert_eq!(geometry(&read), ["maxwell-output-read 0x10"]);
}

#[test]
fn special_registers_tell_something() {
    let vertex = |line: &str| staged(ShaderStage::Vertex, &[], &[line, "EXIT;"]);
    assert_eq!(vertex("S2R R0, SR_LANEID;"), NONE);
    assert_eq!(vertex("S2R R0, SR_TID.X;"), ["maxwell-special-stage 0x8"]);
    assert_eq!(vertex("S2R R0, SR_THREAD_KILL;"), ["maxwell-special-stage 0x8"]);
    assert_eq!(staged(ShaderStage::Fragment, &[], &["S2R R0, SR_THREAD_KILL;", "EXIT;"]), NONE);
    assert_eq!(vertex("S2R R0, SR200;"), ["maxwell-special-reserved 0x8"]);
    assert_eq!(vertex("S2R R0, SR_MACHINE_ID_1;"), ["maxwell-special-reserved 0x8"]);
    assert_eq!(vertex("CS2R R0, SR_CLOCKLO;"), NONE);
    assert_eq!(vertex("CS2R R0, SR_LANEID;"), ["maxwell-special-coupled 0x8"]);
}

#[test]
fn what_is_not_waited_for_is_found() {
    let bytes = code(&["MOV R0, RZ;", "MOV R1, R0;", "EXIT;"]);
    let image = Image::read_as(&bytes, Container::Bundles, &Limits::default()).unwrap();
    let literally = Options { plain_control: PlainControl::Nothing, ..Options::DEFAULT };
    assert_eq!(check(&image, None, Options::DEFAULT, &Limits::default()), []);
    let found = check(&image, None, literally, &Limits::default());
    let codes: Vec<_> = found.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["maxwell-latency"]);
    assert_eq!(found[0].labels.len(), 2);
}

#[test]
fn findings_tell_the_instruction_and_are_bounded() {
    let bytes = code(&["SYNC;", "SYNC;", "S2R R0, SR200;", "EXIT;"]);
    let bytes = [&bytes[..], &code(&["EXIT;"])].concat();
    let image = Image::read_as(&bytes, Container::Bundles, &Limits::default()).unwrap();
    let found = check(&image, None, Options::DEFAULT, &Limits::default());
    assert_eq!(found[0].notes, ["code, 0x0008: SYNC;"]);
    assert_eq!(found[0].labels[0].span.range(), 8..16);
    let many = code(&["S2R R0, SR200;"; 30].iter().copied().chain(["EXIT;"]).collect::<Vec<_>>());
    let image = Image::read_as(&many, Container::Bundles, &Limits::default()).unwrap();
    let few = Limits { diagnostics: 4, ..Limits::default() };
    let found = check(&image, None, Options::DEFAULT, &few);
    assert_eq!(found.len(), 5);
    assert_eq!(found[4].code, "limit-diagnostics");
}

/// Nothing that random words of all rows say makes the rules fail; and what they find has a code of the table.
#[test]
fn any_code_can_be_checked() {
    let forms = Maxwell::table().forms();
    let mut random = Random(7);
    let mut codes = BTreeSet::new();
    for stage in [None, Some(ShaderStage::Geometry), Some(ShaderStage::Fragment), Some(ShaderStage::Vertex)] {
        for _ in 0..40 {
            let mut bytes = Vec::new();
            for n in 0..120 {
                let form = &forms[random.bits() as usize % forms.len()];
                let fixed = random.bits() & !(form.mask as u64) | form.bits as u64;
                let word = if n % 4 == 0 || random.bits().is_multiple_of(16) { random.bits() } else { fixed };
                bytes.extend(word.to_le_bytes());
            }
            let header = stage.map_or(Vec::new(), |s| Sph::new(s).unwrap().0.to_vec());
            let container = if stage.is_some() { Container::Sph } else { Container::Bundles };
            let bytes = [header, bytes].concat();
            let image = Image::read_as(&bytes, container, &Limits::default()).unwrap();
            codes.extend(
                check(&image, Some(Chip::Sm50), Options::DEFAULT, &Limits::default()).iter().map(|d| d.code),
            );
        }
    }
    let known = |code: &&str| {
        let tables = [CODES, crate::REFUSALS, crate::container::CODES, hazards::CODES];
        tables.iter().any(|t| t.iter().any(|(c, _)| c == code))
    };
    assert!(codes.len() > 10, "{codes:?}");
    assert!(codes.iter().all(known), "{codes:?}");
    assert!(CODES.is_sorted_by_key(|(code, _)| code));
}
