use super::{staged, translated};
use shisa_diag::Limits;
use shisa_ir::{Natives, Op, Scalar, is_int64_arithmetic};
use shisa_translate::{Code, GlslVersion, ShaderModel, SpirvVersion, Target};

const BOTH: Natives = Natives { int64: true, float16: true };

/// A program that loads R4 to R7 from memory, runs a line, and stores R0 and R1.
fn program(line: &str, natives: Natives) -> shisa_maxwell::lower::Staged {
    let load = "MOV R2, c[0x0][0x140]; MOV R3, c[0x0][0x144]; LDG.E.128 R4, [R2]; MOV R1, RZ; ";
    let mut staged = staged(&[load, line, "; STG.E.64 [R2], R0"].concat());
    staged.natives = natives;
    staged
}

/// The operations on 64-bit integers and on 16-bit floats of a lowered program.
fn counts(staged: &shisa_maxwell::lower::Staged) -> (usize, usize) {
    let (func, ..) = staged.lower(&Limits::default()).unwrap();
    let nodes = &func.nodes;
    let long = nodes.list.iter().filter(|n| is_int64_arithmetic(nodes, n.op, n.ty));
    let half = nodes.list.iter().filter(|n| match n.op {
        Op::Binary { a, .. } => nodes.ty(a).scalar == Scalar::F16,
        Op::Convert { op: shisa_ir::Convert::Float, a, .. } => {
            n.ty.scalar == Scalar::F16 || nodes.ty(a).scalar == Scalar::F16
        }
        _ => false,
    });
    (long.count(), half.count())
}

/// The capabilities of a module.
fn capabilities(staged: &shisa_maxwell::lower::Staged) -> Vec<u32> {
    let Code::Words(words) = translated(staged, Target::Spirv(SpirvVersion::V1_3)).0.code else {
        panic!("words")
    };
    words.windows(2).filter(|w| w[0] == 2 << 16 | 17).map(|w| w[1]).collect()
}

/// Int64 and Float16.
const CAPABILITIES: [u32; 2] = [11, 9];

#[test]
fn integers_of_64_bits_are_those_of_the_target() {
    for line in ["SHF.R.U64 R0, R4, R6, R5", "I2F.F32.U64 R0, R4", "I2F.F32.S64 R0, R4", "F2I.S64.F32 R0, R4"]
    {
        let (native, words) = (program(line, BOTH), program(line, Natives::default()));
        assert!(counts(&native).0 > 0 && counts(&words).0 == 0, "{line}");
        assert!(capabilities(&native).contains(&CAPABILITIES[0]), "{line}");
        assert!(!capabilities(&words).contains(&CAPABILITIES[0]), "{line}");
        let integers = program(line, Natives { float16: false, ..BOTH });
        for (target, name) in [
            (Target::Glsl(GlslVersion::Core450), "uint64_t"),
            (Target::Hlsl(ShaderModel::V6_0), "uint64_t"),
            (Target::Msl, "ulong"),
        ] {
            let text = |staged| -> String { translated(staged, target).0.code.text().unwrap().into() };
            let (native, words) = (text(&integers), text(&words));
            assert!(native.contains(name) && !words.contains(name), "{line} {target:?}\n{native}");
            assert!(native.lines().count() < words.lines().count() + 20, "{line} {target:?}");
        }
    }
}

#[test]
fn halves_are_those_of_the_target() {
    for line in [
        "HADD2 R0, R4, R5",
        "HMUL2 R0, R4, R5",
        "HADD2.F32 R0, R4, R5",
        "F2F.F16.F32 R0, R4",
        "F2F.F32.F16 R0, R4",
    ] {
        let (native, wide) = (program(line, BOTH), program(line, Natives::default()));
        assert!(
            counts(&native).1 > 0 && counts(&wide).1 == 0,
            "{line}: {:?} {:?}",
            counts(&native),
            counts(&wide)
        );
        let has = |staged| capabilities(staged).contains(&CAPABILITIES[1]);
        assert!(has(&native) && !has(&wide), "{line}");
        let [native, wide] = [&native, &wide].map(|staged| {
            let (func, ..) = staged.lower(&Limits::default()).unwrap();
            func.blocks.iter().map(|b| b.body.len()).sum::<usize>()
        });
        assert!(native < wide, "{}", format!("{line}: {native} operations, {wide} in 32 bits"));
    }
}
