//! Lowered and translated programs.

mod geometry;
mod graphics;
mod native;
mod patch;

use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Pointer, Space, Stage, TextureAccess};
use shisa_maxwell::lower::Staged;
use shisa_maxwell::{Ctx, Maxwell, Program, bundle};
use shisa_rows::{Names, Scan};
use shisa_translate::{BufferKind, GlslVersion, Options, Output, ShaderModel, SpirvVersion, Target};
use std::collections::BTreeMap;

/// A compute program of these lines and an EXIT, of 64 by 2 threads a workgroup.
pub(crate) fn staged(lines: &str) -> Staged {
    let names = Names::<Maxwell>::new();
    let all = lines.split(';').map(str::trim).filter(|line| !line.is_empty()).chain(["EXIT"]);
    let word = |(n, line): (u32, &str)| {
        let ctx = Ctx { pc: bundle::address(n), ..Ctx::default() };
        let insn = shisa_rows::parse(&names, &mut Scan::new(line, 0), ctx);
        insn.unwrap_or_else(|d| panic!("{line}: {d}")).word
    };
    let code = (0..).zip(all).map(word).collect();
    Staged::new(Program { stage: Stage::Compute, code, workgroup: [64, 2, 1], drawing: None })
}

/// A translation and the warnings of lowering.
pub(crate) fn translated(staged: &Staged, target: Target) -> (Output, Vec<Diagnostic>) {
    let limits = Limits::default();
    let (func, tree, interface, warnings) = staged.lower(&limits).unwrap();
    let program = shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
    let output = shisa_translate::translate(&program, target, &Options::default(), &limits);
    (output.unwrap_or_else(|d| panic!("{}: {d:?}", target.name())), warnings)
}

pub(crate) fn wgsl(staged: &Staged) -> String {
    translated(staged, Target::Spirv(SpirvVersion::V1_3));
    translated(staged, Target::Wgsl).0.code.text().unwrap().into()
}

fn refusal(staged: &Staged) -> &'static str {
    staged.lower(&Limits::default()).unwrap_err()[0].code
}

/// A store of R0 through the pointer at c[0x0][0x140].
const STORE: &str = "MOV R2, c[0x0][0x140]; MOV R3, c[0x0][0x144]; STG.E [R2], R0";

/// As uam indexes a storage buffer.
#[test]
fn memory_at_pointers_in_constants_is_buffers() {
    let staged = staged(
        "S2R R0, SR_TID.X; SHL R1, R0, 0x2;
         IADD R2.CC, R1, c[0x0][0x140]; IADD.X R3, RZ, c[0x0][0x144]; LDG.E.64 R4, [R2+0x8];
         IADD R6.CC, R1, c[0x0][0x160]; IADD.X R7, RZ, c[0x0][0x164]; RED.E.ADD [R6], R4",
    );
    let (_, _, interface, warnings) = staged.lower(&Limits::default()).unwrap();
    let pointers: Vec<_> = interface.buffers.iter().map(|b| (b.number, b.pointer)).collect();
    let pointer = |offset| Pointer { bank: 0, offset };
    assert_eq!(pointers, [(0, pointer(0x140)), (1, pointer(0x160))]);
    assert_eq!(warnings, []);
    let text = wgsl(&staged);
    assert!(text.contains("buffer_0_words: array<u32>") && text.contains("array<atomic<u32>>"), "{text}");
    assert!(!text.contains("bank_0") && !text.contains("memory_words"), "{text}");
    let (output, _) = translated(&staged, Target::Wgsl);
    let memory = &output.reflection.memory;
    let found: Vec<_> = memory.iter().map(|m| (&*m.name, m.kind, m.written, m.slot.binding)).collect();
    assert_eq!(
        found,
        [("c0_140", BufferKind::Storage, false, 257), ("c0_160", BufferKind::Storage, true, 258)]
    );
}

#[test]
fn other_memory_is_a_window() {
    let staged = staged(
        "MOV R2, c[0x0][0x140]; MOV R3, c[0x0][0x144]; LDG.E.64 R2, [R2]; LDG.E R0, [R2]; STG.E [R2], R0",
    );
    let (output, warnings) = translated(&staged, Target::Wgsl);
    assert_eq!(warnings[0].code, "translate-window");
    assert!(warnings[0].message.starts_with("2 accesses"), "{}", warnings[0].message);
    let names: Vec<_> = output.reflection.memory.iter().map(|m| &*m.name).collect();
    assert_eq!(names, ["global", "c0_140"]);
}

