use super::*;
use alloc::{vec, vec::Vec};

/// A Mach-O file with one segment of the sections given, and symbols.
fn mach(sections: &[(&str, u64, &[u8])], symbols: &[(&str, u64)]) -> Vec<u8> {
    let commands = 72 + 80 * sections.len() + 24;
    let mut data = vec![0; 32 + commands];
    let word = |data: &mut Vec<u8>, at: usize, n: u32| data[at..at + 4].copy_from_slice(&n.to_le_bytes());
    for (i, n) in [0xfeed_facf, 0x0100_0013, 0, 1, 2, commands as u32].into_iter().enumerate() {
        word(&mut data, 4 * i, n);
    }
    word(&mut data, 32, 0x19);
    word(&mut data, 36, (72 + 80 * sections.len()) as u32);
    word(&mut data, 32 + 64, sections.len() as u32);
    for (i, (name, address, content)) in sections.iter().enumerate() {
        let at = 32 + 72 + 80 * i;
        data[at..at + name.len()].copy_from_slice(name.as_bytes());
        data[at + 16..at + 22].copy_from_slice(b"__TEXT");
        let offset = data.len();
        word(&mut data, at + 32, *address as u32);
        word(&mut data, at + 40, content.len() as u32);
        word(&mut data, at + 48, offset as u32);
        data.extend_from_slice(content);
    }
    let table = data.len();
    let mut names = vec![0u8];
    for (name, value) in symbols {
        data.extend_from_slice(&(names.len() as u32).to_le_bytes());
        data.extend_from_slice(&[0; 4]);
        data.extend_from_slice(&value.to_le_bytes());
        names.extend_from_slice(name.as_bytes());
        names.push(0);
    }
    let at = 32 + 72 + 80 * sections.len();
    let strings = data.len();
    let fields = [2, 24, table as u32, symbols.len() as u32, strings as u32, names.len() as u32];
    fields.into_iter().enumerate().for_each(|(i, n)| word(&mut data, at + 4 * i, n));
    data.extend_from_slice(&names);
    data
}

/// A file of slices.
fn fat(slices: &[(u32, &[u8])], big: bool) -> Vec<u8> {
    let number = |n: u32| if big { n.to_be_bytes() } else { n.to_le_bytes() };
    let mut file: Vec<u8> = [0xcbfe_babe, slices.len() as u32].into_iter().flat_map(number).collect();
    let mut at = 8 + 20 * slices.len();
    for (kind, content) in slices {
        file.extend([*kind, 0x122, at as u32, content.len() as u32, 0].into_iter().flat_map(number));
        at += content.len();
    }
    slices.iter().for_each(|(_, content)| file.extend_from_slice(content));
    file
}

const CODE: &[u8] = &[0x62, 0, 0, 0, 0x88, 0, 8, 0, 0x88, 0, 8, 0];

fn archive(big: bool) -> Vec<u8> {
    let symbols = [("_agc.main", 0x1004), ("_agc.main.constant_program", 0x1008), ("_elsewhere", 9)];
    let code = mach(&[("__text", 0x1004, &CODE[4..])], &symbols);
    let outer = mach(&[("__compute", 0, &code), ("__const", 0, b"other")], &[]);
    fat(&[(0x0100_0017, b"MTLB"), (0x0100_0013, &outer)], big)
}

#[test]
fn archives_list_programs_of_all_slices() {
    for big in [false, true] {
        let file = archive(big);
        assert_eq!(Container::sniff(&file), Some(Container::MetalArchive));
        let image = Image::read(&file, &Limits::default()).unwrap();
        let told: Vec<_> = image.programs.iter().map(|p| (p.name.as_str(), p.stage, image.code(p))).collect();
        assert_eq!(
            told,
            [
                ("G13P: _agc.main", Some(Stage::Compute), &CODE[4..8]),
                ("G13P: _agc.main.constant_program", Some(Stage::Compute), &CODE[8..]),
            ]
        );
        assert!(image.faults.is_empty());
    }
}

#[test]
fn damaged_archives_are_refused_or_told_about() {
    let file = archive(false);
    for end in 0..file.len() {
        let _ = Image::read(&file[..end], &Limits::default());
    }
    for at in 0..file.len() {
        for value in [0, 0xff, file[at] ^ 1, file[at] ^ 0x80] {
            let mut damaged = file.clone();
            damaged[at] = value;
            let _ = Image::read(&damaged, &Limits::default());
        }
    }
    let cut = Image::read(&file[..file.len() - 4], &Limits::default()).unwrap_err();
    assert_eq!(cut[0].code, "agx-container");
    let few = Limits { labels: 3, ..Limits::default() };
    assert_eq!(Image::read(&file, &few).unwrap_err()[0].code, "limit-exceeded");
}

