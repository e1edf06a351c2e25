use super::fatbin::{library, sample as fatbin};
use super::switch::{dksh, nvn};
use super::{bundles, elf_file, mutation};
use shisa_diag::{Confidence, Limits};
use shisa_maxwell::container::{Container, Edit, Image, NvnControl, Packing, Raw, Sph};
use shisa_maxwell::{Chip, ShaderStage};
use std::collections::BTreeMap;

fn read(bytes: &[u8]) -> Image<'_> {
    Image::read(bytes, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"))
}

fn with_header() -> Vec<u8> {
    [&Sph::new(ShaderStage::Geometry).unwrap().0[..], &bundles(3)].concat()
}

/// A file of each kind that holds programs.
fn files() -> [(&'static str, Vec<u8>); 7] {
    let [_, code] = nvn();
    [
        ("cubin", elf_file::sample()),
        ("fatbin", fatbin()),
        ("cuda-host", library()),
        ("dksh", dksh()),
        ("nvn-code", code),
        ("sph", with_header()),
        ("bundles", bundles(4)),
    ]
}

#[test]
fn every_kind_is_told_by_its_content() {
    let limits = Limits::default();
    for (name, bytes) in files() {
        assert_eq!(Container::sniff(&bytes, &limits).map(Container::name), Some(name));
    }
    assert_eq!(Container::sniff(&nvn()[0], &limits), Some(Container::NvnControl));
    let padded = [bundles(2), vec![0; 64]].concat();
    assert_eq!(Container::sniff(&padded, &limits), Some(Container::Bundles), "zeros may fill a file up");
    assert_eq!(read(&padded).confidence(), Confidence::Likely);
    let section = &dksh()[0x100..0x200];
    assert_eq!(Container::sniff(section, &limits), Some(Container::Sph), "a code section by itself");
    let bare = b"\x7fELF\x02\x01 of another machine, and no fatbin in it";
    for other in [b"", &b"text that is neither"[..], &[0; 64], &[0xff; 32], bare] {
        assert_eq!(Container::sniff(other, &limits), None);
        assert_eq!(Image::read(other, &limits).unwrap_err()[0].code, "maxwell-container");
    }
}

#[test]
fn programs_are_listed() {
    let list = |bytes: &[u8]| -> Vec<_> {
        let image = read(bytes);
        let told = |p: &shisa_maxwell::container::Program| {
            (p.name.clone(), p.chip, p.stage.map(ShaderStage::name), p.registers, p.compressed)
        };
        image.programs.iter().map(told).collect()
    };
    let function = |name: &str, chip: Chip, registers: u32, compressed: bool| {
        (String::from(name), Some(chip), Some("compute"), Some(registers), compressed)
    };
    let expected: Vec<_> = [(Chip::Sm50, false), (Chip::Sm52, true), (Chip::Sm53, true)]
        .into_iter()
        .flat_map(|(chip, packed)| [function("main", chip, 15, packed), function("help", chip, 9, packed)])
        .collect();
    assert_eq!(
        list(&elf_file::sample()),
        expected[4..].iter().cloned().map(|p| (p.0, p.1, p.2, p.3, false)).collect::<Vec<_>>()
    );
    assert_eq!(list(&fatbin()), expected);
    assert_eq!(list(&library()), [expected.clone(), expected].concat());
    let shader = |name: &'static str, chip, registers| {
        (String::from(name), chip, Some(name).filter(|n| *n != "code"), registers, false)
    };
    let switch = Some(Chip::Sm53);
    assert_eq!(list(&dksh()), [shader("fragment", switch, Some(9)), shader("compute", switch, Some(12))]);
    assert_eq!(list(&nvn()[1]), [shader("vertex", switch, None)]);
    assert_eq!(list(&with_header()), [shader("geometry", None, None)]);
    assert_eq!(list(&bundles(4)), [shader("code", None, None)]);
    assert_eq!(list(&nvn()[0]), []);
}

