//! Small SWFs with known programs at known offsets, and SWFs without programs, in every compression.

mod archives;
mod classes;
mod forms;
mod methods;
mod names;
mod numbers;
mod player;
mod results;
mod writer;

use crate::{Compression, Content, Extraction, Found, Place, Step, extract, replace, sniff};
use shisa_agal::Program;
use shisa_diag::Limits;
use shisa_ir::Stage;

use swf::{DefineBinaryData, DoAbc2, DoAbc2Flag, SwfStr, SymbolClassLink, Tag};

/// `mov op, va0` or `mov oc, v0`, after `count - 1` tokens that write temporaries.
fn program(version: u32, stage: Stage, count: usize) -> Vec<u8> {
    let source = if stage == Stage::Vertex { 0xe400_0000 } else { 0x4_e400_0000 };
    let mut program = Program::new(version, stage);
    program.tokens = vec![[0x020f_0000_0000_0000, source, 0]; count - 1];
    program.tokens.push([0x030f_0000_0000_0000, source, 0]);
    program.write()
}

fn number(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Byte code with numbers and these strings in its constant pool and nothing else.
fn abc(strings: &[&str]) -> Vec<u8> {
    let mut out = vec![16, 0, 46, 0];
    out.extend([3, 0x80, 0x80, 0x80, 0x80, 0x08, 5]);
    out.extend([2, 0xff, 0x01]);
    out.push(2);
    out.extend(1.5f64.to_le_bytes());
    number(strings.len() as u32 + 1, &mut out);
    for s in strings {
        number(s.len() as u32, &mut out);
        out.extend(s.as_bytes());
    }
    out.extend([0; 8]);
    out
}

fn swf(compression: Compression, tags: &[Tag<'_>]) -> Vec<u8> {
    let (compression, version) = match compression {
        Compression::None => (swf::Compression::None, 9),
        Compression::Zlib => (swf::Compression::Zlib, 10),
        Compression::Lzma => (swf::Compression::Lzma, 13),
    };
    let size = swf::Rectangle {
        x_min: swf::Twips::ZERO,
        x_max: swf::Twips::from_pixels(550.0),
        y_min: swf::Twips::ZERO,
        y_max: swf::Twips::from_pixels(400.0),
    };
    let frame_rate = swf::Fixed8::from_f32(24.0);
    let header = swf::Header { compression, version, stage_size: size, frame_rate, num_frames: 1 };
    let mut out = Vec::new();
    swf::write_swf(&header, tags, &mut out).unwrap();
    out
}

fn data(id: u16, data: &[u8]) -> Tag<'_> {
    Tag::DefineBinaryData(DefineBinaryData { id, data })
}

fn code<'a>(name: &'static str, data: &'a [u8]) -> Tag<'a> {
    Tag::DoAbc2(DoAbc2 { flags: DoAbc2Flag::LAZY_INITIALIZE, name: SwfStr::from_utf8_str(name), data })
}

fn class(id: u16, name: &'static str) -> Tag<'static> {
    Tag::SymbolClass(vec![SymbolClassLink { id, class_name: SwfStr::from_utf8_str(name) }])
}

const ALL: [Compression; 3] = [Compression::None, Compression::Zlib, Compression::Lzma];

/// The extraction is the same in every compression.
fn in_all(tags: &[Tag<'_>]) -> Extraction {
    let [plain, zlib, lzma] = ALL.map(|c| {
        let bytes = swf(c, tags);
        assert!(sniff(&bytes));
        let extraction = extract(&bytes, &Limits::default()).unwrap();
        assert_eq!(extraction.compression, c);
        extraction
    });
    assert_eq!((&plain.found, &plain.diagnostics), (&zlib.found, &zlib.diagnostics));
    assert_eq!((&plain.found, &plain.diagnostics), (&lzma.found, &lzma.diagnostics));
    plain
}

/// The numbers of the tags around a find.
fn tags(found: &Found) -> Vec<u32> {
    let number = |step: &Step| match step {
        Step::Tag(number) => *number,
        Step::File(_) => u32::MAX,
    };
    found.path.iter().map(number).collect()
}

/// A summary of the finds: tags, location, stage, version, and the program's bytes or text.
fn short(extraction: &Extraction) -> Vec<String> {
    let describe = |f: &Found| {
        let location = match &f.place {
            Place::BinaryData { character, class, start } => {
                format!("data {character} {} at {start}", class.as_deref().unwrap_or("-"))
            }
            Place::String { abc, index } => format!("abc {abc:?} string {index}"),
            Place::Built { abc, index, parts } => format!("abc {abc:?} string {index} of {parts}"),
            Place::File { start } => format!("file at {start}"),
        };
        let content = match &f.content {
            Content::Program(bytes) => format!("{} bytes", bytes.len()),
            Content::Source(text) => format!("{text:?}"),
        };
        let stage = f.stage.map_or("?", Stage::name);
        let piece = if f.whole { "" } else { ", piece" };
        let tags = tags(f);
        format!("{tags:?} {location}: AGAL {} {stage} {content}, {}{piece}", f.version, f.confidence.name())
    };
    extraction.found.iter().map(describe).collect()
}

fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

#[test]
fn programs_in_binary_data() {
    let vertex = program(1, Stage::Vertex, 3);
    let fragment = program(2, Stage::Fragment, 1);
    let noise: Vec<u8> =
        (0..999u32).map(|i| (i.wrapping_mul(i).wrapping_mul(2_654_435) >> 9) as u8).collect();
    let check = |blob: &[u8], want: &[&str]| {
        let extraction = in_all(&[Tag::ShowFrame, data(7, blob), Tag::ShowFrame]);
        assert_eq!(short(&extraction), want);
        assert!(extraction.diagnostics.is_empty());
    };
    check(&vertex, &["[1] data 7 - at 0: AGAL 1 vertex 79 bytes, certain"]);
    check(&fragment, &["[1] data 7 - at 0: AGAL 2 fragment 31 bytes, certain"]);
    for version in 1..=4 {
        let want = format!("[1] data 7 - at 0: AGAL {version} fragment 127 bytes, certain");
        check(&program(version, Stage::Fragment, 5), &[&want]);
    }
    check(&joined(&[&[0; 5], &vertex]), &["[1] data 7 - at 5: AGAL 1 vertex 79 bytes, certain"]);
    check(&joined(&[&vertex, &[0; 50]]), &["[1] data 7 - at 0: AGAL 1 vertex 79 bytes, certain"]);
    check(&joined(&[&noise, &vertex, &noise]), &["[1] data 7 - at 999: AGAL 1 vertex 79 bytes, certain"]);
    let pair = [
        "[1] data 7 - at 0: AGAL 1 vertex 79 bytes, certain",
        "[1] data 7 - at 79: AGAL 2 fragment 31 bytes, certain",
    ];
    check(&joined(&[&vertex, &fragment]), &pair);
    let apart = [
        "[1] data 7 - at 2: AGAL 1 vertex 79 bytes, certain",
        "[1] data 7 - at 85: AGAL 2 fragment 31 bytes, certain",
    ];
    check(&joined(&[b"\x4f\x00", &vertex, &[31, 0, 0, 0], &fragment]), &apart);
    check(
        &joined(&[&[0xa0, 0xa0, 0xa0, 1], &fragment]),
        &["[1] data 7 - at 4: AGAL 2 fragment 31 bytes, certain"],
    );
    // A program that players refuse is still a program.
    let mut unwritten = fragment.clone();
    unwritten[7 + 12] = 2;
    check(&unwritten, &["[1] data 7 - at 0: AGAL 2 fragment 31 bytes, likely"]);
}

#[test]
fn source_text() {
    let text = "m44 op, va0, vc0\nmov v0, va1\n";
    let strings = ["flash.display", text, "Main", "mov oc, v0", ""];
    let pool = abc(&strings);
    let want = [
        format!("[0] abc \"frame1\" string 2: AGAL 1 vertex {text:?}, certain"),
        "[0] abc \"frame1\" string 4: AGAL 1 fragment \"mov oc, v0\", likely".into(),
    ];
    assert_eq!(short(&in_all(&[code("frame1", &pool)])), want);
    let want = want.map(|w| w.replace("[0] abc \"frame1\"", "[1] abc \"\""));
    assert_eq!(short(&in_all(&[Tag::ShowFrame, Tag::DoAbc(&pool)])), want);

    let pieces = ["tex ft0, v0, fs0 <2d,", "linear,nomip>\nmul oc, ft0, fc0\n", "2d,nearest"];
    let found = short(&in_all(&[code("", &abc(&pieces))]));
    assert_eq!(found.len(), 2);
    assert!(found[0].contains("string 1") && found[1].contains("string 2"));

    // Version 2 has more registers.
    let second = "mov ft25, v0\nmov oc, ft25";
    let want = format!("[0] data 3 - at 0: AGAL 2 fragment {second:?}, certain");
    assert_eq!(short(&in_all(&[data(3, second.as_bytes())])), [want]);

    let embedded = "// water\r\ntex ft0, v0, fs0 <2d,linear,repeat>\r\nmov oc, ft0\r\n";
    let found = in_all(&[data(3, embedded.as_bytes()), class(3, "shaders.Water")]);
    let want = format!("[0] data 3 shaders.Water at 0: AGAL 1 fragment {embedded:?}, certain");
    assert_eq!(short(&found), [want]);
}

/// Counts and lengths of every size: numbers of one byte, of two, three and four.
#[test]
fn strings_of_every_length() {
    let source = "mov oc, v0";
    for length in [0, 1, 126, 127, 128, 129, 255, 256, 16_383, 16_384, 16_385, 2_097_151, 2_097_152] {
        let long = "x".repeat(length);
        let bytes = swf(Compression::Zlib, &[code("in", &abc(&[&long, source]))]);
        let found = extract(&bytes, &Limits::default()).unwrap();
        assert_eq!(found.diagnostics, [], "{length} bytes");
        let want = Place::String { abc: "in".into(), index: 2 };
        assert_eq!(found.found.iter().map(|f| &f.place).collect::<Vec<_>>(), [&want], "{length} bytes");
    }
    for count in [1usize, 126, 127, 128, 129, 300, 20_000] {
        let mut strings = vec!["x"; count - 1];
        strings.push(source);
        let extraction = extract(&swf(Compression::Zlib, &[code("in", &abc(&strings))]), &Limits::default());
        let found = extraction.unwrap().found;
        let want = Place::String { abc: "in".into(), index: count as u32 };
        assert_eq!(found.iter().map(|f| &f.place).collect::<Vec<_>>(), [&want], "{count} strings");
    }
}

#[test]
fn classes_and_several_tags() {
    let (vertex, fragment) = (program(1, Stage::Vertex, 1), program(1, Stage::Fragment, 2));
    let pool = abc(&["kil ft0.x"]);
    let tags = [
        data(1, &vertex),
        data(2, b"nothing in here"),
        data(3, &fragment),
        code("lib", &pool),
        class(3, "game.Fragment"),
        class(1, "game.Vertex"),
    ];
    let want = [
        "[0] data 1 game.Vertex at 0: AGAL 1 vertex 31 bytes, certain",
        "[2] data 3 game.Fragment at 0: AGAL 1 fragment 55 bytes, certain",
        "[3] abc \"lib\" string 1: AGAL 1 fragment \"kil ft0.x\", possible, piece",
    ];
    assert_eq!(short(&in_all(&tags)), want);
}

/// A size that a header states is larger than the header; one that is cut off may be any.
#[test]
fn a_header_shows_a_swf() {
    for (bytes, is_swf) in [
        (&b"FWS\x09\x09\0\0\0"[..], true),
        (b"CWS\x0a\x09\0\0", true),
        (b"FWS\x09\x08\0\0\0", false),
        (b"FWS\x00\x09\0\0\0", false),
        (b"FWS\x3d\x09\0\0\0", false),
        (b"ZWS", false),
        (b"GWS\x09\x09\0\0\0", false),
    ] {
        assert_eq!(sniff(bytes), is_swf, "{bytes:?}");
    }
}

/// Offsets count in the decompressed file.
#[test]
fn offsets() {
    let (vertex, pool) = (program(1, Stage::Vertex, 1), abc(&["", "mov oc, v0"]));
    let blob = [b"front".as_slice(), &vertex].concat();
    let tags = [Tag::ShowFrame, data(1, &blob), code("name", &pool), Tag::DoAbc(&pool)];
    let plain = swf(Compression::None, &tags);
    let found = in_all(&tags).found;
    assert_eq!(found.len(), 3);
    for f in found {
        let content = match &f.content {
            Content::Program(bytes) => bytes.as_slice(),
            Content::Source(text) => text.as_bytes(),
        };
        assert_eq!(&plain[f.offset..f.offset + content.len()], content);
    }
}

/// Bytes that look like the beginnings of many programs take time in proportion to their number.
#[test]
fn many_beginnings() {
    let one = [&program(1, Stage::Fragment, 1)[..], &[0xff; 5]].concat();
    let bytes = swf(Compression::None, &[data(1, &one.repeat(20_000))]);
    assert_eq!(extract(&bytes, &Limits::default()).unwrap().found.len(), 20_000);
}

#[test]
fn a_swf_inside() {
    let (vertex, pool) = (program(3, Stage::Vertex, 2), abc(&["mov v0, va1\nmov op, va0"]));
    for inner in ALL {
        let inner = swf(inner, &[Tag::ShowFrame, data(9, &vertex), code("in", &pool), class(9, "In")]);
        let want = [
            "[1, 1] data 9 In at 0: AGAL 3 vertex 55 bytes, certain",
            "[1, 2] abc \"in\" string 1: AGAL 1 vertex \"mov v0, va1\\nmov op, va0\", certain",
        ];
        assert_eq!(short(&in_all(&[Tag::ShowFrame, data(4, &inner), class(4, "Out")])), want);
    }
}

#[test]
fn nothing_is_invented() {
    let vertex = program(1, Stage::Vertex, 1);
    let change = |at: usize, byte: u8| {
        let mut bytes = vertex.clone();
        bytes[at] = byte;
        bytes
    };
    let mut seed = 1u32;
    let noise = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if seed >> 29 == 0 { 0xa0u8 } else { (seed >> 24) as u8 }
    });
    let blobs: Vec<Vec<u8>> = vec![
        vec![],
        vec![0xa0],
        vec![0xa0; 5_000],
        [0xa0, 0xa1].repeat(500),
        [0xa0, 1, 0, 0, 0, 0xa1, 0].repeat(50),
        noise.take(200_000).collect(),
        b"mov oc, v0".repeat(20),
        b"The opcodes are mov, add and sub.\nadd to it as you like.\n".to_vec(),
        "GLSL: void main() { gl_Position = m * v0; }".into(),
        // Header without a token, half a token.
        vertex[..7].to_vec(),
        vertex[..30].to_vec(),
        // Undefined versions, magic bytes and stages.
        change(1, 5),
        change(1, 0),
        change(4, 1),
        change(5, 0xa0),
        change(6, 2),
        // An undefined opcode, an undefined register kind, and reserved bits.
        change(7, 0x23),
        change(8, 1),
        change(14, 0x0b),
        change(7 + 15, 0x40),
    ];
    assert_eq!(blobs.len(), 20);
    for (i, blob) in blobs.iter().enumerate() {
        let extraction = in_all(&[Tag::ShowFrame, data(1, blob), class(1, "Blob")]);
        assert_eq!(short(&extraction), Vec::<String>::new(), "binary data {i}");
    }
}

#[test]
fn no_text_is_invented() {
    let pools: [&[&str]; 20] = [
        &[],
        &[""],
        &["mov", "add", "sub", "mul", "m44", "tex", "op", "oc", "va0", "vc0", "ft0"],
        &["mov oc", "mov ", "oc, v0", "va0, vc0\n"],
        &["add to cart", "log in", "log out", "min. price", "max speed", "sub total"],
        &["mov eax, ebx\nadd eax, 1\nret"],
        &["mov r0, r1\nadd r2, r0, r1"],
        &["dcl_position v0\nm4x4 oPos, v0, c0\nmov oD0, v1"],
        &["!!ARBvp1.0\nMOV result.color, vertex.color;\nEND"],
        &["m44 o0, a0, c0\nmov v0, a1"],
        &["attribute vec4 va0; void main() { gl_Position = va0; }"],
        &["http://www.adobe.com/2006/flex/mx/internal", "com.adobe.utils:AGALMiniAssembler"],
        &["els", "eif", "eif\nels"],
        &["Vertex programs begin with m44 op, va0, vc0 as a rule."],
        &["sin x, cos y", "exp(v0)", "abs v", "neg i", "sat f o"],
        &["MOV OC, V0", "Mov oc, v0"],
        &["kil all humans", "kil", "tex mex", "nrm", "div by zero"],
        &["mov op, fc0", "add oc, va0, vc0"],
        &["v0", "v0, v1", "ft0.xyzw", "vc[va0.x+4]", "<2d,linear>", "a<b", "c>d"],
        &["mov v0, 1.0", "add ft0, 2, 3", "mul ft0 = ft1 * ft2"],
    ];
    for (i, strings) in pools.iter().enumerate() {
        let pool = abc(strings);
        let extraction = in_all(&[code("pool", &pool), Tag::ShowFrame]);
        assert_eq!(short(&extraction), Vec::<String>::new(), "pool {i}");
        assert!(extraction.diagnostics.is_empty());
    }
}

#[test]
fn broken_files_are_told() {
    let limits = Limits::default();
    assert_eq!(extract(b"GIF89a", &limits).unwrap_err().code, "swf-magic");
    assert_eq!(extract(b"FWS\x09\x10", &limits).unwrap_err().code, "swf-header");
    assert_eq!(extract(b"CWS\x09\x07\0\0\0", &limits).unwrap_err().code, "swf-header");
    let vertex = program(1, Stage::Vertex, 1);
    let pool = abc(&["mov oc, v0", "more"]);
    let tags = [data(1, &vertex), Tag::DoAbc(&pool[..pool.len() - 12])];
    let extraction = in_all(&tags);
    assert_eq!(extraction.found.len(), 2, "programs before the fault are found");
    assert_eq!(extraction.diagnostics[0].code, "swf-abc");
    let whole = swf(Compression::None, &tags);
    let cut = extract(&whole[..whole.len() - 5], &limits).unwrap();
    let codes: Vec<_> = cut.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!((cut.found.len(), codes), (1, vec!["swf-size", "swf-tag"]));
    // Two classes, of which only the first is there.
    let names = Tag::Unknown { tag_code: swf::TagCode::SymbolClass as u16, data: &[2, 0, 1, 0, b'A', 0] };
    let cut = in_all(&[data(1, &vertex), names]);
    assert_eq!(cut.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["swf-tag"]);
    let Place::BinaryData { class, .. } = &cut.found[0].place else { panic!() };
    assert_eq!(class.as_deref(), Some("A"));
}

#[test]
fn each_part_of_a_name_that_is_not_utf_8_is_one_replacement_character() {
    let vertex = program(1, Stage::Vertex, 1);
    // A letter, a byte order mark, three of four bytes of a character, a byte that begins none, and a letter.
    let name = [b'A', 0xef, 0xbb, 0xbf, 0xf0, 0x9f, 0x92, 0xff, 0xc3, 0xa9];
    let tag = [&[1, 0, 1, 0], &name[..], &[0]].concat();
    let names = Tag::Unknown { tag_code: swf::TagCode::SymbolClass as u16, data: &tag };
    let found = in_all(&[data(1, &vertex), names]).found;
    let Place::BinaryData { class, .. } = &found[0].place else { panic!() };
    assert_eq!(class.as_deref(), Some("A\u{feff}\u{fffd}\u{fffd}\u{e9}"));
    assert_eq!(class.as_deref(), Some(&*SwfStr::from_bytes(&name).to_str_lossy(swf::UTF_8)));
}

#[test]
fn limits_hold() {
    let vertex = program(1, Stage::Vertex, 1);
    let bytes = swf(Compression::Zlib, &[data(1, &vertex.repeat(3))]);
    let two = extract(&bytes, &Limits { programs: 2, ..Limits::default() }).unwrap();
    assert_eq!((two.found.len(), two.diagnostics[0].code), (2, "limit-exceeded"));
    let three = extract(&bytes, &Limits { programs: 3, ..Limits::default() }).unwrap();
    assert_eq!((three.found.len(), three.diagnostics.len()), (3, 0));
    for compression in ALL {
        let bytes = swf(compression, &[data(1, &vec![0; 1 << 20])]);
        let small = Limits { file: (1 << 20) - 1, ..Limits::default() };
        assert_eq!(extract(&bytes, &small).unwrap_err().code, "limit-exceeded");
        // A body that is larger than its header states is cut there.
        let mut lying = bytes.clone();
        lying[4..8].copy_from_slice(&100u32.to_le_bytes());
        let extraction = extract(&lying, &Limits::default()).unwrap();
        let codes: Vec<_> = extraction.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!((extraction.size, codes), (100, vec!["swf-size", "swf-tag"]));
    }
}

/// The limit on bytes holds for a SWF and all that are inside of it together.
#[test]
fn swfs_inside_share_the_limit() {
    let vertex = program(1, Stage::Vertex, 1);
    for compression in [Compression::Zlib, Compression::Lzma] {
        let inner = swf(compression, &[data(1, &joined(&[&vertex, &[0; 10_000]]))]);
        let mut tags: Vec<_> = (1..=3).map(|id| data(id, &inner)).collect();
        // The file itself is smaller than what it decompresses to.
        tags.push(data(4, &[0; 1000]));
        let bytes = swf(compression, &tags);
        let size = |bytes: &[u8]| extract(bytes, &Limits::default()).unwrap().size;
        // Of each the body counts, without its eight bytes of header.
        let (outer, each) = (size(&bytes) - 8, size(&inner) - 8);
        for n in 0..=3 {
            for (file, fits) in [(outer + n * each, n), (outer + (n + 1) * each - 1, n)] {
                let found = extract(&bytes, &Limits { file, ..Limits::default() }).unwrap();
                let inside = found.found.iter().filter(|f| f.path.len() == 2).count();
                assert_eq!(inside, fits, "{file} bytes for one of {outer} with {each} each");
                let refused = found.diagnostics.iter().filter(|d| d.code == "limit-exceeded").count();
                assert_eq!(refused, 3 - fits, "{file} bytes for one of {outer} with {each} each");
            }
        }
    }
}

#[test]
fn swfs_within_swfs_end() {
    let vertex = program(1, Stage::Vertex, 1);
    let mut bytes = swf(Compression::None, &[data(1, &vertex)]);
    for _ in 0..50 {
        bytes = swf(Compression::None, &[data(1, &bytes)]);
    }
    // Beyond the last level that is unpacked, the bytes are searched directly.
    let extraction = extract(&bytes, &Limits::default()).unwrap();
    assert_eq!(extraction.found.len(), 1);
    assert!(extraction.found[0].path.len() <= 4);
}

/// Mutated files: no panic, no hang.
#[test]
fn any_bytes() {
    let (vertex, pool) = (program(1, Stage::Vertex, 2), abc(&["mov oc, v0", "kil ft0.x\nmov oc, ft0"]));
    let mut seed = 0x2545_f491u32;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed as usize
    };
    let limits = Limits { file: 1 << 16, ..Limits::default() };
    for compression in ALL {
        let whole = swf(compression, &[data(1, &vertex), code("a", &pool), class(1, "A"), Tag::ShowFrame]);
        for end in 0..whole.len() {
            let _ = extract(&whole[..end], &limits);
        }
        for _ in 0..4_000 {
            let mut bytes = whole.clone();
            for _ in 0..1 + random() % 4 {
                let at = random() % bytes.len();
                bytes[at] = if random() & 1 == 0 { random() as u8 } else { bytes[at] ^ 1 << (random() % 8) };
            }
            let _ = extract(&bytes, &limits);
        }
    }
}

