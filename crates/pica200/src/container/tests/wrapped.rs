//! Shader binaries in executables, models and file systems, which these tests write.

use super::super::sha256::sha256;
use super::*;

/// A block of the RomFS's hashes, in bytes.
const BLOCK: usize = 0x1000;

fn put(bytes: &mut Vec<u8>, at: usize, part: &[u8]) {
    if bytes.len() < at + part.len() {
        bytes.resize(at + part.len(), 0);
    }
    bytes[at..at + part.len()].copy_from_slice(part);
}

fn word(bytes: &mut Vec<u8>, at: usize, value: usize) {
    put(bytes, at, &(value as u32).to_le_bytes());
}

fn padded(mut bytes: Vec<u8>, to: usize) -> Vec<u8> {
    bytes.resize(bytes.len().div_ceil(to) * to, 0);
    bytes
}

/// A binary with other words after it.
fn binary() -> Vec<u8> {
    let mut bytes = written(&sample());
    bytes.extend([0xff; 8]);
    bytes
}

/// The files of a RomFS: `/a/b.shbin` and `/text`.
fn level3() -> Vec<u8> {
    let name = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mut directories = vec![0; 0x18];
    word(&mut directories, 0x18, 0);
    word(&mut directories, 0x18 + 0x14, 2);
    directories.extend(name("a"));
    let directories = padded(directories, 4);
    let mut files = Vec::new();
    let binary = binary();
    for (parent, at, size, text) in [(0, 0, 5, "text"), (0x18, 16, binary.len(), "b.shbin")] {
        let start = files.len();
        for (field, value) in [(0, parent), (8, at), (0x10, size), (0x1c, 2 * text.len())] {
            word(&mut files, start + field, value);
        }
        files.extend(name(text));
        files = padded(files, 4);
    }
    let (first, second) = (0x28, 0x28 + directories.len());
    let data = (second + files.len()).next_multiple_of(16);
    let mut out = Vec::new();
    for (n, value) in
        [0x28, 0, 0, first, directories.len(), 0, 0, second, files.len(), data].into_iter().enumerate()
    {
        word(&mut out, 4 * n, value);
    }
    put(&mut out, first, &directories);
    put(&mut out, second, &files);
    put(&mut out, data, b"hello");
    put(&mut out, data + 16, &binary);
    out
}

fn hashes(data: &[u8]) -> Vec<u8> {
    data.chunks(BLOCK).flat_map(|block| sha256(&padded(block.to_vec(), BLOCK))).collect()
}

fn romfs() -> Vec<u8> {
    let (third, mut levels) = (level3(), vec![Vec::new(); 3]);
    let size = third.len();
    levels[2] = padded(third, BLOCK);
    levels[1] = hashes(&levels[2]);
    levels[0] = hashes(&padded(levels[1].clone(), BLOCK));
    let sizes = [levels[0].len(), levels[1].len(), size];
    let levels: Vec<Vec<u8>> = levels.into_iter().map(|l| padded(l, BLOCK)).collect();
    let master = hashes(&levels[0]);
    let mut out = b"IVFC\0\0\x01\0".to_vec();
    word(&mut out, 8, master.len());
    for (level, size) in sizes.into_iter().enumerate() {
        word(&mut out, 0x14 + 0x18 * level, size);
        word(&mut out, 0x1c + 0x18 * level, 12);
    }
    put(&mut out, 0x60, &master);
    let out = padded(out, BLOCK);
    [out, levels[2].clone(), levels[0].clone(), levels[1].clone()].concat()
}

fn exefs() -> Vec<u8> {
    let mut out = Vec::new();
    let code = binary();
    for (n, (name, at, data)) in
        [("icon", 0, &b"picture"[..]), (".code", 0x200, &code)].into_iter().enumerate()
    {
        put(&mut out, 16 * n, name.as_bytes());
        word(&mut out, 16 * n + 8, at);
        word(&mut out, 16 * n + 12, data.len());
        put(&mut out, 0x200 - 0x20 * (n + 1), &sha256(data));
        put(&mut out, 0x200 + at, data);
    }
    out
}

