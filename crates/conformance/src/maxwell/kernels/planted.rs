//! Kernels with a fault that each run must report.

/// The name of each kernel, the code with which the fault is reported, and what the kernel does.
pub(super) const PLANTED: [(&str, &str, &str); 32] = [
    ("race-write-read", "maxwell-run-race", "STS [R2], R4 ;\nLOP32I.XOR R3, R2, 0x80 ;\nLDS R5, [R3] ;"),
    (
        "race-read-write",
        "maxwell-run-race",
        "STS [R2], R4 ;\nBAR.SYNC 0x0 ;\nLOP32I.XOR R3, R2, 0x80 ;\nLDS R5, [R3] ;\nSTS [R2], R5 ;",
    ),
    ("race-write-write", "maxwell-run-race", "STS [RZ], R4 ;"),
    (
        "race-byte-write",
        "maxwell-run-race",
        "STS.U8 [R1], R4 ;\nLOP32I.XOR R3, R1, 0x20 ;\nLDS.U8 R5, [R3] ;",
    ),
    (
        "race-wide-read",
        "maxwell-run-race",
        "STS [R2], R4 ;\nLOP32I.AND R3, R2, 0x70 ;\nLDS.128 R4, [R3+0x80] ;",
    ),
    (
        "race-atomic-write",
        "maxwell-run-race",
        "ISETP.LT.U32.AND P0, PT, R1, 0x20, PT ;\n@P0 ATOMS.ADD RZ, [RZ], R4 ;\n@!P0 STS [RZ], R4 ;",
    ),
    (
        "race-generic",
        "maxwell-run-race",
        "LOP32I.OR R12, R2, 0x1000000 ;\nMOV R13, RZ ;\nST.E [R12], R4 ;\nLOP32I.XOR R3, R2, 0x80 ;\nLDS R5, [R3] ;",
    ),
    (
        "race-other-barrier",
        "maxwell-run-race",
        "STS [R2], R4 ;\nSHR.U32 R3, R1, 0x5 ;\nBAR.SYNC R3, 0x20 ;\nLOP32I.XOR R3, R2, 0x80 ;\nLDS R5, [R3] ;",
    ),
    (
        "race-no-wait",
        "maxwell-run-race",
        "STS [R2], R4 ;\nISETP.LT.U32.AND P0, PT, R1, 0x20, PT ;\n@P0 BAR.ARV 0x0, 0x40 ;\n@!P0 BAR.SYNC 0x0, 0x40 ;\nLOP32I.XOR R3, R2, 0x80 ;\nLDS R5, [R3] ;",
    ),
    ("unwritten-shared", "maxwell-run-uninitialised", "LDS R5, [R2] ;"),
    ("unwritten-atomic", "maxwell-run-uninitialised", "ATOMS.ADD R5, [R2], R4 ;"),
    ("unwritten-local", "maxwell-run-uninitialised", "STL [0x0], R4 ;\nLDL R5, [0x4] ;"),
    (
        "unwritten-generic",
        "maxwell-run-uninitialised",
        "LOP32I.OR R12, R2, 0x1000000 ;\nMOV R13, RZ ;\nLD.E R5, [R12] ;",
    ),
    (
        "divergent-barrier",
        "maxwell-run-divergent-barrier",
        "LOP32I.AND R3, R1, 0x1 ;\nISETP.EQ.AND P0, PT, R3, RZ, PT ;\n@P0 BAR.SYNC 0x0 ;",
    ),
    (
        "divergent-count",
        "maxwell-run-divergent-barrier",
        "LOP32I.AND R3, R1, 0x1 ;\nISETP.EQ.AND P0, PT, R3, RZ, PT ;\n@P0 BAR.RED.POPC 0x0, PT ;",
    ),
    (
        "divergent-branch",
        "maxwell-run-divergent-barrier",
        "LOP32I.AND R3, R1, 0x1 ;\nISETP.EQ.AND P0, PT, R3, RZ, PT ;\nSSY join ;\n@P0 BRA over ;\nBAR.SYNC 0x0 ;\nSYNC ;\nover:\nBAR.SYNC 0x0 ;\nSYNC ;\njoin:",
    ),
    ("outside-read", "eval-memory-outside", "LDG.E R5, [R10+0x8000] ;"),
    ("outside-write", "eval-memory-outside", "STG.E [R10+0x8000], R5 ;"),
    (
        "outside-by-one",
        "eval-memory-outside",
        "IADD32I R12, R10, 0x1000 ;\nLOP32I.AND R12, R12, 0xfffff000 ;\nMOV R13, R11 ;\nLDG.E R4, [R12] ;",
    ),
    ("outside-atomic", "eval-memory-outside", "RED.E.ADD [R10+0x8000], R4 ;"),
    ("outside-shared", "eval-memory-outside", "STS [R2+0x400], R4 ;"),
    ("outside-local", "eval-memory-outside", "STL [0x40], R4 ;"),
    ("outside-constants", "eval-memory-outside", "MOV R4, c[0x5][0x0] ;"),
    ("null-pointer", "eval-memory-outside", "MOV R12, RZ ;\nMOV R13, RZ ;\nLDG.E R4, [R12] ;"),
    ("misaligned-read", "maxwell-run-misaligned", "LDG.E.64 R4, [R10+0x4] ;"),
    ("misaligned-write", "maxwell-run-misaligned", "STS.U16 [R2+0x1], R4 ;"),
    ("misaligned-atomic", "maxwell-run-misaligned", "IADD32I R3, R2, 0x2 ;\nATOMS.ADD R5, [R3], R4 ;"),
    ("misaligned-local", "maxwell-run-misaligned", "STL.64 [0x4], R4 ;"),
    ("no-texture", "texture-missing", "TLD.LZ R4, R4, 0x8, 1D, 0x1 ;"),
    ("no-texture-handle", "texture-missing", "TEX.B.LZ R4, R4, R6, 0x0, 2D, 0x1 ;"),
    ("no-surface", "texture-missing", "SULD.P.1D.IGN R4, [R4], 0x10 ;"),
    ("no-surface-handle", "texture-missing", "SUST.P.1D.IGN [R4], R4, R6 ;"),
];
