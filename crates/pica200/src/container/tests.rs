mod wrapped;

use super::*;
use alloc::{format, string::String, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::Stage;

/// Two programs with something in every table.
fn sample() -> Shbin {
    let dvle = Dvle {
        version: 0x1002,
        entry: 1,
        end: 2,
        inputs: 0b101,
        output_mask: 1,
        constants: vec![Constant { kind: 2, register: 95, data: [0x3f_0000, 0, 0xbf_0000, 0x3e_8000] }],
        labels: vec![Label { id: 0x0001_0000, at: 1, length: u32::MAX, name: 2 }],
        outputs: vec![OutputEntry { kind: 8, register: 3, mask: 5, unknown: 0 }],
        uniforms: vec![Uniform { name: 0, first: 0x10, last: 0x13 }],
        symbols: b"m\0main\0".to_vec(),
        ..Dvle::default()
    };
    let geometry = GeometryMode { mode: 2, fixed_start: 4, variable: 0, fixed: 3 };
    Shbin {
        version: 0x0c02,
        code: vec![0x8800_0000, 0x4e00_0000, 0x8800_0000],
        descriptors: vec![Descriptor { bits: 0x8000_036f, flags: 15 }],
        lines: (0..3).map(|line| LineEntry { name: 0, line }).collect(),
        names: b"a.vsh\0".to_vec(),
        programs: vec![dvle.clone(), Dvle { kind: 1, flags: 1, geometry, ..dvle }],
        layout: None,
    }
}

/// A sample with its layout changed.
fn placed(change: impl FnOnce(&mut Layout)) -> Shbin {
    let mut file = sample();
    let mut layout = Layout::of(&file);
    change(&mut layout);
    file.layout = Some(layout);
    file
}

fn written(file: &Shbin) -> Vec<u8> {
    file.write(&Limits::default()).unwrap()
}

fn read(bytes: &[u8]) -> Result<Shbin, Vec<Diagnostic>> {
    Shbin::read(bytes, &Limits::default())
}

/// The fault with the bytes that its labels point at.
fn fault(bytes: &[u8]) -> Vec<String> {
    let found = read(bytes).unwrap_err();
    let place = |d: &Diagnostic| -> String {
        d.labels.iter().map(|l| format!(" {}..{}", l.span.start, l.span.end)).collect()
    };
    found.iter().map(|d| format!("{}{}", d.code, place(d))).collect()
}

#[test]
fn what_is_written_reads_back() {
    for file in [sample(), Shbin::default()] {
        assert_eq!(read(&written(&file)), Ok(file));
    }
    let file = sample();
    assert_eq!(file.line(2), Some(("a.vsh", 2)));
    assert_eq!(file.line(3), None);
    assert_eq!(file.programs[0].name(2), Some("main"));
    assert_eq!(file.programs[0].name(7), None);
    assert_eq!(file.program(1).map(|p| p.stage), Some(shisa_ir::Stage::Geometry));
    assert_eq!(file.program(2), None);
}

/// Parts anywhere, tables that share bytes, bytes of no table: everything is preserved.
#[test]
fn unusual_places_are_kept() {
    let files = [
        placed(|l| l.programs.swap(0, 1)),
        placed(|l| l.size += 5),
        placed(|l| {
            let end = l.size;
            l.pool[0] = end;
            l.programs[0].tables[4] = l.programs[1].at - l.programs[0].at + l.programs[1].tables[4];
            l.size = end + 40;
            l.rest.push((end + 38, vec![7]));
        }),
        placed(|l| l.programs[1] = l.programs[0]),
        placed(|l| l.pool[3] += 1),
    ];
    for file in &files[..3] {
        assert_eq!(read(&written(file)).as_ref(), Ok(file));
    }
    for file in files {
        let bytes = written(&file);
        assert_eq!(written(&read(&bytes).unwrap()), bytes);
    }
}

/// nihstro's header ends where the first program begins.
#[test]
fn short_headers() {
    let mut file = sample();
    (file.lines, file.names) = (vec![], vec![]);
    let mut layout = Layout::of(&file);
    layout.header = SHORT_HEADER;
    let pool = layout.programs[0].at - 16;
    layout.pool = [0x200, 0x220, 0, 0];
    layout.programs.iter_mut().for_each(|p| p.at -= pool - SHORT_HEADER);
    layout.size = 16 + 0x228;
    file.layout = Some(layout);
    assert_eq!(read(&written(&file)), Ok(file.clone()));
    file.names = vec![0];
    assert_eq!(file.write(&Limits::default()).unwrap_err().code, "shbin-layout");
}

#[test]
fn faults_are_all_told_with_their_bytes() {
    let bytes = written(&sample());
    assert_eq!(fault(b""), ["shbin-cut 0..0"]);
    assert_eq!(fault(b"DVLX"), ["shbin-magic 0..4"]);
    assert_eq!(fault(&bytes[..6]), ["shbin-cut 4..6"]);
    assert_eq!(fault(b"DVLB\xff\xff\x00\x00"), ["shbin-cut 8..8"]);
    let mut bad = bytes;
    bad[12] = 0xff; // The second program.
    bad[16] = 0; // The magic of the DVLP.
    let first = usize::from(bad[8]);
    bad[first + 28] = 0xff; // The number of constants.
    let constants = format!("shbin-range {}..{}", first + 24, first + 32);
    assert_eq!(fault(&bad), ["shbin-magic 16..20", &constants, "shbin-magic 255..259 12..16"]);
    bad[13] = 0xff;
    assert_eq!(fault(&bad), ["shbin-magic 16..20", &constants, "shbin-cut 12..16"]);
}

/// The fault of a table that is too long names the bytes of its offset and count.
#[test]
fn tables_past_the_end_are_named() {
    let bytes = written(&sample());
    let layout = Layout::of(&sample());
    let headers = layout.programs.iter().map(|p| (p.at as usize, 24..64));
    // The header of the DVLP follows the offsets of two programs.
    for (header, fields) in [(16, 8..40)].into_iter().chain(headers) {
        for field in fields.step_by(8).map(|field| header + field) {
            let mut bad = bytes.clone();
            bad[field + 5] = 0x10; // 4,096 entries more
            assert_eq!(fault(&bad), [format!("shbin-range {field}..{}", field + 8)]);
        }
    }
}

#[test]
fn limits_hold() {
    let bytes = written(&sample());
    let with = |name: &str, value: u64| {
        let mut limits = Limits::default();
        assert!(limits.set(name, value));
        Shbin::read(&bytes, &limits).map_err(|d| d[0].code)
    };
    for (name, value) in [("file", bytes.len() as u64), ("programs", 2), ("instructions", 3), ("labels", 2)] {
        assert!(with(name, value + 1).is_ok(), "{name}");
        assert!(with(name, value).is_ok(), "{name}");
        assert_eq!(with(name, value - 1), Err("limit-exceeded"), "{name}");
    }
    let far = placed(|l| l.size = u32::MAX);
    assert_eq!(far.write(&Limits::default()).unwrap_err().code, "limit-exceeded");
}

/// Tables that share bytes cannot make more than a file may hold.
#[test]
fn shared_tables_are_bounded() {
    let dvle = Dvle { symbols: vec![1; 4000], ..Dvle::default() };
    let mut file = Shbin { programs: vec![dvle; 100], ..Shbin::default() };
    let mut layout = Layout::of(&file);
    layout.programs = vec![layout.programs[0]; 100];
    layout.size = layout.programs[0].at + 0x40 + 4000;
    file.layout = Some(layout);
    let bytes = written(&file);
    let limits = Limits { file: 100_000, ..Limits::default() };
    assert_eq!(Shbin::read(&bytes, &limits).unwrap_err()[0].code, "limit-exceeded");
    assert_eq!(read(&bytes), Ok(file));
}

/// Whatever a damaged file states, it is refused or preserved unchanged.
#[test]
fn damaged_files() {
    let bytes = written(&sample());
    let check = |damaged: &[u8]| {
        if let Ok(file) = read(damaged) {
            assert_eq!(written(&file), damaged);
        }
    };
    (0..bytes.len()).for_each(|len| check(&bytes[..len]));
    for at in 0..bytes.len() {
        let old = bytes[at];
        let bits = (0..8).map(|bit| old ^ 1 << bit);
        for new in [0, 0xff, old.wrapping_add(1), old.wrapping_sub(1)].into_iter().chain(bits) {
            let mut damaged = bytes.clone();
            damaged[at] = new;
            check(&damaged);
        }
    }
}

/// An object with the tables of the sample's first program.
fn object() -> Vec<u8> {
    let file = sample();
    let dvle = &file.programs[0];
    let mut body = Vec::new();
    let mut header = Vec::from(*b"DVOJ");
    header.extend([0u32, 0, u32::MAX].iter().flat_map(|w| w.to_le_bytes()));
    let mut table = |count: usize, entries: &mut dyn FnMut(&mut Vec<u8>)| {
        header.extend((0x58 + body.len() as u32).to_le_bytes());
        header.extend((count as u32).to_le_bytes());
        entries(&mut body);
    };
    fn all<T: super::tables::Entry>(list: &[T]) -> impl FnMut(&mut Vec<u8>) {
        move |out| list.iter().for_each(|e| e.put(out))
    }
    table(1, &mut all(&dvle.constants));
    table(1, &mut all(&dvle.labels));
    table(3, &mut all(&file.code));
    table(1, &mut all(&file.descriptors));
    table(3, &mut all(&file.lines));
    table(1, &mut all(&[Relocation { at: 2, unknown: [1, 7] }]));
    table(1, &mut all(&dvle.outputs));
    table(1, &mut all(&dvle.uniforms));
    table(dvle.symbols.len(), &mut all(&dvle.symbols));
    header.extend(body);
    header
}

#[test]
fn objects() {
    let bytes = object();
    let limits = Limits::default();
    let read = Object::read(&bytes, &limits).unwrap();
    assert_eq!(read.relocations, [Relocation { at: 2, unknown: [1, 7] }]);
    assert_eq!(read.unknown, [0, 0, u32::MAX]);
    assert_eq!((read.layout.as_ref(), read.write(&limits)), (None, Ok(bytes.clone())));
    let linked = read.linked;
    let sample = sample();
    assert_eq!((&linked.code, &linked.descriptors), (&sample.code, &sample.descriptors));
    assert_eq!(linked.programs[0].labels, sample.programs[0].labels);
    assert_eq!(linked.programs[0].end, 3);
    for len in 0..bytes.len() {
        let cut = Object::read(&bytes[..len], &limits).map_err(|d| d[0].code);
        let code = if (4..0x58).contains(&len) || len < 4 { "shbin-cut" } else { "shbin-range" };
        assert_eq!(cut, Err(code), "{len}");
    }
    for at in 0..0x58 {
        for new in [0, 0xff, bytes[at].wrapping_add(1)] {
            let mut damaged = bytes.clone();
            damaged[at] = new;
            if let Ok(object) = Object::read(&damaged, &limits) {
                assert_eq!(object.write(&limits), Ok(damaged), "{at}");
            }
        }
    }
    // Tables in another order, a hole that is not zero between them, and bytes after them.
    let mut moved = bytes.clone();
    moved.extend([1, 2, 3, 4]);
    let (from, to) = (0x58, moved.len() as u32);
    moved.extend_from_within(from..from + 20);
    moved[0x10..0x14].copy_from_slice(&to.to_le_bytes());
    moved[from] ^= 1;
    moved.push(9);
    let object = Object::read(&moved, &limits).unwrap();
    assert_eq!(object.linked.programs[0].constants, sample.programs[0].constants);
    assert!(object.layout.is_some());
    assert_eq!(object.write(&limits), Ok(moved));
    let limits = Limits { instructions: 2, ..limits };
    assert_eq!(Object::read(&bytes, &limits).unwrap_err()[0].code, "limit-exceeded");
}

/// A CGFX with a block that refers to the sample, and one that refers to nothing.
fn cgfx() -> Vec<u8> {
    let binary = written(&sample());
    let mut bytes = Vec::from(*b"CGFX");
    bytes.resize(0x40, 0);
    for (size, offset) in [(binary.len() as u32, 0x8c - 0x5c), (16, 0x1000)] {
        let mut block = vec![2, 0, 0, 0x80];
        block.extend(b"SHDR");
        block.extend([0x0500_0000u32, 0x34, 0, 0, size, offset].iter().flat_map(|w| w.to_le_bytes()));
        bytes.extend(block);
    }
    bytes.extend(b"Shader one\0\0");
    bytes.extend(binary);
    bytes
}

#[test]
fn binaries_in_cgfx() {
    let bytes = cgfx();
    assert_eq!(Wrapper::sniff(&bytes), Some(Wrapper::Cgfx));
    let (found, faults) = embedded(Wrapper::Cgfx, &bytes, &Limits::default()).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].name.as_str(), found[0].offset), ("Shader one", 0x8c));
    assert_eq!(read(&found[0].bytes), Ok(sample()));
    assert_eq!(faults.iter().map(|d| d.code).collect::<Vec<_>>(), ["shbin-range"]);
    for len in 0..bytes.len() {
        let _ = embedded(Wrapper::Cgfx, &bytes[..len], &Limits::default());
    }
}