fn ncch() -> Vec<u8> {
    let (exefs, romfs) = (padded(exefs(), 0x200), padded(romfs(), 0x200));
    let mut out = vec![0; 0x200];
    put(&mut out, 0x100, b"NCCH");
    put(&mut out, 0x18f, &[4]);
    put(&mut out, 0x1c0, &sha256(&exefs[..0x200]));
    put(&mut out, 0x1e0, &sha256(&romfs[..0x200]));
    for (field, at, size) in [(0x1a0, 1, exefs.len()), (0x1b0, 1 + exefs.len() / 0x200, romfs.len())] {
        word(&mut out, field, at);
        word(&mut out, field + 4, size / 0x200);
        word(&mut out, field + 8, 1);
    }
    [out, exefs, romfs].concat()
}

/// A cartridge with two applications.
fn ncsd() -> Vec<u8> {
    let (first, second) = (padded(ncch(), 0x200), padded(ncch(), 0x200));
    let mut out = vec![0; 0x4000];
    put(&mut out, 0x100, b"NCSD");
    // Partitions 0 and 2.
    for (n, at, part) in [(0, 0x4000, &first), (2, 0x4000 + first.len(), &second)] {
        word(&mut out, 0x120 + 8 * n, at / 0x200);
        word(&mut out, 0x124 + 8 * n, part.len() / 0x200);
    }
    [out, first, second].concat()
}

/// An installable title whose metadata has three contents, of which the file has the first and the last.
fn cia(contents: [Vec<u8>; 2], encrypted: bool) -> Vec<u8> {
    let big = |out: &mut Vec<u8>, at: usize, value: usize| put(out, at, &(value as u32).to_be_bytes());
    let mut metadata = vec![0; 0xb04];
    put(&mut metadata, 0x140 + 0x9e, &[0, 3]);
    for (n, content) in [Some(&contents[0]), None, Some(&contents[1])].into_iter().enumerate() {
        let at = 0xb04 + 0x30 * n;
        let data = content.cloned().unwrap_or_default();
        big(&mut metadata, at, 0x1234 + n);
        big(&mut metadata, at + 4, n << 16 | usize::from(encrypted));
        big(&mut metadata, at + 0x0c, data.len());
        put(&mut metadata, at + 0x10, &sha256(&data));
    }
    let records = sha256(&metadata[0xb04..]);
    put(&mut metadata, 0x204 + 4, &records);
    let information = sha256(&metadata[0x204..0xb04]);
    put(&mut metadata, 0x140 + 0xa4, &information);
    let (certificates, ticket) = (vec![1; 0xa00], vec![2; 0x350]);
    let mut out = vec![0; 0x2020];
    word(&mut out, 0, 0x2020);
    for (field, part) in [(8, &certificates), (0x0c, &ticket), (0x10, &metadata)] {
        word(&mut out, field, part.len());
    }
    put(&mut out, 0x20, &[0b1010_0000]);
    word(&mut out, 0x18, contents.iter().map(Vec::len).sum());
    let parts = [out, certificates, ticket, metadata].map(|part| padded(part, 64));
    [parts.concat(), contents.concat()].concat()
}