#[test]
fn constants_are_uniform_buffers_or_known() {
    let lines = "LDC R1, c[0x3][0x18]; MOV R2, c[0x1][0x4]; FADD R0, R1, R2; ";
    let mut staged = staged(&[lines, STORE].concat());
    let banks = |staged: &Staged| -> Vec<_> {
        let memory = translated(staged, Target::Wgsl).0.reflection.memory;
        memory
            .into_iter()
            .filter(|m| m.kind == BufferKind::Uniform)
            .map(|m| (m.name, m.size.unwrap()))
            .collect()
    };
    assert_eq!(banks(&staged), [("c1".into(), 16), ("c3".into(), 32)]);
    staged.constants = BTreeMap::from([(1, vec![0, 0, 0, 0, 0, 0, 0x40, 0x40])]);
    assert_eq!(banks(&staged), [("c3".into(), 32)]);
    assert!(wgsl(&staged).contains("3f"), "{}", wgsl(&staged));
}

/// A computed offset reaches the whole bank.
#[test]
fn a_bank_with_a_computed_offset_is_whole() {
    let staged = staged(&["S2R R1, SR_TID.X; LDC.64 R0, c[0x2][R1+0x4]; ", STORE].concat());
    let (output, _) = translated(&staged, Target::Wgsl);
    assert_eq!(output.reflection.memory[0].size, Some(1 << 16));
    assert!(output.code.text().unwrap().contains("array<vec4<u32>, 4096>"));
}

/// A load past the end of a bank, at an offset that the program does not compute, is zero, and no bank is bound for it.
#[test]
fn words_past_the_end_of_a_bank_are_zero() {
    let load = |offset: &str| format!("MOV R8, RZ;\nLDC R0, c[0x5][R8+{offset}];\nSTG.E [RZ], R0;\nEXIT;");
    for (offset, bound) in [("0x7ffc", true), ("-0x4", false), ("-0x8000", false)] {
        let (output, _) = translated(&staged(&load(offset)), Target::Wgsl);
        assert_eq!(output.code.text().unwrap().contains("bank_5"), bound, "{offset}");
    }
}

/// The upper half of an index is added to the number of the bank.
#[test]
fn computed_banks_are_choices_among_all_from_one_on() {
    let staged =
        staged(&["S2R R1, SR_TID.X; SHL R1, R1, 0x10; LDC.IS R0, c[0x10][R1+0x4]; ", STORE].concat());
    let (output, warnings) = translated(&staged, Target::Wgsl);
    assert_eq!(warnings[0].code, "translate-banks");
    let banks: Vec<_> = output.reflection.memory.iter().filter(|m| m.kind == BufferKind::Uniform).collect();
    let names: Vec<_> = banks.iter().map(|m| &*m.name).collect();
    assert_eq!(names, ["c16", "c17"]);
    assert!(output.code.text().unwrap().contains("select("), "{}", output.code.text().unwrap());
}

#[test]
fn special_registers_are_inputs_and_constants() {
    let of = |name: &str| wgsl(&staged(&["S2R R0, ", name, "; ", STORE].concat()));
    for (name, expected) in [
        ("SR_TID.Y", "tid.y"),
        ("SR_CTAID.Z", "ctaid.z"),
        ("SR_LANEID", "index & 31u"),
        ("SR_VIRTID", "index >> 5u"),
        ("SR_TID", "tid.z << 26u"),
        ("SR_EQMASK", "1u <<"),
        ("SR_LTMASK", "- 1u"),
        ("SR_GTMASK", "~"),
        ("SR_NTID", "= 128u"),
        ("SR_SMEMBANKS", "= 32u"),
        ("SR_MACHINE_ID_0", "= 0u"),
        ("SR_Y_DIRECTION", "= 0u"),
        ("SR200", "= 0u"),
    ] {
        let text = of(name);
        assert!(text.contains(expected), "{name}: {text}");
    }
    for name in ["SR_CLOCKLO", "SR_CLOCKHI", "SR_GLOBALTIMERLO", "SR_CLOCK"] {
        let lines = ["S2R R0, ", name, "; ", STORE].concat();
        assert_eq!(refusal(&staged(&lines)), "translate-special", "{name}");
    }
}

/// Local memory from 0 on, and after it the stack at the end of the window.
#[test]
fn the_stack_follows_local_memory() {
    let lines = "MOV32I R1, 0xfffff0; STL [R1+-0x10], R0; STL [0x8], R0; LDL R0, [R1+-0x10]; ";
    let mut staged = staged(&[lines, STORE].concat());
    (staged.local, staged.stack) = (20, 100);
    let (_, _, interface, _) = staged.lower(&Limits::default()).unwrap();
    // 32 bytes, then the stack: 112 bytes down from the pointer, 16 up to the end of the window.
    assert_eq!(interface.local, 32 + 112 + 16);
    let text = wgsl(&staged);
    // The word at 0xffffe0 is 32 bytes from the end.
    assert!(text.contains("local_words[32u]") && text.contains("local_words[2u]"), "{text}");
}

