//! The words that WGSL reserves: keywords, reserved words, and the names of types, enumerants and functions that it
//! declares. Source: the WGSL specification, "Keyword and Token Summary", "Predeclared types", "Predeclared
//! enumerants" and "Built-in Functions".

/// The hash of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Hash(u32);

impl Hash {
    /// Of a name: the first `length` bytes of a text. Eight are taken at a time, so at least seven zeros follow them.
    pub(super) const fn new(mut text: &[u8], mut length: usize) -> Hash {
        let mut hash = length as u64;
        while length > 0
            && let Some((eight, rest)) = text.split_first_chunk()
        {
            hash = (hash ^ u64::from_le_bytes(*eight)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            text = rest;
            length = length.saturating_sub(eight.len());
        }
        Hash((hash >> 32) as u32)
    }

    /// The first of `slots` slots for the name; their number is a power of two.
    pub(super) const fn slot(self, slots: usize) -> usize {
        (self.0 ^ self.0 >> 15) as usize & (slots - 1)
    }
}

/// Whether the language reserves a name with this hash.
pub(super) fn is_reserved(name: &[u8], hash: Hash) -> bool {
    let mut slot = hash.slot(SLOTS.len());
    while let Some(word) = usize::from(SLOTS[slot]).checked_sub(1) {
        if WORDS[word].as_bytes() == name {
            return true;
        }
        slot = (slot + 1) % SLOTS.len();
    }
    false
}

/// One more than the index of a word, by its hash; 0 for none. Most are 0, so that most names need one look.
static SLOTS: [u16; 2048] = {
    let mut slots = [0; 2048];
    let mut i = 0;
    while i < WORDS.len() {
        let (word, mut padded, mut byte) = (WORDS[i].as_bytes(), [0; LONGEST + 8], 0);
        while byte < word.len() {
            padded[byte] = word[byte];
            byte += 1;
        }
        let mut slot = Hash::new(&padded, word.len()).slot(slots.len());
        while slots[slot] != 0 {
            slot = (slot + 1) % slots.len();
        }
        i += 1;
        slots[slot] = i as u16;
    }
    slots
};

/// More than the length of each word.
const LONGEST: usize = 40;

/// The words in order.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "NULL", "Self", "abs", "abstract", "acos", "acosh", "active", "alias", "alignas", "alignof", "all", "any",
    "array", "arrayLength", "as", "asin", "asinh", "asm", "asm_fragment", "async", "atan", "atan2", "atanh",
    "atomic", "atomicAdd", "atomicAnd", "atomicCompareExchangeWeak", "atomicExchange", "atomicLoad",
    "atomicMax", "atomicMin", "atomicOr", "atomicStore", "atomicSub", "atomicXor", "attribute", "auto",
    "await", "become", "bgra8unorm", "bitcast", "bool", "break", "case", "cast", "catch", "ceil", "clamp",
    "class", "co_await", "co_return", "co_yield", "coherent", "column_major", "common", "compile",
    "compile_fragment", "concept", "const", "const_assert", "const_cast", "consteval", "constexpr",
    "constinit", "continue", "continuing", "cos", "cosh", "countLeadingZeros", "countOneBits",
    "countTrailingZeros", "crate", "cross", "debugger", "decltype", "default", "degrees", "delete", "demote",
    "demote_to_helper", "determinant", "diagnostic", "discard", "distance", "do", "dot", "dot4I8Packed",
    "dot4U8Packed", "dpdx", "dpdxCoarse", "dpdxFine", "dpdy", "dpdyCoarse", "dpdyFine", "dynamic_cast",
    "else", "enable", "enum", "exp", "exp2", "explicit", "export", "extends", "extern", "external",
    "extractBits", "f16", "f32", "f64", "faceForward", "fallthrough", "false", "filter", "final", "finally",
    "firstLeadingBit", "firstTrailingBit", "floor", "fma", "fn", "for", "fract", "frexp", "friend", "from",
    "function", "fwidth", "fwidthCoarse", "fwidthFine", "fxgroup", "get", "goto", "groupshared", "highp",
    "i32", "i64", "if", "impl", "implements", "import", "inline", "insertBits", "instanceof", "interface",
    "inverseSqrt", "layout", "ldexp", "length", "let", "log", "log2", "loop", "lowp", "macro", "macro_rules",
    "mat2x2", "mat2x3", "mat2x4", "mat3x2", "mat3x3", "mat3x4", "mat4x2", "mat4x3", "mat4x4", "match", "max",
    "mediump", "meta", "min", "mix", "mod", "modf", "module", "move", "mut", "mutable", "namespace", "new",
    "nil", "noexcept", "noinline", "nointerpolation", "non_coherent", "noncoherent", "noperspective",
    "normalize", "null", "nullptr", "of", "operator", "override", "pack2x16float", "pack2x16snorm",
    "pack2x16unorm", "pack4x8snorm", "pack4x8unorm", "pack4xI8", "pack4xI8Clamp", "pack4xU8", "pack4xU8Clamp",
    "package", "packoffset", "partition", "pass", "patch", "pixelfragment", "pow", "precise", "precision",
    "premerge", "priv", "private", "protected", "ptr", "pub", "public", "push_constant", "quadBroadcast",
    "quadSwapDiagonal", "quadSwapX", "quadSwapY", "quantizeToF16", "r16float", "r16sint", "r16snorm",
    "r16uint", "r16unorm", "r32float", "r32sint", "r32uint", "r64uint", "r8sint", "r8snorm", "r8uint",
    "r8unorm", "radians", "read", "read_write", "readonly", "ref", "reflect", "refract", "regardless",
    "register", "reinterpret_cast", "require", "requires", "resource", "restrict", "return", "reverseBits",
    "rg11b10ufloat", "rg16float", "rg16sint", "rg16snorm", "rg16uint", "rg16unorm", "rg32float", "rg32sint",
    "rg32uint", "rg8sint", "rg8snorm", "rg8uint", "rg8unorm", "rgb10a2uint", "rgb10a2unorm", "rgba16float",
    "rgba16sint", "rgba16snorm", "rgba16uint", "rgba16unorm", "rgba32float", "rgba32sint", "rgba32uint",
    "rgba8sint", "rgba8snorm", "rgba8uint", "rgba8unorm", "round", "sampler", "sampler_comparison",
    "saturate", "select", "self", "set", "shared", "sign", "sin", "sinh", "sizeof", "smooth", "smoothstep",
    "snorm", "sqrt", "static", "static_assert", "static_cast", "std", "step", "storage", "storageBarrier",
    "struct", "subgroupAdd", "subgroupAll", "subgroupAnd", "subgroupAny", "subgroupBallot",
    "subgroupBroadcast", "subgroupBroadcastFirst", "subgroupElect", "subgroupExclusiveAdd",
    "subgroupExclusiveMul", "subgroupInclusiveAdd", "subgroupInclusiveMul", "subgroupMax", "subgroupMin",
    "subgroupMul", "subgroupOr", "subgroupShuffle", "subgroupShuffleDown", "subgroupShuffleUp",
    "subgroupShuffleXor", "subgroupXor", "subroutine", "super", "switch", "tan", "tanh", "target", "template",
    "textureBarrier", "textureDimensions", "textureGather", "textureGatherCompare", "textureLoad",
    "textureNumLayers", "textureNumLevels", "textureNumSamples", "textureSample",
    "textureSampleBaseClampToEdge", "textureSampleBias", "textureSampleCompare", "textureSampleCompareLevel",
    "textureSampleGrad", "textureSampleLevel", "textureStore", "texture_1d", "texture_2d", "texture_2d_array",
    "texture_3d", "texture_cube", "texture_cube_array", "texture_depth_2d", "texture_depth_2d_array",
    "texture_depth_cube", "texture_depth_cube_array", "texture_depth_multisampled_2d", "texture_external",
    "texture_multisampled_2d", "texture_storage_1d", "texture_storage_2d", "texture_storage_2d_array",
    "texture_storage_3d", "this", "thread_local", "throw", "trait", "transpose", "true", "trunc", "try",
    "type", "typedef", "typeid", "typename", "typeof", "u32", "u64", "uniform", "union", "unless", "unorm",
    "unpack2x16float", "unpack2x16snorm", "unpack2x16unorm", "unpack4x8snorm", "unpack4x8unorm", "unpack4xI8",
    "unpack4xU8", "unsafe", "unsized", "use", "using", "var", "varying", "vec2", "vec3", "vec4", "virtual",
    "volatile", "wgsl", "where", "while", "with", "workgroup", "workgroupBarrier", "workgroupUniformLoad",
    "write", "writeonly", "yield",
];
