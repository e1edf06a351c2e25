//! The fields.

use super::field::{Field, Kind, Maps};
use crate::ShaderStage::{self, Fragment, Geometry, TessellationControl, TessellationEvaluation, Vertex};
use Kind::{Components, Flag, Hex, Interpolation, Named, Number, Set};

const fn field(bit: u16, width: u16, name: &'static str, kind: Kind, meaning: &'static str) -> Field {
    Field { name, bit, width, count: 1, kind, maps: None, stages: &[], meaning }
}

impl Field {
    const fn times(self, count: u16) -> Field {
        Field { count, ..self }
    }

    const fn of(self, stages: &'static [ShaderStage]) -> Field {
        Field { stages, ..self }
    }

    const fn vtg(self) -> Field {
        Field { maps: Some(Maps::Vtg), ..self }
    }

    const fn pixel(self) -> Field {
        Field { maps: Some(Maps::Pixel), ..self }
    }

    const fn unknown(self) -> Field {
        Field { maps: Some(Maps::Unknown), ..self }
    }
}

/// Stages before rasterisation.
const VTG: &[ShaderStage] = &[Vertex, TessellationControl, TessellationEvaluation, Geometry];

/// Bits of the system values A, which begin at attribute address 0.
const SYSTEM_A: &[&str] = &[
    "",
    "",
    "",
    "",
    "TessLodLeft",
    "TessLodRight",
    "TessLodBottom",
    "TessLodTop",
    "TessInteriorU",
    "TessInteriorV",
];
/// Bits of the system values B, which begin at attribute address 0x60.
const SYSTEM_B: &[&str] = &[
    "PrimitiveId",
    "RtArrayIndex",
    "ViewportIndex",
    "PointSize",
    "PositionX",
    "PositionY",
    "PositionZ",
    "PositionW",
];
/// Bits of the system values C, which begin at attribute address 0x2c0.
const SYSTEM_C: &[&str] = &[
    "ClipDistance0",
    "ClipDistance1",
    "ClipDistance2",
    "ClipDistance3",
    "ClipDistance4",
    "ClipDistance5",
    "ClipDistance6",
    "ClipDistance7",
    "PointSpriteS",
    "PointSpriteT",
    "FogCoordinate",
    "",
    "TessEvaluationPointU",
    "TessEvaluationPointV",
    "InstanceId",
    "VertexId",
];