#[test]
fn code_stands_where_it_is_told() {
    for (name, bytes) in files() {
        let image = read(&bytes);
        assert!(!image.programs.is_empty());
        for (n, program) in image.programs.iter().enumerate() {
            assert_eq!(image.code(n).len(), program.code.len(), "{name}");
            assert!(!image.code(n).is_empty(), "{name}");
            if !program.compressed {
                assert_eq!(image.code(n), &bytes[program.code.clone()], "{name}");
            }
            assert_eq!(image.header(n).is_some(), program.header.is_some());
        }
        assert!(image.code(99).is_empty());
    }
    assert_eq!(read(&with_header()).header(0), Sph::new(ShaderStage::Geometry));
}

#[test]
fn what_is_not_changed_keeps_its_bytes() {
    for (name, bytes) in files() {
        let image = read(&bytes);
        let same: BTreeMap<_, _> = (0..image.programs.len())
            .map(|n| (n, Edit { code: image.code(n), header: image.header(n), targets: None }))
            .collect();
        let written = image.write(&same, &Limits::default()).unwrap();
        assert!(written == bytes, "{name}");
    }
}

#[test]
fn changed_code_is_put_back() {
    for (name, bytes) in files() {
        let image = read(&bytes);
        let codes: Vec<Vec<u8>> =
            image.programs.iter().map(|p| bundles(1 + p.code.len() as u64 / 32)).collect();
        // In a file of the host only what is not larger has room: one bundle less.
        let less: Vec<Vec<u8>> = codes.iter().map(|c| bundles((c.len() as u64 / 32 - 1) / 2)).collect();
        for codes in [codes, less] {
            let edits = codes.iter().enumerate().filter(|(_, code)| !code.is_empty());
            let edits: BTreeMap<_, _> =
                edits.map(|(n, code)| (n, Edit { code, header: None, targets: None })).collect();
            let written = match image.write(&edits, &Limits::default()) {
                Ok(written) => written,
                Err(faults) => {
                    assert_eq!((name, faults[0].code), ("cuda-host", "fatbin-space"));
                    continue;
                }
            };
            if name == "cuda-host" {
                assert_eq!(written.len(), bytes.len());
            }
            let new = read(&written);
            assert_eq!(new.programs.len(), image.programs.len());
            for (n, edit) in &edits {
                let code = new.code(*n);
                // Nothing states where the code of NVN ends, and its constants begin.
                let code = if name == "nvn-code" { &code[..edit.code.len()] } else { code };
                assert!(code == edit.code, "{name} {n}");
            }
            let names = |i: &Image<'_>| i.programs.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
            assert_eq!(names(&new), names(&image));
        }
    }
}

#[test]
fn a_header_is_put_back() {
    for (name, bytes) in files() {
        let image = read(&bytes);
        let Some(mut sph) = image.header(0) else { continue };
        sph.0[79] ^= 0x80;
        let edits = BTreeMap::from([(0, Edit { code: image.code(0), header: Some(sph), targets: None })]);
        let written = image.write(&edits, &Limits::default()).unwrap();
        assert_eq!(read(&written).header(0), Some(sph), "{name}");
        let differ = bytes.iter().zip(&written).filter(|(a, b)| a != b).count();
        assert_eq!((differ, written.len()), (1, bytes.len()), "{name}");
    }
}

#[test]
fn findings_have_places_in_the_file() {
    let limits = Limits::default();
    for (name, bytes) in files().into_iter().filter(|(name, _)| *name != "sph") {
        assert_eq!(read(&bytes).check(&limits), [], "{name}");
    }
    let places = |bytes: &[u8]| -> Vec<_> {
        let found = read(bytes).check(&limits);
        found.iter().map(|d| (d.code, d.offset().unwrap())).collect()
    };
    assert_eq!(places(&with_header()), [("sph-topology", 15), ("sph-vertices", 16)]);
    let mut plain = dksh();
    plain[0x130 + 35] = 0xff;
    plain[0x132] |= 0x20;
    assert_eq!(places(&plain), [("sph-reserved", 0x132)]);
    let mut cubin = elf_file::sample();
    let list = cubin.windows(2).position(|w| w == [4, 0x1c]).unwrap();
    cubin[list + 4] ^= 8;
    let entries = [(2, 52, Packing::Plain, &cubin[..]), (2, 53, Packing::Lz4, &cubin)];
    let bytes = super::fatbin::file(&entries);
    let payloads: Vec<usize> = read(&bytes).fatbins()[0].entries.iter().map(|e| e.payload.start).collect();
    assert_eq!(places(&bytes), [("cubin-places", payloads[0] + list), ("cubin-places", payloads[1])]);
}