/// Compresses code from its end: the shortest prefix stays as it is.
fn compressed(code: &[u8]) -> Vec<u8> {
    // The items from the last byte to the first.
    let (mut at, mut items) = (code.len(), Vec::new());
    while at > 4 {
        let length =
            |from: usize| (0..18.min(at - 4)).take_while(|n| code[at - 1 - n] == code[from - 1 - n]).count();
        let candidates = (at + 3..(at + 4098).min(code.len() + 1)).map(|from| (length(from), from - at));
        match candidates.max_by_key(|(length, distance)| (*length, usize::MAX - distance)) {
            Some((length, distance)) if length >= 3 => {
                let item = ((length - 3) << 12 | (distance - 3)) as u16;
                items.push(vec![(item >> 8) as u8, item as u8]);
                at -= length;
            }
            _ => {
                items.push(vec![code[at - 1]]);
                at -= 1;
            }
        }
    }
    let mut data = Vec::new();
    for eight in items.chunks(8) {
        data.push(
            eight.iter().zip(0..).fold(0, |flags, (item, n)| flags | u8::from(item.len() == 2) << (7 - n)),
        );
        data.extend(eight.concat());
    }
    data.reverse();
    let mut out = code[..4].to_vec();
    out.extend(data);
    while !out.len().is_multiple_of(4) {
        out.push(0xff);
    }
    let end = out.len() + 8 - (4 + items.chunks(8).map(|eight| 1 + eight.concat().len()).sum::<usize>());
    let size = out.len() + 8;
    out.extend(((size - 4) as u32 | (end as u32) << 24).to_le_bytes());
    out.extend(((code.len() - size) as u32).to_le_bytes());
    out
}

/// An ExeFS with compressed code, in which two binaries are.
fn packed() -> Vec<u8> {
    let code = [vec![7; 3000], binary(), vec![9; 5000], binary(), vec![0; 700]].concat();
    let code = compressed(&code);
    let mut out = b".code".to_vec();
    word(&mut out, 12, code.len());
    put(&mut out, 0x1e0, &sha256(&code));
    put(&mut out, 0x200, &code);
    out
}

#[test]
fn compressed_code_is_expanded() {
    let bytes = packed();
    let (found, faults) = embedded(Wrapper::ExeFs, &bytes, &Limits::default()).unwrap();
    let names: Vec<_> = found.iter().map(|e| (e.name.as_str(), e.offset)).collect();
    assert_eq!((names, faults), (vec![(".code", 0x200), (".code", 0x200)], Vec::new()));
    assert!(found.iter().all(|e| read(&e.bytes) == Ok(sample())));
    let put = replace(Wrapper::ExeFs, &bytes, 0, &written(&sample()), &Limits::default());
    assert_eq!(put.map_err(|d| d.code), Err("shbin-compressed"));
    // The code is expanded only up to the limit.
    let size = 8700 + 2 * binary().len();
    for (file, codes) in [(size, &[][..]), (size - 1, &["limit-exceeded"])] {
        let limits = Limits { file, ..Limits::default() };
        let (found, faults) = embedded(Wrapper::ExeFs, &bytes, &limits).unwrap();
        assert_eq!(faults.iter().map(|d| d.code).collect::<Vec<_>>(), codes);
        assert_eq!(found.is_empty(), !codes.is_empty());
    }
}

#[test]
fn damaged_compressed_code_is_answered() {
    let bytes = packed();
    let mut reported = 0;
    for at in 0..bytes.len() {
        for new in [0, 0xff, bytes[at].wrapping_add(1)] {
            let mut damaged = bytes.clone();
            damaged[at] = new;
            let (found, faults) = embedded(Wrapper::ExeFs, &damaged, &Limits::default()).unwrap();
            assert!(faults.is_empty() || found.is_empty());
            reported += faults.iter().filter(|d| d.code == "shbin-expand").count();
        }
    }
    assert!(reported > 0, "code that cannot be expanded is reported");
}

#[test]
fn encrypted_contents_are_named() {
    let mut closed = vec![0x55; 0x400];
    put(&mut closed, 0x100, b"NCCH");
    put(&mut closed, 0x18f, &[0]);
    for (encrypted, want) in [
        (false, &["content 1 is encrypted: its shader binaries cannot be found"][..]),
        (true, &["content 1 is encrypted with the key of the title: its shader binaries cannot be found"]),
    ] {
        let file = cia([ncch(), closed.clone()], encrypted);
        let (found, faults) = embedded(Wrapper::Cia, &file, &Limits::default()).unwrap();
        assert_eq!(found.len(), 2, "those of content 0");
        assert_eq!(faults.iter().map(|d| d.message.as_str()).collect::<Vec<_>>(), want);
        assert!(faults.iter().all(|d| d.code == "shbin-encrypted"));
    }
}