const DUMP: &str = "shader: MESA_SHADER_VERTEX
name: GLSL3
   0: 62020000               ldimm    r0h, 0
   4: 3800                   wait     a
   6: 8800                   stop
some other text: 12
   0: 1a8944e22400           fmul     r2, r2, r7
";

#[test]
fn dumps_give_their_bytes_back() {
    assert_eq!(Container::sniff(DUMP.as_bytes()), Some(Container::Dump));
    let image = Image::read(DUMP.as_bytes(), &Limits::default()).unwrap();
    let told: Vec<_> = image.programs.iter().map(|p| (p.name.as_str(), p.stage, image.code(p))).collect();
    assert_eq!(
        told,
        [
            ("GLSL3", Some(Stage::Vertex), &[0x62, 2, 0, 0, 0x38, 0, 0x88, 0][..]),
            ("", Some(Stage::Vertex), &[0x1a, 0x89, 0x44, 0xe2, 0x24, 0][..]),
        ]
    );
    let gap = DUMP.replace("   6: 8800", "   8: 8800");
    let image = Image::read(gap.as_bytes(), &Limits::default());
    assert_eq!(image.unwrap().faults[0].code, "agx-container");
    assert_eq!(Container::sniff(b"12: 34 is a time"), None);
}

/// An archive with one slice for a GPU.
fn for_gpu(subtype: u32, symbols: &[(&str, u64)]) -> Vec<u8> {
    let code = mach(&[("__text", 0x1004, CODE)], symbols);
    let mut file = fat(&[(0x0100_0013, &code)], false);
    file[12..16].copy_from_slice(&subtype.to_le_bytes());
    file
}

fn names(file: &[u8]) -> Vec<String> {
    let image = Image::read(file, &Limits::default()).unwrap();
    image.programs.into_iter().map(|p| p.name).collect()
}

#[test]
fn slices_are_named_by_their_gpu() {
    for (subtype, name) in
        [(290, "G13P: a"), (322, "G13G: a"), (530, "G13S: a"), (594, "G13D: a"), (7, "slice 7: a")]
    {
        assert_eq!(names(&for_gpu(subtype, &[("a", 0x1004)])), [name]);
    }
    for (subtype, gpu) in [(402, "G14G"), (275, "G15G"), (435, "G16P")] {
        let faults = Image::read(&for_gpu(subtype, &[("a", 0x1004)]), &Limits::default()).unwrap_err();
        assert!(faults[0].message.contains(gpu), "{}", faults[0]);
    }
    // Of several slices, those of other generations are only listed.
    let code = mach(&[("__text", 0x1004, CODE)], &[("a", 0x1004)]);
    let mut both = fat(&[(0x0100_0013, &code), (0x0100_0013, &code)], false);
    both[32..36].copy_from_slice(&434u32.to_le_bytes());
    let image = Image::read(&both, &Limits::default()).unwrap();
    assert_eq!((image.programs.len(), image.others.len()), (1, 1));
    assert_eq!((image.others[0].name.as_str(), image.others[0].code.len()), ("G14S", code.len()));
}

#[test]
fn symbols_of_padding_are_no_programs() {
    let symbols = [("_agc.main", 0x1004), ("ltmp0", 0x1004), ("ltmp1", 0x100a), ("b", 0x100c)];
    let file = for_gpu(290, &symbols);
    let image = Image::read(&file, &Limits::default()).unwrap();
    let told: Vec<_> = image.programs.iter().map(|p| (p.name.as_str(), p.code.len())).collect();
    assert_eq!(told, [("G13P: _agc.main", 6), ("G13P: b", 4)]);
    assert_eq!(names(&for_gpu(290, &[("ltmp0", 0x1004)])), ["G13P: "]);
    assert_eq!(names(&for_gpu(290, &[("ltmp", 0x1004)])), ["G13P: ltmp"]);
}

#[test]
fn libraries_of_the_intermediate_language_are_named() {
    assert_eq!(Container::sniff(b"MTLB\x01\x80"), Some(Container::MetalLibrary));
    let faults = Image::read(b"MTLB\x01\x80", &Limits::default()).unwrap_err();
    assert!(faults[0].message.contains("intermediate language"), "{}", faults[0]);
}