#[test]
fn a_pair_is_read_and_written_together() {
    let ([control, code], limits) = (nvn(), Limits::default());
    let told = |bytes: &[u8]| NvnControl::read(bytes, &limits).unwrap();
    let image = Image::read_pair(&code, told(&control), &limits).unwrap();
    assert_eq!((image.programs.len(), image.programs[0].registers), (1, Some(17)));
    assert_eq!((image.code(0), image.confidence()), (&bundles(2)[..], Confidence::Certain));
    let same = BTreeMap::from([(0, Edit { code: image.code(0), header: None, targets: None })]);
    assert!(image.write_pair(&control, &same, &limits) == Ok((code.clone(), control.clone())));
    let longer = bundles(9);
    let edits = BTreeMap::from([(0, Edit { code: &longer, header: None, targets: None })]);
    let (code, control) = image.write_pair(&control, &edits, &limits).unwrap();
    assert_eq!(Image::read_pair(&code, told(&control), &limits).unwrap().code(0), longer);
    assert_eq!(Image::read_pair(&control, told(&control), &limits).unwrap_err()[0].code, "nvn-magic");
}

#[test]
fn edits_that_cannot_be_are_refused() {
    let bytes = elf_file::sample();
    let edits = BTreeMap::from([
        (0, Edit { code: &[0; 31], header: None, targets: None }),
        (7, Edit { code: &[], header: None, targets: None }),
    ]);
    let faults = read(&bytes).write(&edits, &Limits::default()).unwrap_err();
    assert_eq!(faults.iter().map(|d| d.code).collect::<Vec<_>>(), ["maxwell-bundles", "no-program"]);
    let code = bundles(40);
    let limits = Limits { file: bytes.len() + 64, ..Limits::default() };
    let edits = BTreeMap::from([(0, Edit { code: &code, header: None, targets: None })]);
    assert_eq!(read(&bytes).write(&edits, &limits).unwrap_err()[0].code, "limit-exceeded");
}

#[test]
fn damaged_cubins_are_left_out_and_told() {
    let mut bytes = fatbin();
    let image = read(&bytes);
    assert_eq!((image.faults.len(), image.confidence()), (0, Confidence::Certain));
    let second = image.fatbins()[0].entries[1].clone();
    bytes[second.payload.start + 9] ^= 0xff;
    bytes[second.payload.start + 1] ^= 0xff;
    let image = read(&bytes);
    assert_eq!(image.programs.len(), 4);
    let told: Vec<_> = image.faults.iter().map(|d| d.offset()).collect();
    assert_eq!(told, [Some(second.payload.start)]);
    assert_eq!(image.confidence(), Confidence::Likely);
    let mut other = elf_file::sample();
    other[48] = 80;
    let image = read(&other);
    assert_eq!((image.programs.len(), image.faults[0].code), (0, "maxwell-other-chip"));
}

#[test]
fn limits_hold() {
    let code = |bytes: &[u8], name: &str, value: u64| {
        let mut limits = Limits::default();
        assert!(limits.set(name, value));
        Image::read(bytes, &limits).map(|_| ()).map_err(|d| d[0].code)
    };
    let one = elf_file::sample().len() as u64;
    // Of containers only the code counts.
    let long = bundles(40);
    let edits = BTreeMap::from([(0, Edit { code: &long, header: None, targets: None })]);
    let cubin = read(&elf_file::sample()).write(&edits, &Limits::default()).unwrap();
    for (bytes, name, value) in [
        (cubin, "file", 41 * 32),
        (with_header(), "file", with_header().len() as u64),
        (fatbin(), "memory", 3 * one),
        (fatbin(), "programs", 6),
        (elf_file::sample(), "instructions", 6),
    ] {
        assert_eq!([code(&bytes, name, value + 1), code(&bytes, name, value)], [Ok(()); 2], "{name}");
        assert_eq!(code(&bytes, name, value - 1), Err("limit-exceeded"), "{name}");
    }
}

