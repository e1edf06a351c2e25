//! The list of special registers. Meanings, fields, scopes and stages are those of NVIDIA's description of
//! S2R for SPA 5.0; names are nvdisasm's.

use super::description::Knowledge::{Described, NameOnly, Zero};
use super::description::Scope::{Block, Global, Multiprocessor, Thread, Warp};
use super::description::{Bits, Scope, SpecialRegister};
use crate::Chip::{Sm50, Sm52, Sm53};
use crate::ShaderStage::{Compute, Fragment, Geometry, TessellationControl, TessellationEvaluation, Vertex};
use crate::launch::{LOCAL_WINDOW, Launch, Place, SHARED_WINDOW, WINDOW};
use crate::{Chip, ShaderStage};

const EVERY: &[ShaderStage] =
    &[Vertex, TessellationControl, TessellationEvaluation, Geometry, Fragment, Compute];
const GRAPHICS: &[ShaderStage] = &[Vertex, TessellationControl, TessellationEvaluation, Geometry, Fragment];
const BEFORE_PIXELS: &[ShaderStage] = &[Vertex, TessellationControl, TessellationEvaluation, Geometry];
const DIRECT: &[ShaderStage] = &[Vertex, TessellationControl];
const PIXEL: &[ShaderStage] = &[Fragment];
const COMPUTE: &[ShaderStage] = &[Compute];

const fn special(
    number: u8,
    name: &'static str,
    scope: Scope,
    stages: &'static [ShaderStage],
    meaning: &'static str,
) -> SpecialRegister {
    SpecialRegister {
        number,
        name,
        named_since: Sm50,
        scope: Some(scope),
        stages,
        coupled: false,
        knowledge: Described,
        meaning,
        fields: &[],
        disagreement: "",
        value: None,
    }
}

/// A register of which only the name is known.
const fn named(number: u8, name: &'static str, meaning: &'static str) -> SpecialRegister {
    SpecialRegister {
        scope: None,
        knowledge: NameOnly,
        disagreement: "nvdisasm has a name for it, the description calls it reserved.",
        ..special(number, name, Global, EVERY, meaning)
    }
}

impl SpecialRegister {
    const fn fields_are(self, fields: &'static [Bits]) -> SpecialRegister {
        SpecialRegister { fields, ..self }
    }

    const fn is(self, value: fn(&Launch, &Place) -> u32) -> SpecialRegister {
        SpecialRegister { value: Some(value), ..self }
    }

    const fn coupled(self) -> SpecialRegister {
        SpecialRegister { coupled: true, ..self }
    }

    const fn disagreement(self, disagreement: &'static str) -> SpecialRegister {
        SpecialRegister { disagreement, ..self }
    }
}

/// Bits `hi` to `lo`, on all chips.
const fn bits(hi: u8, lo: u8, name: &'static str, meaning: &'static str) -> Bits {
    Bits { name, lo, width: hi - lo + 1, since: Sm50, until: Sm53, meaning }
}

/// The same on these chips only.
const fn on(since: Chip, until: Chip, bits: Bits) -> Bits {
    Bits { since, until, ..bits }
}

const COUNTER: &str = "A performance counter of the part of the multiprocessor in which the warp runs. The driver chooses what it counts; it is switched with the context.";
const SHARED_COUNTER: &str = "A performance counter of what the parts of the multiprocessor share, such as MIOS and PIXOUT. The driver chooses what it counts; it is switched with the context.";
const COUNTER_HIGH: &str = "The upper 8 bits of a performance counter of the warp's part of the multiprocessor. They stay at 0xff once they reach it; only a write to NV_PTPC_PRI_SM_DSM_PERF_COUNTER_STATUS_S0 to _S3, one for each part, resets them.";
const SHARED_COUNTER_HIGH: &str = "The upper 8 bits of a performance counter of what the parts share. They stay at 0xff once they reach it; only a write to NV_PTPC_PRI_SM_DSM_PERF_COUNTER_STATUS1 resets them.";
const COUNTER_FIELDS: &[Bits] = &[bits(31, 0, "", "the counter's lower 32 bits")];
const COUNTER_HIGH_FIELDS: &[Bits] = &[bits(7, 0, "", "the counter's bits 39 to 32")];
const FOUR_FIELDS: &str = "The description gives the register bits 7 to 0, and says in the same passage that it has four fields of 8 bits.";
/// `SR_VIRTCFG`: warps of 32 lanes, 64 warps and 32 blocks of one multiprocessor.
const CONFIGURATION: u32 = 32 | 64 << 8 | 1 << 20 | 2 << 29;
const LATER: &str = "Reserved for later; reads as zero.";
const SCALE: &[Bits] = &[bits(31, 0, "", "1.0 or 256.0, as binary32")];