#[test]
fn handles_have_a_binding_for_each_use() {
    let lines = "TEX.LZ R4, R2, 0x2a, 2D, 0xf; TLD.LZ R8, R2, 0x2a, 2D, 0xf; TEX.LZ.DC R12, R2, R6, 0x2a, 2D, 0x1;
         MOV R9, c[0x5][0x10]; TEX.B.LZ R16, R2, R9, 0x0, 3D, 0x1; FADD R0, R4, R8; FADD R0, R0, R12; FADD R0, R0, R16; ";
    let mut staged = staged(&[lines, STORE].concat());
    staged.handles = 0x28;
    let (_, _, interface, _) = staged.lower(&Limits::default()).unwrap();
    let found: Vec<_> = interface.textures.iter().map(|t| (t.unit, t.access, &*t.handle)).collect();
    use TextureAccess::{Compared, Sampled};
    assert_eq!(
        found,
        [(2, Sampled, "handle 0x2a"), (40, Compared, "handle 0x2a"), (41, Sampled, "c[0x5][0x10]")]
    );
    let samplers: Vec<_> = interface.samplers.iter().map(|s| (s.unit, s.comparison)).collect();
    assert_eq!(samplers, [(40, true)]);
    wgsl(&staged);
}

/// Only SPIR-V chooses from an array of textures.
#[test]
fn handles_that_are_computed_choose_from_arrays() {
    let lines = "S2R R1, SR_TID.X; TEX.B.LZ R16, R2, R1, 0x0, 2D, 0x1; TEX.B.LZ.DC R17, R2, R4, 0x0, 2D, 0x1;
         SULD.P.2D.R.IGN R18, [R2], R1; SUST.P.2D.R.IGN [R2], R18, R1; SUATOM.D.2D.ADD.IGN R19, [R2], R4, R1;
         FADD R0, R16, R17; FADD R0, R0, R19; ";
    let staged = staged(&[lines, STORE].concat());
    let limits = Limits::default();
    let (func, tree, interface, _) = staged.lower(&limits).unwrap();
    let found: Vec<_> = interface.textures.iter().map(|t| (t.access, t.indexed, &*t.handle)).collect();
    use TextureAccess::{Changed, Compared, Sampled, Written};
    let of = |access| (access, true, "registers");
    assert_eq!(found, [Sampled, Compared, Written, Changed(4)].map(of));
    let program = shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
    let options = Options::default();
    let target = Target::Spirv(SpirvVersion::V1_3);
    let output = shisa_translate::translate(&program, target, &options, &limits).unwrap();
    let indexed = output.reflection.textures.iter().filter(|t| t.indexed).count();
    assert_eq!(indexed, 4);
    for target in [Target::Wgsl, Target::Msl] {
        let refused = shisa_translate::translate(&program, target, &options, &limits).unwrap_err();
        assert_eq!(refused[0].code, "translate-bindless");
    }
}

/// WGSL has no atomic operations on texels, and only SPIR-V has those of 64 bits.
#[test]
fn texels_change_in_all_languages_but_wgsl() {
    let result = |staged: &Staged, target| {
        let limits = Limits::default();
        let (func, tree, interface, _) = staged.lower(&limits).unwrap();
        let program =
            shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
        shisa_translate::translate(&program, target, &Options::default(), &limits)
    };
    let text = [
        Target::Glsl(GlslVersion::Core450),
        Target::Glsl(GlslVersion::Es310),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Hlsl(ShaderModel::V6_0),
        Target::Msl,
    ];
    let operations = [
        "ADD",
        "MIN",
        "MAX",
        "INC",
        "DEC",
        "AND",
        "OR",
        "XOR",
        "EXCH",
        "MIN.S32",
        "MAX.S32",
        "ADD.F32.FTZ.RN",
        "ADD.F16x2.FTZ.RN",
    ];
    let reductions = operations
        .iter()
        .filter(|name| **name != "EXCH")
        .map(|op| format!("SURED.D.2D.{op}.IGN [R2], R4, 0x48"));
    let with_result = operations.iter().map(|op| format!("SUATOM.D.2D.{op}.IGN R0, [R2], R4, 0x48"));
    let shaped = ["1D", "1D_BUFFER", "2D", "2D_ARRAY", "3D"]
        .map(|dim| format!("SUATOM.P.{dim}.ADD.IGN R0, [R8], R4, 0x48"));
    let exchange = String::from("SUATOM.D.2D.CAS.IGN R0, [R2], R4, 0x48");
    for line in reductions.chain(with_result).chain(shaped).chain([exchange]) {
        let staged = staged(&[&line, "; ", STORE].concat());
        result(&staged, Target::Spirv(SpirvVersion::V1_3)).unwrap_or_else(|d| panic!("{line}: {d:?}"));
        for target in text {
            result(&staged, target).unwrap_or_else(|d| panic!("{line}: {}: {d:?}", target.name()));
        }
        assert_eq!(result(&staged, Target::Wgsl).unwrap_err()[0].code, "translate-texture", "{line}");
    }
    let wide = staged(&["SUATOM.D.1D.ADD.U64.IGN R16, [R2], R4, 0x48; MOV R0, R16; ", STORE].concat());
    result(&wide, Target::Spirv(SpirvVersion::V1_3)).unwrap();
    for target in text {
        let refused = result(&wide, target).unwrap_err();
        let what = "an atomic operation on a texel of eight bytes cannot be expressed in";
        assert_eq!(refused[0].code, "translate-texture");
        assert!(refused[0].message.starts_with(what), "{}", refused[0].message);
    }
}