#[test]
fn bytes_are_taken_as_raw_code_when_asked() {
    let limits = Limits::default();
    let any = [0xee; 64];
    let image = Image::read_as(&any, Container::Bundles, &limits).unwrap();
    assert_eq!((image.code(0), image.confidence()), (&any[..], Confidence::Possible));
    assert_eq!(
        Image::read_as(&any[1..], Container::Bundles, &limits).unwrap_err()[0].code,
        "maxwell-bundles"
    );
    let sph = with_header();
    assert_eq!(Image::read_as(&sph, Container::Sph, &limits).unwrap().code(0), bundles(3));
    assert_eq!(Image::read_as(&sph, Container::Bundles, &limits).unwrap_err()[0].code, "maxwell-bundles");
    assert_eq!(read(&sph).confidence(), Confidence::Likely);
}

#[test]
fn mutated_files_are_answered() {
    let limits = Limits { file: 1 << 16, ..Limits::default() };
    for (name, bytes) in files().into_iter().filter(|(name, _)| ["dksh", "nvn-code", "sph"].contains(name)) {
        mutation::every(&bytes, |file| {
            let image = Image::read(file, &limits)?;
            let code = bundles(9);
            let edits = (0..image.programs.len())
                .map(|n| (n, Edit { code: &code, header: None, targets: None }))
                .collect();
            image.write(&edits, &limits)?;
            assert!(image.confidence() <= Confidence::Certain, "{name}");
            Ok(())
        });
    }
}

/// The files that tests of the command and fuzzing start from; `BLESS=1` writes them.
#[test]
fn files_of_the_repository_are_those_of_the_tests() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/identify/");
    let [control, code] = nvn();
    let files = [
        ("kernels.cubin", elf_file::sample()),
        ("kernels.fatbin", fatbin()),
        ("library.so", library()),
        ("shaders.dksh", dksh()),
        ("shader.nvn-control", control),
        ("shader.nvn-code", code),
        ("shader.sph", with_header()),
    ];
    for (name, bytes) in files {
        let path = format!("{folder}{name}");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{name} is not what BLESS=1 writes");
    }
}

/// The length and the contents decide about a header, and not its first 32-bit word alone.
#[test]
fn code_that_begins_like_a_header_is_code() {
    let sph = Sph::new(ShaderStage::Vertex).unwrap();
    // An instruction where a code section of the Switch has its header.
    let mut section = bundles(6);
    section[0x30..0x34].copy_from_slice(&sph.0[..4]);
    assert!(Sph::at(&section, 0x30).unwrap().sniff());
    assert_eq!((Raw::of(&section).header, Raw::of(&section).code), (None, 0..section.len()));
    // A header and code, also where the header is damaged, or zeros follow.
    let mut file = [&sph.0[..], &bundles(2)].concat();
    assert_eq!(Raw::of(&file).header, Some(0..80));
    file[0] = 0x1f;
    let raw = Raw::of(&file);
    assert_eq!((raw.header, raw.stage, raw.code), (Some(0..80), None, 80..file.len()));
    let padded = [&sph.0[..], &bundles(2), &[0; 16]].concat();
    assert_eq!((Raw::of(&padded).header, Raw::of(&padded).code), (Some(0..80), 80..144));
}

/// Known instructions are a program if one of them ends it.
#[test]
fn code_without_an_end_is_not_recognised() {
    const NOP: u64 = 0x50b0_0000_0007_0f00;
    let code = bundles(2);
    assert!(Raw::of(&code).sniff(&code).is_some());
    let words = code.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
    let endless: Vec<u8> =
        words.flat_map(|word| if word >> 52 == 0xe30 { NOP } else { word }.to_le_bytes()).collect();
    assert!(endless != code && Raw::of(&endless).sniff(&endless).is_none());
    assert!(Raw::of(&[]).sniff(&[]).is_none());
}