fn threedsx() -> Vec<u8> {
    let (code, rodata) = (vec![0xee; 24], binary());
    let mut out = b"3DSX".to_vec();
    put(&mut out, 4, &[0x2c, 0, 8, 0]);
    for (field, value) in [(0x10, code.len()), (0x14, rodata.len()), (0x18, 64), (0x1c, 64)] {
        word(&mut out, field, value);
    }
    put(&mut out, 0x2c + 24, &[code, rodata].concat());
    let romfs = out.len();
    word(&mut out, 0x28, romfs);
    out.extend(level3());
    out
}

fn elf() -> Vec<u8> {
    let mut out = b"\x7fELF\x01\x01\x01".to_vec();
    put(&mut out, 0x10, &[2, 0, 40, 0]);
    put(&mut out, 0x34, b"\0.rodata\0.names\0");
    let data = binary();
    put(&mut out, 0x50, &data);
    let table = out.len().next_multiple_of(4);
    word(&mut out, 0x20, table);
    for (n, (name, kind, at, size)) in
        [(0, 0, 0, 0), (1, 1, 0x50, data.len()), (9, 3, 0x34, 16)].into_iter().enumerate()
    {
        for (field, value) in [(0, name), (4, kind), (0x10, at), (0x14, size), (0x24, 0)] {
            word(&mut out, table + 40 * n + field, value);
        }
    }
    put(&mut out, 0x2e, &[40, 0, 3, 0, 2, 0]);
    out
}

fn bch() -> Vec<u8> {
    let mut out = b"BCH\0\x21\x21".to_vec();
    out.resize(0x80, 0);
    [out, binary(), binary()].concat()
}

fn cases() -> Vec<(Wrapper, Vec<u8>, &'static [&'static str])> {
    vec![
        (Wrapper::Bch, bch(), &["", ""]),
        (Wrapper::ThreeDsx, threedsx(), &["rodata", "/a/b.shbin"]),
        (Wrapper::Elf, elf(), &[".rodata"]),
        (Wrapper::ExeFs, exefs(), &[".code"]),
        (Wrapper::RomFs, romfs(), &["/a/b.shbin"]),
        (Wrapper::Ncch, ncch(), &[".code", "/a/b.shbin"]),
        (Wrapper::Ncsd, ncsd(), &["0/.code", "0/a/b.shbin", "1/.code", "1/a/b.shbin"]),
        (Wrapper::Cia, cia([ncch(), ncch()], false), &["0/.code", "0/a/b.shbin", "1/.code", "1/a/b.shbin"]),
    ]
}

#[test]
fn binaries_are_found_and_named() {
    for (kind, bytes, names) in cases() {
        assert_eq!(Wrapper::sniff(&bytes), Some(kind));
        let (found, faults) = embedded(kind, &bytes, &Limits::default()).unwrap();
        assert_eq!(found.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), names, "{kind:?}");
        assert!(faults.is_empty(), "{faults:?}");
        for e in found {
            assert_eq!(read(&e.bytes), Ok(sample()), "{kind:?}");
        }
    }
}