/// A query has no shape: it takes that of another use of the handle.
#[test]
fn sizes_are_those_of_the_texture() {
    let lines = "TXQ R4, RZ, TEX_HEADER_DIMENSION, 0x28, 0xf; TEX.LZ R8, R2, 0x28, 3D, 0x1; IADD R0, R4, R7; FADD R0, R0, R8; ";
    let text = wgsl(&staged(&[lines, STORE].concat()));
    assert!(text.contains("textureDimensions(texture40, 0u)"), "{text}");
    assert!(text.contains("textureNumLevels") && text.contains("texture_3d<f32>"), "{text}");
    let layered = lines.replace("3D", "ARRAY_2D").replace("R0, R4, R7", "R0, R6, RZ");
    let text = wgsl(&staged(&[&layered, STORE].concat()));
    assert!(text.contains("textureNumLayers") && !text.contains("textureNumLevels"), "{text}");
    let level = ["S2R R3, SR_TID.X; ", &lines.replace("R4, RZ", "R4, R3")].concat();
    let text = wgsl(&staged(&[&level, STORE].concat()));
    assert!(text.contains("select("), "a level that does not exist has no size: {text}");
}

/// The bits of a texel have no type: what is done with them decides.
#[test]
fn texels_of_integers_are_found_by_their_use() {
    for (operation, kind) in [("IADD R0, R8, R9", "u32"), ("FADD R0, R8, R9", "f32"), ("MOV R0, R8", "f32")] {
        let lines = ["TLD.LZ R8, R2, 0x28, 2D, 0x3; ", operation, "; ", STORE].concat();
        let text = wgsl(&staged(&lines));
        assert!(text.contains(&format!("texture_2d<{kind}>")), "{operation}: {text}");
    }
}

#[test]
fn atomics_that_languages_lack_are_loops() {
    for line in ["ATOMS.INC R0, [R2], R1", "ATOMS.DEC R0, [R2], R1"] {
        let mut staged = staged(&["S2R R1, SR_TID.X; ", line, "; ", STORE].concat());
        staged.shared = 64;
        let text = wgsl(&staged);
        assert!(text.contains("atomicCompareExchangeWeak") && text.contains("loop"), "{text}");
        let (func, ..) = staged.lower(&Limits::default()).unwrap();
        let shared = |op| matches!(op, shisa_ir::Op::Atomic { space: Space::Shared, .. });
        assert!(func.nodes.list.iter().any(|n| shared(n.op)));
    }
}

/// A table of distances in a bank whose contents are known.
#[test]
fn branches_through_a_table_have_its_targets() {
    let lines = "S2R R1, SR_TID.X; LOP32I.AND R1, R1, 0x4; LDC R1, c[0x1][R1+0x8];
         BRX R1 -0x30; MOV32I R0, 0x7; BRA 0x50; MOV32I R0, 0x9; NOP; NOP; ";
    let mut staged = staged(&[lines, STORE].concat());
    assert_eq!(refusal(&staged), "flow-indirect");
    // BRX is at 0x28, so that a distance of -0x30 from the next instruction makes the words addresses.
    // The words before the table are not addresses of instructions.
    let table = [1u32, 1, 0x30, 0x48, 0xffff_fff3];
    staged.constants = BTreeMap::from([(1, table.iter().flat_map(|w| w.to_le_bytes()).collect())]);
    let text = wgsl(&staged);
    assert!(text.contains("7u") && text.contains("9u"), "{text}");
    staged.constants.clear();
    staged.targets = BTreeMap::from([(0x28, vec![0x30, 0x48])]);
    let stated = wgsl(&staged);
    assert!(stated.contains("7u") && stated.contains("9u"), "{stated}");
}

#[test]
fn stages_of_graphics_are_refused_by_name() {
    let mut staged = staged("NOP");
    staged.program.stage = Stage::Geometry;
    let refused = staged.lower(&Limits::default()).unwrap_err();
    assert_eq!(refused[0].code, "translate-stage");
    assert!(refused[0].message.contains("geometry"), "{}", refused[0].message);
}