/// The SWF of the file tests is generated here; `BLESS=1` writes it.
#[test]
fn the_file_of_the_file_tests() {
    let vertex = program(1, Stage::Vertex, 2);
    let mut unwritten = program(2, Stage::Fragment, 1);
    unwritten[7 + 12] = 2;
    let pool = abc(&["Main", "tex ft0, v0, fs0 <2d,linear>\r\nmov oc, ft0", "mov oc, v0"]);
    let inner = swf(Compression::None, &[data(9, &program(3, Stage::Vertex, 1)), class(9, "lib.Inner")]);
    let bytes = swf(
        Compression::None,
        &[
            Tag::ShowFrame,
            data(1, &vertex),
            data(2, &[b"head".as_slice(), &unwritten].concat()),
            data(3, &inner),
            code("frame1", &pool),
            class(1, "shaders.Vertex"),
        ],
    );
    generated("shaders.swf", &bytes);
}

/// A SWF whose byte code builds a pair of programs; one that is nested too deep; one that states a wrong size; an
/// archive.
#[test]
fn more_files_of_the_file_tests() {
    let mut writer = writer::Writer::default();
    forms::pair(&mut writer);
    let bytes = swf(Compression::None, &[code("main", &writer.write())]);
    generated("built.swf", &bytes);
    generated("library.swc", &archives::zip(&[("catalog.xml", b"<swc/>"), ("library.swf", &bytes)], false));
    let mut lying = bytes.clone();
    lying[4..8].copy_from_slice(&(bytes.len() as u32 - 40).to_le_bytes());
    generated("lying.swf", &lying);
    let mut nested = swf(Compression::None, &[data(1, &program(1, Stage::Vertex, 1))]);
    for _ in 0..5 {
        nested = swf(Compression::None, &[data(1, &nested)]);
    }
    generated("nested.swf", &nested);
}

