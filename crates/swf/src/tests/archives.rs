//! SWC, AIR and other ZIP archives.

use super::{Compression, code, data, program, swf};
use crate::{Package, extract, sniff};
use shisa_diag::Limits;
use shisa_ir::Stage;
use std::io::Write;

/// A ZIP archive with these files, deflated or stored.
pub(super) fn zip(files: &[(&str, &[u8])], deflated: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut packed = bytes.to_vec();
        if deflated {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            packed = encoder.finish().unwrap();
        }
        let offset = out.len() as u32;
        let mut facts = vec![20, 0, 0, 0, if deflated { 8 } else { 0 }, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        facts.extend((packed.len() as u32).to_le_bytes());
        facts.extend((bytes.len() as u32).to_le_bytes());
        facts.extend((name.len() as u16).to_le_bytes());
        facts.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&facts);
        out.extend(name.as_bytes());
        out.extend(&packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&facts);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let at = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend((files.len() as u16).to_le_bytes().repeat(2));
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend([0, 0]);
    out
}

#[test]
fn archives_are_searched() {
    let vertex = program(1, Stage::Vertex, 2);
    let library = swf(Compression::Zlib, &[data(1, &vertex)]);
    for deflated in [false, true] {
        let swc = zip(&[("catalog.xml", b"<swc/>"), ("library.swf", &library)], deflated);
        assert!(sniff(&swc));
        let found = extract(&swc, &Limits::default()).unwrap();
        assert_eq!((found.package, found.size), (Some(Package::Swc), swc.len()));
        let places: Vec<String> = found.found.iter().map(ToString::to_string).collect();
        assert_eq!(places, ["library.swf, tag 0, binary data 1"]);

        let air = zip(
            &[("META-INF/AIR/application.xml", b"<a/>"), ("lib/a.swc", &swc), ("b.agal", &vertex)],
            deflated,
        );
        let found = extract(&air, &Limits::default()).unwrap();
        assert_eq!(found.package, Some(Package::Air));
        let places: Vec<String> = found.found.iter().map(ToString::to_string).collect();
        assert_eq!(places, ["lib/a.swc, library.swf, tag 0, binary data 1", "b.agal, all of it"]);

        let other = zip(&[("readme.txt", b"nothing")], deflated);
        let found = extract(&other, &Limits::default()).unwrap();
        assert_eq!((found.package, found.found.len()), (Some(Package::Zip), 0));
    }
}

/// The list of files states the size of each: what is not so is reported, and the file is searched. Files are
/// decompressed 64 KiB at a time.
#[test]
fn sizes_that_lie_are_reported() {
    for length in [55, 0xffff, 0x1_0000, 0x1_0001, 0x2_0000, 0x2_0001] {
        let mut file = program(1, Stage::Vertex, 2);
        file.resize(length, 0);
        let whole = zip(&[("a.bin", &file)], true);
        let at = whole.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap() + 24;
        for (stated, found) in [
            (length, None),
            (length + 1, Some(length.to_string())),
            (length - 1, Some("more".into())),
            (length - length / 4, Some("more".into())),
        ] {
            let mut lying = whole.clone();
            lying[at..at + 4].copy_from_slice(&(stated as u32).to_le_bytes());
            let extraction = extract(&lying, &Limits::default()).unwrap();
            let text =
                |found| format!("a.bin in the archive has {stated} bytes by the list of files, but {found}");
            let messages: Vec<_> = extraction.diagnostics.iter().map(|d| d.message.as_str()).collect();
            assert_eq!(messages, Vec::from_iter(found.map(text)), "{stated} of {length}");
            assert_eq!(extraction.found.len(), 1, "{stated} of {length}");
        }
    }
}

#[test]
fn damaged_archives_are_reported() {
    let vertex = program(1, Stage::Vertex, 2);
    let whole = zip(&[("a.bin", &vertex), ("b.bin", &vertex)], true);
    let limits = Limits::default();
    assert_eq!(extract(&whole, &limits).unwrap().found.len(), 2);
    assert_eq!(extract(&whole[..whole.len() - 30], &limits).unwrap_err().code, "swf-archive");
    // A size that lies, and more than the limit.
    let small = Limits { file: whole.len() + vertex.len(), ..Limits::default() };
    let found = extract(&whole, &small).unwrap();
    assert_eq!((found.found.len(), found.diagnostics.len()), (2, 0));
    let less = Limits { file: whole.len(), ..Limits::default() };
    let packed = extract(&whole, &less).unwrap();
    assert!(packed.diagnostics.iter().all(|d| d.code == "limit-exceeded"));
    for at in 0..whole.len() {
        for value in [0, 0xff, whole[at] ^ 1] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let _ = extract(&bytes, &limits);
        }
        let _ = extract(&whole[..at], &limits);
    }
}

/// Files nested too deep are reported, and limits hold for all files together.
#[test]
fn nesting_and_bombs_are_reported() {
    let mut bytes = swf(Compression::None, &[data(1, &program(1, Stage::Vertex, 1))]);
    for _ in 0..6 {
        bytes = zip(&[("inner", &bytes)], true);
    }
    let found = extract(&bytes, &Limits::default()).unwrap();
    assert_eq!(found.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["swf-nesting"]);
    let zeros = vec![0; 1 << 20];
    let bomb = zip(&[("a", &zeros), ("b", &zeros), ("c", &zeros)], true);
    let limits = Limits { file: 2 << 20, ..Limits::default() };
    let found = extract(&bomb, &limits).unwrap();
    assert_eq!(found.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["limit-exceeded"]);
    let pool = super::abc(&["mov oc, v0"]);
    let inner = swf(Compression::None, &[code("in", &pool)]);
    assert_eq!(extract(&zip(&[("in.swf", &inner)], false), &limits).unwrap().found.len(), 1);
}

/// The comment at the end of an archive has at most 65,535 bytes.
#[test]
fn an_archive_may_end_with_a_comment() {
    let archive = zip(&[("a.bin", &program(1, Stage::Vertex, 2))], true);
    let with_comment = |length: usize| [&archive[..], &vec![b' '; length]].concat();
    for length in [0, 1, 0xffff] {
        assert_eq!(extract(&with_comment(length), &Limits::default()).unwrap().found.len(), 1, "{length}");
    }
    let longer = extract(&with_comment(0x1_0000), &Limits::default());
    assert_eq!(longer.unwrap_err().code, "swf-archive");
}
