//! The compiler's metadata of a part. Registers and uniforms are counted in halves of 16 bits, sizes in bytes, unless
//! a field says otherwise. Names are those of the JSON that parts are stored in.

use alloc::{string::String, vec::Vec};
use shisa_ir::Stage;

/// The compiler's metadata of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// The 64-bit FNV-1a hash of all bytes, in hexadecimal; may be empty.
    pub id: String,
    /// The stage; the vertex shader of a geometry pipeline runs as compute.
    pub stage: Stage,
    /// `VS prolog`, `FS prolog`, `FS epilog`, or empty for a main part.
    pub name: String,
    /// The application's label.
    pub label: String,
    /// Whether the driver wrote the shader for itself.
    pub internal: bool,
    /// A hash of the shader that was compiled.
    pub src_sha1: String,
    /// Size of all bytes.
    pub binary_size: u32,
    /// The offset of the preamble, if there is one.
    pub preamble_offset: Option<u32>,
    /// The offset of the main code.
    pub main_offset: u32,
    /// Size of the main code, without what follows it.
    pub main_size: u32,
    /// Registers of the main code.
    pub nr_gprs: u32,
    /// Registers of the preamble.
    pub nr_preamble_gprs: u32,
    /// Uniforms: those of the driver, of the preamble, and constants.
    pub push_count: u32,
    /// Stack of a thread in units of [`super::STACK_UNIT`] bytes.
    pub scratch_size: u32,
    /// Stack of the preamble in units of [`super::STACK_UNIT`] bytes.
    pub preamble_scratch_size: u32,
    /// Memory of a threadgroup.
    pub local_size: u32,
    /// Bytes of a pixel in tile memory that the shader itself uses.
    pub imageblock_stride: u32,
    /// Constants that are pushed to uniforms.
    pub rodata: Rodata,
    /// Whether colours are read back from tile memory.
    pub reads_tib: bool,
    /// Whether depth and stencil are tested before the program.
    pub early_fragment_tests: bool,
    /// Whether samples are killed or tested by the program.
    pub writes_sample_mask: bool,
    /// Whether the fragment program need not run if nothing uses its colour.
    pub tag_write_disable: bool,
    /// Whether triangles may not be merged into one group of pixels.
    pub disable_tri_merging: bool,
    /// Whether the number of the draw is read.
    pub uses_draw_id: bool,
    /// Whether the first vertex or instance is read.
    pub uses_base_param: bool,
    /// Whether texels are fetched by coordinates without a sampler, for which the driver reserves a sampler.
    pub uses_txf: bool,
    /// Texture state registers.
    pub texture_state_count: u32,
    /// Threads of a threadgroup in each dimension; zeros outside of compute.
    pub workgroup_size: [u32; 3],
    /// The inputs of the compiler.
    pub key: Key,
    /// The compiler's statistics; not all parts have them.
    pub stats: Option<Stats>,
    /// Coefficient registers; fragment programs only.
    pub cf: Option<Coefficients>,
}

impl Default for Meta {
    fn default() -> Self {
        Meta {
            id: String::new(),
            stage: Stage::Compute,
            name: String::new(),
            label: String::new(),
            internal: false,
            src_sha1: String::new(),
            binary_size: 0,
            preamble_offset: None,
            main_offset: 0,
            main_size: 0,
            nr_gprs: 0,
            nr_preamble_gprs: 0,
            push_count: 0,
            scratch_size: 0,
            preamble_scratch_size: 0,
            local_size: 0,
            imageblock_stride: 0,
            rodata: Rodata::default(),
            reads_tib: false,
            early_fragment_tests: false,
            writes_sample_mask: false,
            tag_write_disable: false,
            disable_tri_merging: false,
            uses_draw_id: false,
            uses_base_param: false,
            uses_txf: false,
            texture_state_count: 0,
            workgroup_size: [0; 3],
            key: Key::default(),
            stats: None,
            cf: None,
        }
    }
}

/// Constants that are pushed to uniforms before the program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rodata {
    /// Their offset in the part's bytes.
    pub offset: u32,
    /// The first uniform.
    pub base_uniform: u32,
    /// The number of uniforms.
    pub size_16: u32,
}

/// The inputs of the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Whether another part follows, so that no `stop` ends this one.
    pub no_stop: bool,
    /// Whether this is a prolog or an epilog.
    pub secondary: bool,
    /// Uniforms below this one are the driver's.
    pub reserved_preamble: u32,
    /// Whether the program may spill registers.
    pub has_scratch: bool,
    /// Whether this is the driver's helper program.
    pub is_helper: bool,
    /// Whether constants may be put in uniforms.
    pub promote_constants: bool,
    /// Whether textures may be put in state registers.
    pub promote_textures: bool,
    /// Whether atomics are made coherent between clusters (G13X): 0 unknown, 1 no, 2 yes.
    pub g13x_coherency: u32,
    /// Whether reads outside of memory yield zero.
    pub soft_fault: bool,
    /// Whether the part runs once for each sample, in the loop that the linker writes.
    pub inside_sample_loop: bool,
    /// Whether tile memory is not waited for.
    pub ignore_tib_dependencies: bool,
    /// The first coefficient register that the part may use.
    pub cf_base: u32,
}

/// The compiler's statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Instructions.
    pub instrs: u32,
    /// Cycles of arithmetic, the larger of the next two.
    pub alu: u32,
    /// Cycles of the float and special units.
    pub fscib: u32,
    /// Cycles of the integer and complex unit.
    pub ic: u32,
    /// Bytes of code.
    pub code_size: u32,
    /// Registers.
    pub gprs: u32,
    /// Uniforms.
    pub uniforms: u32,
    /// Stack.
    pub scratch: u32,
    /// Occupancy: threads that run at a time.
    pub threads: u32,
    /// Loops.
    pub loops: u32,
    /// Registers that are spilled.
    pub spills: u32,
    /// Registers that are filled again.
    pub fills: u32,
    /// Instructions of the preamble.
    pub preamble_inst: u32,
}

/// The coefficient registers of a fragment program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coefficients {
    /// Their number.
    pub nr_cf: u32,
    /// Whether the depth of the pixel is read.
    pub reads_z: bool,
    /// The varyings bound to them.
    pub bindings: Vec<Coefficient>,
}

/// A varying that is bound to coefficient registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coefficient {
    /// The first register.
    pub cf_base: u32,
    /// The varying.
    pub slot: u32,
    /// The first component of it.
    pub offset: u32,
    /// Components.
    pub count: u32,
    /// Whether it is interpolated.
    pub smooth: bool,
    /// Whether with perspective.
    pub perspective: bool,
}