/// Compares a file of the file tests; `BLESS=1` writes it.
fn generated(name: &str, bytes: &[u8]) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/swf").join(name);
    if std::env::var_os("BLESS").is_some_and(|v| v == "1") {
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "{name}");
}

#[test]
fn programs_are_put_back_into_binary_data() {
    let [old, other] = [program(1, Stage::Vertex, 3), program(2, Stage::Fragment, 1)];
    let noise = [7; 100];
    let pool = abc(&["m44 op, va0, vc0\nmov v0, va1\n"]);
    let blob = joined(&[&noise, &old, &noise]);
    let tags = [Tag::ShowFrame, data(1, &other), data(7, &blob), code("in", &pool), Tag::ShowFrame];
    for compression in ALL {
        let bytes = swf(compression, &tags);
        let before = extract(&bytes, &Limits::default()).unwrap();
        let found = before.found.iter().find(|f| f.content == Content::Program(old.clone())).unwrap();
        for count in [1, 3, 40] {
            let new = program(1, Stage::Vertex, count);
            let file = replace(&bytes, found, &new, &Limits::default()).unwrap();
            let after = extract(&file, &Limits::default()).unwrap();
            assert_eq!((after.compression, after.diagnostics.len()), (compression, 0));
            let contents = |e: &Extraction| e.found.iter().map(|f| f.content.clone()).collect::<Vec<_>>();
            let mut expected = contents(&before);
            let swapped = expected.iter_mut().find(|c| **c == Content::Program(old.clone()));
            *swapped.unwrap() = Content::Program(new);
            assert_eq!(contents(&after), expected);
        }
        // The limit holds for the decompressed file, which has its old size.
        let limited = |file| replace(&bytes, found, &old, &Limits { file, ..Limits::default() });
        assert!(limited(before.size).is_ok());
        assert_eq!(limited(before.size - 1).unwrap_err().code, "limit-exceeded");
        let source = before.found.iter().find(|f| f.source().is_some()).unwrap();
        assert_eq!(replace(&bytes, source, &other, &Limits::default()).unwrap_err().code, "swf-put");
    }
    let inner = swf(Compression::None, &tags);
    let outer = swf(Compression::Zlib, &[data(1, &inner)]);
    let found = extract(&outer, &Limits::default()).unwrap().found.remove(0);
    assert_eq!(replace(&outer, &found, &other, &Limits::default()).unwrap_err().code, "swf-put");
}