/// Base64, as plainly as possible.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = [0, 1, 2].map(|i| u32::from(three.get(i).copied().unwrap_or(0)));
        let bits = bits[0] << 16 | bits[1] << 8 | bits[2];
        for i in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * i) & 63) as usize]);
            out.push(if i <= three.len() { letter } else { '=' });
        }
    }
    out
}

#[test]
fn binaries_in_base64() {
    let binary = base64(&written(&sample()));
    let bytes = format!(
        "\u{feff}<?xml version=\"1.0\"?>\r\n<NintendoWareIntermediateFile>\r\n<Shaders>\r\n\
         <ShaderCtr Name=\"Default\"><BinaryData>{binary}</BinaryData></ShaderCtr>\r\n\
         <ShaderCtr Name=\"Broken\"><BinaryData>!</BinaryData></ShaderCtr></Shaders>"
    );
    let bytes = bytes.as_bytes();
    assert_eq!(Wrapper::sniff(bytes), Some(Wrapper::Csdr));
    assert_eq!(Wrapper::sniff(b"<html>"), None);
    let (found, faults) = embedded(Wrapper::Csdr, bytes, &Limits::default()).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].name, "Default");
    assert_eq!(read(&found[0].bytes), Ok(sample()));
    assert!(faults.len() == 1 && faults[0].message.contains("Broken"), "{faults:?}");
    let limits = Limits { programs: 0, ..Limits::default() };
    assert_eq!(embedded(Wrapper::Csdr, bytes, &limits).unwrap_err().code, "limit-exceeded");
    for len in 0..bytes.len() {
        let _ = embedded(Wrapper::Csdr, &bytes[..len], &Limits::default());
    }
}