/// Every field, in the order of bits; those of the maps of each kind of header one kind after the other. Each
/// bit of a header belongs to one field.
#[rustfmt::skip]
pub const FIELDS: &[Field] = &[
    field(0, 5, "SphType", Named(&[(1, "VTG"), (2, "PS")]), "Which maps the header has: those of pixel programs (PS) or those of the others (VTG)."),
    field(5, 5, "Version", Number, "The version of the header, 3."),
    field(10, 4, "ShaderType", Named(&[(1, "VERTEX"), (2, "TESSELLATION_INIT"), (3, "TESSELLATION"), (4, "GEOMETRY"), (5, "PIXEL")]), "The stage. Tessellation control is called TESSELLATION_INIT, tessellation evaluation TESSELLATION."),
    field(14, 1, "MrtEnable", Flag, "Each render target has a colour of its own. Otherwise all take that of the first.").of(&[Fragment]),
    field(15, 1, "KillsPixels", Flag, "The program may run KIL. Without it KIL does nothing but raise an exception.").of(&[Fragment]),
    field(16, 1, "DoesGlobalStore", Flag, "The program may write global memory. Without it such writes are dropped."),
    field(17, 4, "SassVersion", Number, "The version of the instruction set, 3."),
    field(21, 3, "ReservedCommonA", Hex, "Means nothing."),
    field(24, 1, "IsFastGs", Flag, "The geometry program outputs its vertices as they are: OUT does nothing, and there is no state of emission.").of(&[Geometry]),
    field(25, 1, "ReservedCommonB", Hex, "Means nothing that is described."),
    field(26, 1, "DoesLoadOrStore", Flag, "The program may read or write memory. Without it loads and stores are dropped."),
    field(27, 1, "DoesFp64", Flag, "The program may compute with 64-bit floats. Without it such instructions are dropped."),
    field(28, 4, "StreamOutMask", Hex, "The streams that the program emits vertices to, a bit each.").of(VTG),
    field(32, 24, "ShaderLocalMemoryLowSize", Hex, "Bytes of local memory at low addresses, a multiple of 16."),
    field(56, 8, "PerPatchAttributeCount", Number, "How many attributes a patch has that do not belong to its vertices.").of(&[TessellationControl]),
    field(64, 24, "ShaderLocalMemoryHighSize", Hex, "Bytes of local memory at high addresses, a multiple of 16."),
    field(88, 8, "ThreadsPerInputPrimitive", Number, "How many threads each primitive or patch gets: the vertices of an output patch, or the instances of a geometry program.").of(&[TessellationControl, Geometry]),
    field(96, 24, "ShaderLocalMemoryCrsSize", Hex, "Bytes of local memory for the stack of calls and divergence."),
    field(120, 4, "OutputTopology", Named(&[(1, "POINTLIST"), (6, "LINESTRIP"), (7, "TRIANGLESTRIP")]), "What the emitted vertices form.").of(&[Geometry]),
    field(124, 4, "PerPatchAttributeCountLow", Number, "The low four bits of PerPatchAttributeCount again, as compilers write it; documented as reserved.").of(&[TessellationControl]),
    field(128, 12, "MaxOutputVertexCount", Number, "How many vertices each thread may emit. What is emitted beyond is dropped.").of(&[Geometry]),
    field(140, 8, "StoreReqStart", Hex, "The first attribute that the program reads back after writing it, by address divided by 16; 0xff with an end of 0 for none."),
    field(148, 4, "PerPatchAttributeCountHigh", Number, "The high four bits of PerPatchAttributeCount again, as compilers write it; documented as reserved.").of(&[TessellationControl]),
    field(152, 8, "StoreReqEnd", Hex, "The last attribute that the program reads back after writing it."),

    field(160, 24, "ImapSystemValuesA", Set(SYSTEM_A), "System values that the program reads.").vtg(),
    field(184, 8, "ImapSystemValuesB", Set(SYSTEM_B), "System values that the program reads.").vtg(),
    field(192, 4, "ImapGenericVector", Components, "Generic attributes that the program reads, from attribute address 0x80 on.").vtg().times(32),
    field(320, 4, "ImapColor", Components, "Colours that the program reads: front diffuse, front specular, back diffuse, back specular.").vtg().times(4),
    field(336, 16, "ImapSystemValuesC", Set(SYSTEM_C), "System values that the program reads.").vtg(),
    field(352, 4, "ImapFixedFncTexture", Components, "Texture coordinates of fixed functions that the program reads, from attribute address 0x300 on.").vtg().times(10),
    field(392, 8, "ImapReserved", Hex, "Means nothing.").vtg(),
    field(400, 24, "OmapSystemValuesA", Set(SYSTEM_A), "System values that the program writes.").vtg(),
    field(424, 8, "OmapSystemValuesB", Set(SYSTEM_B), "System values that the program writes.").vtg(),
    field(432, 4, "OmapGenericVector", Components, "Generic attributes that the program writes, from attribute address 0x80 on.").vtg().times(32),
    field(560, 4, "OmapColor", Components, "Colours that the program writes: front diffuse, front specular, back diffuse, back specular.").vtg().times(4),
    field(576, 16, "OmapSystemValuesC", Set(SYSTEM_C), "System values that the program writes.").vtg(),
    field(592, 4, "OmapFixedFncTexture", Components, "Texture coordinates of fixed functions that the program writes, from attribute address 0x300 on.").vtg().times(10),
    field(632, 1, "OmapViewportMask", Flag, "The program writes the mask of viewports, attribute address 0x3a0.").vtg(),
    field(633, 7, "OmapReserved", Hex, "Means nothing.").vtg(),

    field(160, 24, "ImapSystemValuesA", Set(SYSTEM_A), "System values that the program reads.").pixel(),
    field(184, 8, "ImapSystemValuesB", Set(SYSTEM_B), "System values that the program reads.").pixel(),
    field(192, 8, "ImapGenericVector", Interpolation, "Generic attributes that the program reads, from attribute address 0x80 on, and how they are interpolated.").pixel().times(32),
    field(448, 8, "ImapColor", Interpolation, "Colours that the program reads, diffuse and specular, and how they are interpolated.").pixel().times(2),
    field(464, 16, "ImapSystemValuesC", Set(SYSTEM_C), "System values that the program reads.").pixel(),
    field(480, 8, "ImapFixedFncTexture", Interpolation, "Texture coordinates of fixed functions that the program reads, from attribute address 0x300 on, and how they are interpolated.").pixel().times(10),
    field(560, 16, "ImapReserved", Hex, "Means nothing.").pixel(),
    field(576, 4, "OmapTarget", Components, "Components of each render target that the program writes.").pixel().times(8),
    field(608, 1, "OmapSampleMask", Flag, "The program writes the mask of samples.").pixel(),
    field(609, 1, "OmapDepth", Flag, "The program writes depth.").pixel(),
    field(610, 30, "OmapReserved", Hex, "Means nothing.").pixel(),

    field(160, 32, "Maps", Hex, "Words of maps of an unknown kind.").unknown().times(15),
];

/// A field that every header has, by its name. The compiler evaluates it, and rejects other names.
pub(crate) const fn common(name: &str) -> &'static Field {
    named(name, false)
}

/// A field of the maps of pixel programs, by its name. The compiler evaluates it, and rejects other names.
pub(crate) const fn pixel(name: &str) -> &'static Field {
    named(name, true)
}

const fn named(name: &str, pixel: bool) -> &'static Field {
    let mut n = 0;
    while n < FIELDS.len() {
        let of_maps = match FIELDS[n].maps {
            None => !pixel,
            Some(maps) => pixel && matches!(maps, Maps::Pixel),
        };
        if of_maps && equal(FIELDS[n].name.as_bytes(), name.as_bytes()) {
            return &FIELDS[n];
        }
        n += 1;
    }
    panic!("these headers have no field of this name")
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut n = 0;
    while n < a.len() && n < b.len() && a[n] == b[n] {
        n += 1;
    }
    n == a.len() && n == b.len()
}

const _: () = {
    let mut n = 0;
    while n < FIELDS.len() {
        assert!(FIELDS[n].fits());
        n += 1;
    }
};