/// A register that reads as zero so far.
const fn later(number: u8, name: &'static str) -> SpecialRegister {
    SpecialRegister { knowledge: Zero, ..special(number, name, Multiprocessor, EVERY, LATER) }
}

#[rustfmt::skip]
pub(super) const ALL: &[SpecialRegister] = &[
    special(0, "SR_LANEID", Thread, EVERY, "The lane's number in its warp.")
        .fields_are(&[bits(4, 0, "", "the lane, 0 to 31; the same as SR_VIRTID.LaneId")])
        .is(|_, p| p.lane),
    named(1, "SR_CLOCK", "A clock, by its name."),
    special(2, "SR_VIRTCFG", Warp, EVERY, "How much of the GPU there is, without the parts that are fused off or disabled.")
        .fields_are(&[
            bits(5, 0, "WarpSz", "lanes of a warp: always 32"),
            bits(14, 8, "NWarp", "warps of a multiprocessor, 1 to 64 (48 before SPA 3.0)"),
            bits(19, 16, "NArrayLower", "the lower 4 bits of how many blocks a multiprocessor holds, 1 to 16"),
            bits(28, 20, "NSM", "multiprocessors of the whole chip, from 1 on"),
            bits(30, 29, "NArrayUpper", "the upper bits of how many blocks a multiprocessor holds"),
        ])
        .is(|_, _| CONFIGURATION),
    special(3, "SR_VIRTID", Thread, EVERY, "Where the lane runs, as SR_VIRTCFG counts.")
        .fields_are(&[
            bits(4, 0, "LaneId", "the lane in its warp"),
            on(Sm50, Sm52, bits(13, 8, "WarpId", "the warp, 0 to NWarp - 1")),
            on(Sm53, Sm53, bits(14, 8, "WarpId", "the warp, 0 to NWarp - 1; one bit wider from SPA 5.3 on")),
            bits(19, 16, "ArrayIdLower", "the lower 4 bits of the block's position in its multiprocessor"),
            bits(28, 20, "SMId", "the multiprocessor"),
            bits(30, 29, "ArrayIdUpper", "the upper bits of the block's position"),
        ])
        .is(|_, p| p.lane | p.warp << 8),
    special(4, "SR_PM0", Multiprocessor, EVERY, COUNTER).coupled().fields_are(COUNTER_FIELDS),
    special(5, "SR_PM1", Multiprocessor, EVERY, COUNTER).coupled().fields_are(COUNTER_FIELDS),
    special(6, "SR_PM2", Multiprocessor, EVERY, COUNTER).coupled().fields_are(COUNTER_FIELDS),
    special(7, "SR_PM3", Multiprocessor, EVERY, COUNTER).coupled().fields_are(COUNTER_FIELDS),
    special(8, "SR_PM4", Multiprocessor, EVERY, SHARED_COUNTER).coupled().fields_are(COUNTER_FIELDS),
    special(9, "SR_PM5", Multiprocessor, EVERY, SHARED_COUNTER).coupled().fields_are(COUNTER_FIELDS),
    special(10, "SR_PM6", Multiprocessor, EVERY, SHARED_COUNTER).coupled().fields_are(COUNTER_FIELDS),
    special(11, "SR_PM7", Multiprocessor, EVERY, SHARED_COUNTER).coupled().fields_are(COUNTER_FIELDS),
    SpecialRegister { named_since: Sm52, ..special(15, "SR_ORDERING_TICKET", Warp, PIXEL, "The ticket that orders warps of pixels which blend in the program.") }
        .fields_are(&[
            bits(8, 0, "", "which dispenser the ticket is from"),
            bits(15, 9, "", "by how much the count of tickets goes on after the warp: 0, but 128 less the warps of the tile for its last warp"),
            bits(31, 16, "", "the ticket; the warp may blend when the global count of tickets reaches it"),
        ])
        .disagreement("The description has it on SPA 5.0; nvdisasm names it from sm_52 on."),
    special(16, "SR_PRIM_TYPE", Warp, EVERY, "What primitives the warp's input is made of.")
        .fields_are(&[bits(13, 0, "", "kind and size of the primitives")])
        // Compilers read the number of vertices of a primitive from the second byte. Nothing public states the kind.
        .is(|_, p| p.vertices << 8),
    special(17, "SR_INVOCATION_ID", Thread, EVERY, "Which of several runs for one primitive this is.")
        .fields_are(&[bits(4, 0, "", "the run, where hardware makes several of one primitive")])
        .is(|_, p| p.invocation),
    special(18, "SR_Y_DIRECTION", Warp, GRAPHICS, "Whether the window's origin is its upper or its lower corner.")
        .fields_are(&[bits(31, 0, "", "-1.0 or 1.0, as binary32; it follows from the method SetWindowOrigin")])
        .is(|_, p| p.y_direction),
    special(19, "SR_THREAD_KILL", Thread, PIXEL, "Whether the pixel has been killed.")
        .fields_are(&[bits(31, 0, "", "a truth value")]),
    special(20, "SM_SHADER_TYPE", Warp, EVERY, "Which stage runs.")
        .fields_are(&[bits(7, 0, "", "the stage's number")]),
    special(21, "SR_DIRECTCBEWRITEADDRESSLOW", Warp, DIRECT, "Where in global memory the program's entry of the circular buffer lies.")
        .fields_are(&[bits(31, 0, "", "the address's lower 32 bits; 0 unless SR_DIRECTCBEWRITEENABLED holds")]),
    special(22, "SR_DIRECTCBEWRITEADDRESSHIGH", Warp, DIRECT, "Where in global memory the program's entry of the circular buffer lies.")
        .fields_are(&[bits(7, 0, "", "the address's upper 8 bits; 0 unless SR_DIRECTCBEWRITEENABLED holds")]),
    special(23, "SR_DIRECTCBEWRITEENABLED", Warp, DIRECT, "Whether the program is the last before rasterising and writes its outputs to the circular buffer in memory.")
        .fields_are(&[bits(0, 0, "", "the bit CopyOutOptIn of the shader program header")])
        .disagreement("The description calls it SR_DirectCBEWriteEnable here and SR_DirectCBEWriteEnabled elsewhere; it lists vertex and tessellation control stages, and says in the text vertex and tessellation stages."),
    special(24, "SR_MACHINE_ID_0", Multiprocessor, EVERY, "A number that software chose.")
        .fields_are(&[bits(31, 0, "", "as it was set by a write to the chip's registers (PRI)")]),
    later(25, "SR_MACHINE_ID_1"),
    later(26, "SR_MACHINE_ID_2"),
    later(27, "SR_MACHINE_ID_3"),
    special(28, "SR_AFFINITY", Multiprocessor, EVERY, "Four numbers; multiprocessors that agree in them lie close together.")
        .fields_are(&[
            bits(7, 0, "", "the first number; on GF100 the cluster of the multiprocessor"),
            bits(15, 8, "", "the second number"),
            bits(23, 16, "", "the third number"),
            bits(31, 24, "", "the fourth number"),
        ]),
    special(29, "SR_INVOCATION_INFO", Thread, BEFORE_PIXELS, "Where the vertices of the lane's primitive are; the product of both fields is the offset that ISBERD takes.")
        .fields_are(&[
            bits(7, 0, "primIndex", "the lane's primitive; in vertex stages and geometry stages that run once, the lane"),
            bits(21, 16, "vertexPerPrim", "vertices of a primitive"),
        ])
        // A lane sees the vertices of its own primitive only, which is the first.
        .is(|_, p| p.vertices << 16),
    special(30, "SR_WSCALEFACTOR_XY", Warp, BEFORE_PIXELS, "The scale of the clipping planes in x and y.").fields_are(SCALE),
    special(31, "SR_WSCALEFACTOR_Z", Warp, BEFORE_PIXELS, "The scale of the clipping planes in z.").fields_are(SCALE),
    special(32, "SR_TID", Thread, COMPUTE, "The thread's position in its block, all three components in one number.")
        .fields_are(&[
            bits(10, 0, "x", "the position in x"),
            bits(25, 16, "y", "the position in y"),
            bits(31, 26, "z", "the position in z"),
        ])
        .is(|_, p| p.thread[0] | p.thread[1] << 16 | p.thread[2] << 26),
    special(33, "SR_TID.X", Thread, COMPUTE, "The thread's position in its block in x.").fields_are(&[bits(10, 0, "", "the position, below the block's size in x")]).is(|_, p| p.thread[0]),
    special(34, "SR_TID.Y", Thread, COMPUTE, "The thread's position in its block in y.").fields_are(&[bits(9, 0, "", "the position, below the block's size in y")]).is(|_, p| p.thread[1]),
    special(35, "SR_TID.Z", Thread, COMPUTE, "The thread's position in its block in z.").fields_are(&[bits(5, 0, "", "the position, below the block's size in z")]).is(|_, p| p.thread[2]),
    named(36, "SR_CTA_PARAM", "A parameter of the block, by its name."),
    special(37, "SR_CTAID.X", Block, COMPUTE, "The block's position in the grid in x.").fields_are(&[bits(31, 0, "", "the position, below the grid's size in x")]).is(|_, p| p.block[0]),
    special(38, "SR_CTAID.Y", Block, COMPUTE, "The block's position in the grid in y.").fields_are(&[bits(15, 0, "", "the position, below the grid's size in y")]).is(|_, p| p.block[1]),
    special(39, "SR_CTAID.Z", Block, COMPUTE, "The block's position in the grid in z.").fields_are(&[bits(15, 0, "", "the position, below the grid's size in z")]).is(|_, p| p.block[2]),
    special(40, "SR_NTID", Block, COMPUTE, "Threads of the block that have not ended: at first its size, and 32 less for every warp that ends. Lanes that end before the rest of their warp do not change it; the size is ThreadCount of the method SetCtaResourceAllocation.")
        .fields_are(&[bits(12, 0, "", "the count, which is too small by what the last warp lacks of 32 lanes")])
        .is(|l, _| l.threads() as u32),
    special(41, "SR_CirQueueIncrMinusOne", Block, COMPUTE, "How much work of a circular queue the block does: usually QMD.QueueEntriesPerCtaMinusOne, less where QMD.CoalesceWaitingPeriod ran out before the block was full.")
        .fields_are(&[
            bits(7, 0, "incrMinusOne", "entries of the queue less one; 0 unless isQueue holds"),
            bits(31, 31, "isQueue", "whether the block was started from a queue instead of a grid"),
        ]),
    special(42, "SR_NLATC", Block, COMPUTE, "Threads of the block that were started and have not ended, in steps of 32.")
        .fields_are(&[bits(12, 0, "", "the count")])
        .disagreement("The description says that it exceeds SR_NTID by the block's size modulo 32, and of SR_NTID that it lacks 32 less that.")
        .is(|l, _| (l.threads() as u32).next_multiple_of(32)),
    special(48, "SR_SWINLO", Global, COMPUTE, "Where in the address space shared memory is seen; the method SetShaderSharedMemoryWindow sets it.")
        .fields_are(&[bits(31, 24, "", "the window's first address, in units of 16 MiB")])
        .is(|_, _| SHARED_WINDOW as u32),
    special(49, "SR_SWINSZ", Global, COMPUTE, "How much of the address space shared memory takes: always 16 MiB.")
        .fields_are(&[bits(24, 24, "", "1: the size in units of 16 MiB")])
        .is(|_, _| WINDOW as u32),
    special(50, "SR_SMEMSZ", Global, COMPUTE, "How much shared memory the block has; the method SetSharedMemorySize sets it.")
        .fields_are(&[bits(23, 7, "", "the size in units of 128 bytes")])
        .is(|l, _| l.all_shared().next_multiple_of(128)),
    special(51, "SR_SMEMBANKS", Global, COMPUTE, "How many banks of 32 bits shared memory has: always 32.")
        .fields_are(&[bits(5, 5, "", "1: the count in units of 32")])
        .is(|_, _| 32),
    special(52, "SR_LWINLO", Global, EVERY, "Where in the address space local memory is seen; the method SetShaderLocalMemoryWindow sets it.")
        .fields_are(&[bits(31, 24, "", "the window's first address, in units of 16 MiB")])
        .is(|_, _| LOCAL_WINDOW as u32),
    special(53, "SR_LWINSZ", Global, EVERY, "How much of the address space local memory takes: always 16 MiB.")
        .fields_are(&[bits(24, 24, "", "1: the size in units of 16 MiB")])
        .is(|_, _| WINDOW as u32),
    special(54, "SR_LMEMLOSZ", Global, EVERY, "How much low local memory a thread has. In compute the method SetShaderThreadMemoryLowSize sets it, in graphics the shader program header.")
        .fields_are(&[bits(19, 4, "", "the size in units of 16 bytes")])
        .is(|l, _| l.local.next_multiple_of(16)),
    special(55, "SR_LMEMHIOFF", Global, EVERY, "Where a thread's high local memory begins: the window's size less its own. In compute the method SetShaderThreadMemoryHighSize sets that, in graphics the shader program header.")
        .fields_are(&[bits(24, 4, "", "the offset in units of 16 bytes")])
        .is(|l, _| l.stack_bottom()),
    special(56, "SR_EQMASK", Thread, EVERY, "The lane as a bit of the warp: 1 << SR_LANEID.").fields_are(&[bits(31, 0, "", "bit n for lane n")]).is(|_, p| p.own()),
    special(57, "SR_LTMASK", Thread, EVERY, "The lanes below this one: SR_EQMASK - 1.").fields_are(&[bits(31, 0, "", "bit n for lane n")]).is(|_, p| p.below()),
    special(58, "SR_LEMASK", Thread, EVERY, "This lane and those below: SR_EQMASK | SR_LTMASK.").fields_are(&[bits(31, 0, "", "bit n for lane n")]).is(|_, p| p.own() | p.below()),
    special(59, "SR_GTMASK", Thread, EVERY, "The lanes above this one: ~SR_LEMASK.").fields_are(&[bits(31, 0, "", "bit n for lane n")]).is(|_, p| !(p.own() | p.below())),
    special(60, "SR_GEMASK", Thread, EVERY, "This lane and those above: ~SR_LTMASK.").fields_are(&[bits(31, 0, "", "bit n for lane n")]).is(|_, p| !p.below()),
    special(61, "SR_REGALLOC", Warp, EVERY, "How many registers each lane was given: RegisterCount of the method SetPipeline in graphics, of the QMD in compute.").fields_are(&[bits(7, 0, "", "the count")]).is(|l, _| l.registers),
    named(62, "SR_CTXADDR", "An address of the context, by its name."),
    special(64, "SR_GLOBALERRORSTATUS", Multiprocessor, EVERY, "Why warps enter the trap handler: what stops all of them, and errors that no single warp made.")
        .fields_are(&[
            bits(0, 0, "SingleStepEnabled", "the multiprocessor runs in single steps"),
            bits(2, 1, "Preemption", "how the multiprocessor is to yield to other work"),
            bits(4, 4, "", "the processor has made the multiprocessor stop"),
            bits(5, 5, "", "some warp is within a section that IDE guards"),
            bits(7, 7, "", "several warps made errors"),
            bits(9, 9, "", "one warp made an error"),
            bits(10, 10, "", "a warp executed one trap"),
            bits(11, 11, "", "warps executed two or more traps"),
            bits(12, 12, "", "reserved for BPT.INT; always read as zero"),
        ]),
    special(66, "SR_WARPERRORSTATUS", Multiprocessor, EVERY, "What errors the lane's own warp made.")
        .fields_are(&[
            bits(7, 0, "Warp Errors", "the errors"),
            bits(26, 24, "Trap Immediate", "not zero where the warp itself executed BPT.TRAP"),
        ])
        .disagreement("The description gives its scope as the multiprocessor, but says that it is about the thread's warp."),
    named(67, "SR_WARPERRORSTATUSCLEAR", "Clears SR_WARPERRORSTATUS, by its name."),
    special(72, "SR_PM_HI0", Multiprocessor, EVERY, COUNTER_HIGH).coupled().fields_are(COUNTER_HIGH_FIELDS).disagreement(FOUR_FIELDS),
    special(73, "SR_PM_HI1", Multiprocessor, EVERY, COUNTER_HIGH).coupled().fields_are(COUNTER_HIGH_FIELDS).disagreement(FOUR_FIELDS),
    special(74, "SR_PM_HI2", Multiprocessor, EVERY, COUNTER_HIGH).coupled().fields_are(COUNTER_HIGH_FIELDS).disagreement(FOUR_FIELDS),
    special(75, "SR_PM_HI3", Multiprocessor, EVERY, COUNTER_HIGH).coupled().fields_are(COUNTER_HIGH_FIELDS).disagreement(FOUR_FIELDS),
    special(76, "SR_PM_HI4", Multiprocessor, EVERY, SHARED_COUNTER_HIGH).coupled().fields_are(COUNTER_HIGH_FIELDS).disagreement(FOUR_FIELDS),
    special(77, "SR_PM_HI5", Multiprocessor, EVERY, SHARED_COUNTER_HIGH).coupled().fields_are(COUNTER_HIGH_FIELDS).disagreement(FOUR_FIELDS),
    special(78, "SR_PM_HI6", Multiprocessor, EVERY, SHARED_COUNTER_HIGH).coupled().fields_are(COUNTER_HIGH_FIELDS).disagreement(FOUR_FIELDS),
    special(79, "SR_PM_HI7", Multiprocessor, EVERY, SHARED_COUNTER_HIGH).coupled().fields_are(COUNTER_HIGH_FIELDS).disagreement(FOUR_FIELDS),
    special(80, "SR_CLOCKLO", Multiprocessor, EVERY, "The multiprocessor's clock; it wraps around.").coupled().fields_are(&[bits(31, 0, "", "the lower 32 bits")]),
    special(81, "SR_CLOCKHI", Multiprocessor, EVERY, "The multiprocessor's clock; it wraps around.").coupled().fields_are(&[bits(31, 0, "", "the upper 32 bits")]),
    special(82, "SR_GLOBALTIMERLO", Multiprocessor, EVERY, "The time, the same in the whole chip (PTIMER), in nanoseconds and steps of 32.").coupled().fields_are(&[bits(31, 0, "", "the lower 32 bits")]),
    special(83, "SR_GLOBALTIMERHI", Multiprocessor, EVERY, "The time, the same in the whole chip (PTIMER), in nanoseconds and steps of 32.").coupled().fields_are(&[bits(31, 0, "", "the upper 32 bits")]),
    special(96, "SR_HWTASKID", Warp, COMPUTE, "The task to which hardware has assigned the warp.").fields_are(&[bits(4, 0, "", "the task, of at most 32")]),
    special(97, "SR_CIRCULARQUEUEENTRYINDEX", Warp, COMPUTE, "Which entry of a circular queue of work the block does. Of an ordered queue it is the number of the ticket.")
        .fields_are(&[bits(23, 0, "", "the entry; 0 unless SR_CirQueueIncrMinusOne.isQueue holds")]),
    special(98, "SR_CIRCULARQUEUEENTRYADDRESSLOW", Warp, COMPUTE, "Where the entry of the circular queue lies.")
        .fields_are(&[bits(31, 0, "", "the address's lower 32 bits; 0 unless SR_CirQueueIncrMinusOne.isQueue holds")]),
    special(99, "SR_CIRCULARQUEUEENTRYADDRESSHIGH", Warp, COMPUTE, "Where the entry of the circular queue lies.")
        .fields_are(&[bits(7, 0, "", "the address's upper 8 bits; 0 unless SR_CirQueueIncrMinusOne.isQueue holds")]),
];