#[test]
fn containers_are_identified() {
    use crate::identify;
    use shisa_diag::Confidence;
    let limits = Limits::default();
    let of = |bytes: &[u8]| {
        let i = identify(bytes, &limits)?;
        Some((i.container, i.programs.len(), i.confidence))
    };
    let file = sample();
    let bytes = written(&file);
    assert_eq!(of(&bytes), Some(("shbin", 2, Confidence::Certain)));
    assert_eq!(of(&bytes[..20]), Some(("shbin", 0, Confidence::Possible)));
    let code = vec![u32::MAX - 0xff; 3];
    let strange = Shbin { code, ..file.clone() };
    assert_eq!(of(&written(&strange)), Some(("shbin", 2, Confidence::Certain)), "all ones are a mad");
    let strange = Shbin { code: vec![0x7c00_0000], ..file.clone() };
    assert_eq!(of(&written(&strange)), Some(("shbin", 2, Confidence::Likely)));
    assert_eq!(of(&object()), Some(("dvoj", 1, Confidence::Certain)));
    assert_eq!(of(&cgfx()), Some(("cgfx", 2, Confidence::Likely)), "a block leads nowhere");
    assert_eq!(of(b"CGFX"), None, "a CGFX without shaders is not identified");
    assert_eq!(of(b"<NintendoWareIntermediateFile/>"), Some(("csdr", 0, Confidence::Possible)));
    let parts = identify(&bytes, &limits).unwrap().programs;
    let places: Vec<_> = parts.iter().map(|p| (p.offset, p.size, p.stage.map(|s| s.name()))).collect();
    let starts: Vec<_> = file.places().iter().map(|p| (p.start, p.len())).collect();
    assert_eq!(places[0], (starts[0].0, starts[0].1, Some("vertex")));
    assert_eq!(places[1], (starts[1].0, starts[1].1, Some("geometry")));
    assert!(bytes[starts[1].0..].starts_with(b"DVLE"));
}

