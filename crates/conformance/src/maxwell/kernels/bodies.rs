//! Kernels, each one thing that warps do with registers, shared memory and each other.

/// What each kernel does with R4 to R9, which hold words of the thread. R0 is the thread's number in all, R1 that in its
/// workgroup, which is also in R2 as an address in shared memory.
pub(super) const BODIES: [(&str, &str); 22] = [
    ("shared", "STS [R2], R4 ;\nBAR.SYNC 0x0 ;\nLOP32I.XOR R3, R2, 0x7c ;\nLDS R5, [R3] ;"),
    (
        "shared-bytes",
        "STS.U8 [R1], R4 ;\nSTS.U16 [R2+0x100], R5 ;\nBAR.SYNC 0x0 ;\nLDS.S8 R6, [R1] ;\nLDS.U16 R7, [R2+0x100] ;",
    ),
    (
        "atomic-add",
        "STS [R2], RZ ;\nBAR.SYNC 0x0 ;\nLOP32I.AND R3, R2, 0xc ;\nATOMS.ADD RZ, [R3], R4 ;\nBAR.SYNC 0x0 ;\nLDS R5, [R3] ;",
    ),
    (
        "atomic-max",
        "STS [R2], RZ ;\nBAR.SYNC 0x0 ;\nATOMS.MAX.S32 RZ, [RZ], R4 ;\nATOMS.MIN RZ, [RZ+0x4], R4 ;\nBAR.SYNC 0x0 ;\nLDS R5, [RZ] ;\nLDS R6, [RZ+0x4] ;",
    ),
    (
        "atomic-increment",
        "STS [R2], RZ ;\nBAR.SYNC 0x0 ;\nMOV32I R3, 0x11 ;\nATOMS.INC RZ, [RZ], R3 ;\nATOMS.DEC RZ, [RZ+0x4], R3 ;\nBAR.SYNC 0x0 ;\nLDS R5, [RZ] ;\nLDS R6, [RZ+0x4] ;",
    ),
    ("shuffle-index", "MOV32I R3, 0x5 ;\nSHFL.IDX P1, R5, R4, R3, 0x1f ;\nSHFL.IDX P0, R6, R4, R1, 0x181f ;"),
    (
        "shuffle-up",
        "SHFL.UP P1, R5, R4, 0x3, 0x0 ;\nSHFL.DOWN P0, R6, R4, 0x3, 0x1f ;\n@P1 IADD R5, R5, 0x1 ;\n@P0 IADD R6, R6, 0x1 ;",
    ),
    (
        "shuffle-butterfly",
        "SHFL.BFLY P1, R5, R4, 0x10, 0x1f ;\nIADD R4, R4, R5 ;\nSHFL.BFLY P1, R5, R4, 0x1, 0x1f ;\nIADD R4, R4, R5 ;",
    ),
    (
        "votes",
        "ISETP.GT.AND P0, PT, R4, RZ, PT ;\nVOTE.ANY R5, P1, P0 ;\nVOTE.ALL R6, P2, P0 ;\nVOTE.EQ R7, P3, P0 ;\n@P1 IADD R8, R8, 0x1 ;\n@P2 IADD R8, R8, 0x2 ;\n@P3 IADD R8, R8, 0x4 ;",
    ),
    (
        "guarded-votes",
        "ISETP.GT.AND P0, PT, R4, RZ, PT ;\nISETP.GT.AND P1, PT, R5, RZ, PT ;\n@P0 VOTE.ANY R6, PT, P1 ;\n@!P0 VOTE.ANY R7, PT, PT ;",
    ),
    (
        "lane-masks",
        "S2R R5, SR_LANEID ;\nS2R R6, SR_LTMASK ;\nS2R R7, SR_GEMASK ;\nS2R R8, SR_TID ;\nS2R R9, SR_VIRTID ;",
    ),
    (
        "barrier-count",
        "ISETP.GT.AND P0, PT, R4, RZ, PT ;\nBAR.RED.POPC 0x0, P0 ;\nB2R.RESULT R5 ;\nBAR.RED.AND 0x0, P0 ;\nB2R.RESULT RZ, P1 ;\nBAR.RED.OR 0x0, P0 ;\nB2R.RESULT RZ, P2 ;\n@P1 IADD R6, R6, 0x1 ;\n@P2 IADD R6, R6, 0x2 ;",
    ),
    (
        "loop",
        "LOP32I.AND R3, R4, 0x1f ;\nPBK done ;\nagain:\nISETP.EQ.AND P0, PT, R3, RZ, PT ;\n@P0 BRK ;\nIADD32I R3, R3, -0x1 ;\nIMAD R5, R5, R6, R7 ;\nBRA again ;\ndone:",
    ),
    (
        "nested",
        "SSY out ;\nISETP.LT.AND P0, PT, R4, RZ, PT ;\n@P0 BRA less ;\nSSY in ;\nISETP.LT.AND P1, PT, R5, RZ, PT ;\n@P1 BRA inner ;\nIADD R6, R6, 0x3 ;\nSYNC ;\ninner:\nIADD R6, R6, 0x5 ;\nSYNC ;\nin:\nSYNC ;\nless:\nLOP.XOR R6, R6, R7 ;\nSYNC ;\nout:",
    ),
    (
        "calls",
        "CAL twice ;\nISETP.LT.AND P0, PT, R4, RZ, PT ;\n@P0 BRA over ;\nCAL twice ;\nBRA over ;\ntwice:\nIADD R5, R5, R5 ;\nRET ;\nover:",
    ),
    (
        "local",
        "STL [0x0], R4 ;\nSTL [0x4], R5 ;\nLOP32I.AND R3, R6, 0x4 ;\nLDL R7, [R3] ;\nSTL.U8 [R3+0x1], R8 ;\nLDL.64 R8, [0x0] ;",
    ),
    ("wide-sums", "IADD R4.CC, R4, R6 ;\nIADD.X R5, R5, R7 ;\nIADD R8.CC, R4, -R6 ;\nIADD.X R9, R5, R7 ;"),
    ("halves", "HADD2 R4, R5.H0_H0, R6.H1_H1 ;\nI2F.F32.S16 R7, R8 ;\nF2I.S32.F32.TRUNC R9, R7 ;"),
    (
        "floats",
        "I2F.F32.S32 R4, R5 ;\nI2F.F32.U32 R6, R7 ;\nFMNMX R8, R4, R6, PT ;\nFSETP.LT.AND P0, PT, R4, R6, PT ;\nSEL R9, R4, R6, P0 ;\nFADD R5, |R4|, -RZ ;",
    ),
    (
        "constants",
        "LOP32I.AND R3, R4, 0xc ;\nLDC R5, c[0x0][R3+0x140] ;\nLDC.64 R6, c[0x0][0x148] ;\nMOV R6, c[0x0][0x8] ;\nMOV R7, RZ ;\nLOP32I.AND R5, R5, 0xff ;",
    ),
    ("double", "I2F.F64.S32 R4, R6 ;\nI2F.F64.S32 R8, R7 ;\nDADD R4, R4, R8 ;\nDMUL R8, R4, R4 ;"),
    (
        "wide-atomics",
        "STS [R2], R4 ;\nBAR.SYNC 0x0 ;\nATOMS.EXCH R5, [R2], R6 ;\nATOMS.CAS R7, [R2], R6, R7 ;\nLDS R8, [R2] ;",
    ),
];
