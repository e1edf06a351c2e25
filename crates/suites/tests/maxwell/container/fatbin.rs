use super::{elf_file, mutation, told};
use shisa_diag::Limits;
use shisa_maxwell::container::{Fatbin, Packing};

/// An entry: kind, chip, how it is stored, payload.
pub(crate) type Content<'a> = (u16, u32, Packing, &'a [u8]);

pub(crate) fn file(entries: &[Content<'_>]) -> Vec<u8> {
    let mut out = vec![];
    for (kind, chip, packing, payload) in entries {
        let packed = match packing {
            Packing::Plain => payload.to_vec(),
            Packing::Lz4 => lz4_flex::block::compress(payload),
            Packing::Zstd => {
                ruzstd::encoding::compress_to_vec(*payload, ruzstd::encoding::CompressionLevel::Fastest)
            }
        };
        let (flags, sizes) = match packing {
            Packing::Plain => (0x11u64, [0, 0]),
            Packing::Lz4 => (0x2011, [packed.len() as u64, payload.len() as u64]),
            Packing::Zstd => (0x8011, [packed.len() as u64, payload.len() as u64]),
        };
        let start = out.len();
        out.resize(start + 72, 0);
        let padded = packed.len().next_multiple_of(8) as u64;
        let mut put = |at: usize, bytes: &[u8]| out[start + at..][..bytes.len()].copy_from_slice(bytes);
        put(0, &kind.to_le_bytes());
        put(2, &[1, 1, 72]);
        put(8, &padded.to_le_bytes());
        put(16, &(sizes[0] as u32).to_le_bytes());
        put(24, &[7, 0, 1, 0]);
        put(28, &chip.to_le_bytes());
        put(40, &flags.to_le_bytes());
        put(56, &sizes[1].to_le_bytes());
        out.extend(&packed);
        out.resize(out.len().next_multiple_of(8), 0);
    }
    let mut file = b"\x50\xed\x55\xba\x01\0\x10\0".to_vec();
    file.extend((out.len() as u64).to_le_bytes());
    file.extend(out);
    file
}

/// A cubin in each packing for one chip each, one for a chip of another family, and PTX.
pub(crate) fn sample() -> Vec<u8> {
    let mut cubins = [50, 52, 53, 80].map(|chip| {
        let mut cubin = elf_file::sample();
        cubin[48] = chip;
        cubin
    });
    cubins[3].truncate(100);
    let [a, b, c, d] = &cubins;
    file(&[
        (2, 50, Packing::Plain, a),
        (2, 52, Packing::Lz4, b),
        (2, 53, Packing::Zstd, c),
        (2, 80, Packing::Plain, d),
        (1, 53, Packing::Lz4, b".version 8.8"),
    ])
}

/// A library of the host: an ELF file of another machine with two fatbins, and what looks like one.
pub(crate) fn library() -> Vec<u8> {
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0".to_vec();
    file.resize(104, 0);
    file.extend(b"\x50\xed\x55\xba\x01\0\x10\0\xff\xff\xff\xff\0\0\0\0");
    for _ in 0..2 {
        file.extend(sample());
        file.extend(b"between.");
    }
    file
}

#[test]
fn entries_are_told_and_unpacked() {
    let (bytes, limits) = (sample(), Limits::default());
    let fatbins = Fatbin::read(&bytes, &limits).unwrap();
    let told: Vec<_> = fatbins[0].entries.iter().map(|e| (e.kind, e.chip, e.packing().name())).collect();
    let expected = [
        (2, 50, "uncompressed"),
        (2, 52, "LZ4"),
        (2, 53, "Zstandard"),
        (2, 80, "uncompressed"),
        (1, 53, "LZ4"),
    ];
    assert_eq!(told, expected);
    assert_eq!(fatbins[0].entries[0].version, [1, 7]);
    for entry in &fatbins[0].entries[..3] {
        let cubin = entry.unpack(&bytes, &limits).unwrap();
        assert_eq!((cubin[48], &cubin[49..]), (entry.chip as u8, &elf_file::sample()[49..]));
    }
    assert_eq!(&*fatbins[0].entries[4].unpack(&bytes, &limits).unwrap(), b".version 8.8");
    let two = [bytes.clone(), bytes.clone(), vec![0; 40]].concat();
    let ranges: Vec<_> = Fatbin::read(&two, &limits).unwrap().into_iter().map(|f| f.range).collect();
    assert_eq!(ranges, [0..bytes.len(), bytes.len()..2 * bytes.len()]);
}

#[test]
fn libraries_are_searched() {
    let (library, limits) = (library(), Limits::default());
    let found = Fatbin::find(&library, &limits).unwrap();
    assert_eq!(found.iter().map(|f| f.range.start).collect::<Vec<_>>(), [120, 128 + sample().len()]);
    assert_eq!(found[1].entries.len(), 5);
    let few = Limits { programs: 9, ..limits };
    assert_eq!(Fatbin::find(&library, &few).unwrap_err()[0].code, "limit-exceeded");
}

#[test]
fn damaged_payloads_are_refused() {
    let (mut bytes, limits) = (sample(), Limits::default());
    let entries = Fatbin::read(&bytes, &limits).unwrap().remove(0).entries;
    for entry in &entries[1..3] {
        for by in [1, -1] {
            let size = entry.header.start + 56;
            bytes[size] = bytes[size].wrapping_add_signed(by);
            let entry = Fatbin::read(&bytes, &limits)
                .unwrap()
                .remove(0)
                .entries
                .remove(usize::from(entry.packing() == Packing::Zstd) + 1);
            let fault = entry.unpack(&bytes, &limits).unwrap_err();
            assert_eq!((fault.code, fault.offset()), ("fatbin-compressed", Some(entry.payload.start)));
            bytes[size] = bytes[size].wrapping_add_signed(-by);
        }
        bytes[entry.header.start + 56 + 5] = 1;
        let huge = &Fatbin::read(&bytes, &limits).unwrap()[0].entries;
        let huge = huge.iter().find(|e| e.size > 1 << 40).unwrap();
        assert_eq!(huge.unpack(&bytes, &limits).unwrap_err().code, "limit-exceeded");
        bytes[entry.header.start + 56 + 5] = 0;
    }
}

#[test]
fn faults_have_places() {
    let fault = |bytes: &[u8]| told(&Fatbin::read(bytes, &Limits::default()).unwrap_err());
    let bytes = sample();
    assert_eq!(fault(b""), ["fatbin-cut 0..0"]);
    assert_eq!(fault(&bytes[..12]), ["fatbin-cut 0..12"]);
    assert_eq!(fault(&bytes[..90]), ["fatbin-range 6..16"]);
    let with = |at: usize, value: u8| {
        let mut bad = bytes.clone();
        bad[at] = value;
        fault(&bad)
    };
    assert_eq!(with(4, 2), ["fatbin-magic 0..8"]);
    assert_eq!(with(20, 63), ["fatbin-range 20..24"], "an entry's header is not that small");
    assert_eq!(with(27, 0xff), ["fatbin-range 24..32"]);
}

#[test]
fn mutated_files_are_answered() {
    let limits = Limits { file: 1 << 20, ..Limits::default() };
    let small = file(&[(2, 50, Packing::Lz4, &[7; 60]), (2, 52, Packing::Zstd, &[8; 60])]);
    mutation::every(&small, |bytes| {
        for fatbin in Fatbin::read(bytes, &limits)? {
            for entry in &fatbin.entries {
                entry.unpack(bytes, &limits).map_err(|d| vec![d])?;
            }
        }
        Ok(())
    });
}