/// Files that are cut anywhere, and files whose numbers are wrong.
#[test]
fn damaged_files_are_answered() {
    for (kind, bytes, _) in cases() {
        let step = bytes.len() / 70 + 1;
        for at in (0..bytes.len()).step_by(step) {
            let _ = embedded(kind, &bytes[..at], &Limits::default());
            for new in [0, 0xff, bytes[at].wrapping_add(1)] {
                let mut damaged = bytes.clone();
                damaged[at] = new;
                let (found, _) = embedded(kind, &damaged, &Limits::default()).unwrap();
                if !found.is_empty() {
                    let _ = replace(kind, &damaged, 0, &written(&sample()), &Limits::default());
                }
            }
        }
        // Every number of the headers at its largest.
        for at in (0..0x200.min(bytes.len() - 4)).step_by(4) {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].fill(0xff);
            let _ = embedded(kind, &damaged, &Limits::default()).unwrap();
        }
    }
}

#[test]
fn binaries_are_put_back() {
    let limits = Limits::default();
    let mut other = sample();
    other.code[0] ^= 1 << 21;
    let mut smaller = other.clone();
    smaller.lines.clear();
    smaller.names.clear();
    let new = written(&smaller);
    for (kind, bytes, names) in cases() {
        for number in 0..names.len() {
            // Back and forth the file is as before, hashes included.
            let (out, _) = replace(kind, &bytes, number, &written(&other), &limits).unwrap();
            assert_ne!(out, bytes);
            assert_eq!(
                replace(kind, &out, number, &written(&sample()), &limits).unwrap().0,
                bytes,
                "{kind:?}"
            );
            let (out, warnings) = replace(kind, &bytes, number, &new, &limits).unwrap();
            let codes: Vec<_> = warnings.iter().map(|d| d.code).collect();
            // All hashes hold, so nothing but the signature is lost.
            let signed = matches!(kind, Wrapper::Ncch | Wrapper::Ncsd | Wrapper::Cia);
            assert_eq!(codes, if signed { &["shbin-signature"][..] } else { &[] }, "{kind:?}");
            let (found, _) = embedded(kind, &out, &limits).unwrap();
            for (n, e) in found.iter().enumerate() {
                let want = if n == number { &smaller } else { &sample() };
                assert_eq!(read(&e.bytes).as_ref(), Ok(want), "{kind:?} {n}");
            }
            let wrong = replace(kind, &bytes, names.len(), &new, &limits).map_err(|d| d.code);
            assert_eq!(wrong, Err("shbin-absent"));
            let large = replace(kind, &bytes, number, &[&new[..], &[0; 999]].concat(), &limits);
            assert_eq!(large.map_err(|d| d.code), Err("shbin-room"));
        }
    }
}

/// A hash that did not hold is not made to hold.
#[test]
fn hashes_that_did_not_hold_are_reported() {
    let mut bytes = exefs();
    bytes[0x200 - 0x40] ^= 1;
    let (out, warnings) =
        replace(Wrapper::ExeFs, &bytes, 0, &written(&sample()), &Limits::default()).unwrap();
    assert_eq!(out, bytes);
    assert_eq!(warnings.iter().map(|d| d.code).collect::<Vec<_>>(), ["shbin-hash"]);
}

#[test]
fn encrypted_content_is_reported() {
    let mut bytes = vec![0x55; 0x400];
    put(&mut bytes, 0x100, b"NCCH");
    put(&mut bytes, 0x18f, &[0]);
    let (found, faults) = embedded(Wrapper::Ncch, &bytes, &Limits::default()).unwrap();
    assert_eq!((found.len(), faults[0].code), (0, "shbin-encrypted"));
}

#[test]
fn extents_end_with_the_last_table() {
    let bare = Dvle::default();
    for file in [
        sample(),
        Shbin { programs: Vec::new(), ..sample() },
        // Headers without tables are the end.
        Shbin { programs: vec![bare.clone()], ..Shbin::default() },
        Shbin { programs: vec![bare; 3], ..Shbin::default() },
        Shbin::default(),
    ] {
        let bytes = written(&file);
        assert_eq!(Shbin::extent(&[&bytes[..], &[1; 40]].concat()), Some(bytes.len()));
        assert_eq!(Shbin::extent(&bytes[..bytes.len() - 4]), None);
    }
}