#[test]
fn float24_is_exact() {
    let cases = [
        (0x3f_0000, 1.0),
        (0xc0_8000, -3.0),
        (0x00_0000, 0.0),
        (0x80_0000, -0.0),
        (0x7f_0000, f32::INFINITY),
        (0x01_0000, f32::powi(2.0, -62)),
        (0x00_0001, f32::powi(2.0, -78)),
        (0x7e_ffff, f32::powi(2.0, 63) * (2.0 - f32::powi(2.0, -16))),
    ];
    for (bits, value) in cases {
        assert_eq!(float24(bits).to_bits(), value.to_bits(), "{bits:06x}");
    }
    assert!(float24(0x7f_a055).is_nan());
}

#[test]
fn words_without_a_container() {
    let limits = Limits::default();
    let file = Shbin { layout: None, ..sample() };
    let (mut code, descriptors) = file.raw();
    assert_eq!((code.len(), descriptors.len()), (4 * file.code.len(), 4 * file.descriptors.len()));
    code.resize(4 * 512, 0);
    let raw = Raw { code: &code, descriptors: &descriptors, stage: Stage::Geometry, entry: 1 };
    let linked = raw.linked(&limits).unwrap();
    assert_eq!(linked.raw(), (code.clone(), descriptors.clone()), "zeros are preserved");
    let linked = raw.loaded().linked(&limits).unwrap();
    assert_eq!(linked.code, file.code);
    let dvle = &linked.programs[0];
    assert_eq!((dvle.stage(), dvle.entry, dvle.end), (Some(Stage::Geometry), 1, file.code.len() as u32));
    let cut = Raw { descriptors: &descriptors[1..], ..raw };
    assert_eq!(cut.linked(&limits).unwrap_err().code, "shbin-raw");
    let small = Limits { instructions: 1, ..limits };
    assert_eq!(raw.linked(&small).unwrap_err().code, "limit-exceeded");
}

#[test]
fn tables_of_raw_words_are_what_the_words_use() {
    let program = crate::tests::assemble(&["add o1.xz, v3, r0", "mov o1.y, c4", "end"]);
    let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let (code, descriptors) = (bytes(&program.code), bytes(&program.descriptors));
    let raw = Raw { code: &code, descriptors: &descriptors, stage: Stage::Vertex, entry: 0 };
    let file = raw.linked(&Limits::default()).unwrap();
    let dvle = &file.programs[0];
    assert_eq!((dvle.inputs, dvle.output_mask), (1 << 3, 1 << 1));
    assert_eq!(dvle.outputs, [OutputEntry { kind: 9, register: 1, mask: 7, unknown: 0 }]);
    let found = crate::rules::check_raw(&raw, &Limits::default()).unwrap();
    let told: Vec<_> = found.iter().map(|d| (d.code, d.offset())).collect();
    assert_eq!(told, [("pica-read-before-write", Some(0))]);
}
