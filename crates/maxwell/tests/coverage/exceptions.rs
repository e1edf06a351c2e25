//! Rows and values of modifiers that come less far than into WGSL, and why.

use shisa_maxwell::ShaderStage;

/// How far a word comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reached {
    /// It is refused, or does nothing.
    Nothing,
    /// It runs.
    Run,
    /// It is SPIR-V, too.
    Spirv,
    /// It is WGSL, too.
    Wgsl,
}

/// Rows and values that come no further for one reason.
#[derive(Debug)]
pub(super) struct Exception {
    reached: Reached,
    /// The code with which the next step refuses them.
    code: &'static str,
    /// The stages in which that is so; none for each stage in which the row is shown.
    stages: &'static [ShaderStage],
    /// Why they come no further.
    why: &'static str,
    /// A row by its mnemonic with the suffixes that all its words have, or a value after it: the suffix, or `-` and
    /// another suffix for a value that is not written.
    names: &'static [&'static str],
}

/// An entry: the number of an exception, and that of a name in it.
pub(super) type Entry = (usize, usize);

/// The entry that excuses a value of a row, or a row, in a stage.
pub(super) fn find(row: &str, name: &str, stage: ShaderStage, reached: Reached, code: &str) -> Option<Entry> {
    let of = |e: &Exception| {
        let here = e.stages.is_empty() || e.stages.contains(&stage);
        (e.reached, e.code) == (reached, code) && here
    };
    let exceptions = EXCEPTIONS.iter().enumerate().filter(|(_, e)| of(e));
    let mut entries = exceptions.flat_map(|(n, e)| (0..e.names.len()).map(move |i| (n, i, e.names[i])));
    entries.find(|(.., known)| *known == name || *known == row).map(|(n, i, _)| (n, i))
}

/// All entries.
pub(super) fn all() -> impl Iterator<Item = Entry> {
    EXCEPTIONS.iter().enumerate().flat_map(|(n, e)| (0..e.names.len()).map(move |i| (n, i)))
}

/// An entry as text.
pub(super) fn describe((n, i): Entry) -> String {
    let e = &EXCEPTIONS[n];
    format!("{} {:?} {} {:?}: {}", e.names[i], e.reached, e.code, e.stages, e.why)
}

const fn exception(
    reached: Reached,
    code: &'static str,
    stages: &'static [ShaderStage],
    why: &'static str,
    names: &'static [&'static str],
) -> Exception {
    Exception { reached, code, stages, why, names }
}

use Reached::{Nothing, Run, Spirv};
use ShaderStage::{Compute, Fragment, Geometry, TessellationControl, TessellationEvaluation, Vertex};

const EXCEPTIONS: &[Exception] = &[
    exception(
        Nothing,
        "lift-unstated",
        &[],
        "nothing public describes 8-bit floats, the state of a barrier as a number, or TXA",
        &["F2F.INVALIDFPDEST0.INVALIDFPSRC0", "B2R", "B2R.WARP", "B2R.INVALID", "R2B", "TXA"],
    ),
    exception(
        Nothing,
        "lift-condition",
        &[],
        "nothing public describes conditions on the coverage of a pixel",
        &[
            "CSET .CSM_TA",
            "CSET .CSM_TR",
            "CSET .CSM_MX",
            "CSET .FCSM_TA",
            "CSET .FCSM_TR",
            "CSET .FCSM_MX",
            "CSETP .CSM_TA",
            "CSETP .CSM_TR",
            "CSETP .CSM_MX",
            "CSETP .FCSM_TA",
            "CSETP .FCSM_TR",
            "CSETP .FCSM_MX",
        ],
    ),
    exception(
        Nothing,
        "lift-shift",
        &[],
        "nothing public describes these suffixes of shifts, and the hardware rejects a shift left with `.HI`",
        &["SHL .X", "SHR .X", "SHR .XHI", "SHF.L .HI", "SHF.L .X", "SHF.L .XHI", "SHF.R .X", "SHF.R .XHI"],
    ),
    exception(
        Nothing,
        "lift-vertices",
        &[],
        "nothing public describes what ISBERD reads with a suffix",
        &[
            "ISBERD .O",
            "ISBERD .PATCH",
            "ISBERD .PRIM",
            "ISBERD .ATTR",
            "ISBERD .SKEW",
            "ISBERD .U16",
            "ISBERD .32",
        ],
    ),
    exception(
        Nothing,
        "lift-constant",
        &[],
        "nothing public describes this indexing of banks",
        &["LDC .ISL"],
    ),
    exception(Nothing, "lift-texture", &[], "nothing public describes `.CL`", &["TLD .CL", "TLD.B .CL"]),
    exception(
        Nothing,
        "lift-pixel",
        &[],
        "nothing public describes how `.COVERED` differs from `.COVMASK`",
        &["PIXLD .COVERED"],
    ),
    exception(
        Nothing,
        "lift-interpolation",
        &[],
        "a header states the interpolation of fixed attributes only",
        &["IPA.IDX .SC"],
    ),
    exception(
        Nothing,
        "lift-atomic",
        &[],
        "no memory has this operation, or this type with any",
        &["ATOM .SAFEADD", "SURED.D .SD32", "SURED.D .SD64", "SUATOM.D .SD32", "SUATOM.D .SD64"],
    ),
    exception(
        Nothing,
        "lift-surface",
        &[],
        "the format decides whether numbers have a sign, and these types are not compared",
        &[
            "SURED.P .MIN",
            "SURED.P .MAX",
            "SUATOM.P .MIN",
            "SUATOM.P .MAX",
            "SUATOM.D.CAS .F32.FTZ.RN",
            "SUATOM.D.CAS .F16x2.FTZ.RN",
            "SUATOM.D.CAS .SD32",
            "SUATOM.D.CAS .SD64",
        ],
    ),
    exception(
        Nothing,
        "lift-attribute",
        &[Geometry],
        "a geometry program cannot load its outputs",
        &["ALD .O", "ALD.PHYS .O"],
    ),
    exception(
        Nothing,
        "lift-attribute",
        &[Vertex, TessellationEvaluation, Geometry],
        "only a tessellation control program has outputs of a patch",
        &["AST.P", "ALD.P .O"],
    ),
    exception(Nothing, "maxwell-undefined", &[], "doubles do not saturate", &["F2F.F64.F64 .SAT"]),
    exception(
        Nothing,
        "maxwell-run-trap",
        &[],
        "the instruction ends the program for the host or a debugger",
        &["RTT", "BPT"],
    ),
    exception(
        Run,
        "translate-stage",
        &[Vertex, Fragment],
        "only compute programs have a workgroup",
        &[
            "B2R.RESULT",
            "LDS",
            "STS",
            "ATOMS",
            "ATOMS.CAST",
            "ATOMS.CAS",
            "BAR.SYNC",
            "BAR.ARV",
            "BAR.RED",
            "BAR.SCAN",
            "BAR.SYNCALL",
        ],
    ),
    exception(
        Run,
        "translate-compute-lod",
        &[Compute, Vertex],
        "only quads of pixels have a level of their own",
        &["TMML.LOD", "TMML.B.LOD"],
    ),
    exception(
        Run,
        "translate-lanes",
        &[TessellationControl],
        "which output is read is known at run time only",
        &["ALD.PHYS .O"],
    ),
    exception(Run, "translate-special", &[], "no language has the clock of the example", &["CS2R"]),
    exception(
        Spirv,
        "translate-texture",
        &[],
        "WGSL has no atomic operations on texels",
        &["SURED.P", "SURED.D", "SUATOM.P", "SUATOM.D", "SUATOM.D.CAS"],
    ),
    exception(
        Spirv,
        "translate-texture",
        &[],
        "WGSL has no texels of one byte or two that are written",
        &["SUST.D .U8", "SUST.D .S8", "SUST.D .U16", "SUST.D .S16"],
    ),
    exception(Spirv, "translate-unsupported", &[], "WGSL has no 64-bit atomic operations", &["ATOM.CAS .64"]),
    exception(
        Spirv,
        "translate-unsupported",
        &[Compute],
        "WGSL has no 64-bit atomic operations",
        &["ATOMS .U64", "ATOMS .S64", "ATOMS.CAST .64", "ATOMS.CAS .64"],
    ),
    exception(
        Spirv,
        "translate-texture",
        &[],
        "WGSL has no least level, no level of one dimension, and no layers of one dimension",
        &[
            "TEX .LC",
            "TEX.B .LC",
            "TXD .LC",
            "TXD.B .LC",
            "TEXS .LZ",
            "TEXS.F16 .LZ",
            "SULD.P .1D_ARRAY",
            "SULD.D .1D_ARRAY",
            "SUST.P .1D_ARRAY",
            "SUST.D .1D_ARRAY",
        ],
    ),
    exception(
        Spirv,
        "translate-texture",
        &[Fragment],
        "WGSL has no query of the level",
        &["TMML.LOD", "TMML.B.LOD"],
    ),
    exception(
        Spirv,
        "translate-texture",
        &[Vertex],
        "WGSL writes no texels in vertex programs",
        &["SUST.P", "SUST.D"],
    ),
    exception(
        Spirv,
        "translate-unsupported",
        &[Compute],
        "WGSL has no barriers for some threads, and none with a result",
        &["BAR.ARV", "BAR.SCAN"],
    ),
];
