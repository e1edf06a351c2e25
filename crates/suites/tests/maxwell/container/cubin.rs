use super::elf_file::{Part, file, parts, sample};
use super::{bundles, mutation, told};
use shisa_diag::Limits;
use shisa_maxwell::container::{Cubin, Edit, Place, Relocation, Symbol, Value};
use shisa_maxwell::flow::Targets;
use std::collections::BTreeMap;

fn read(bytes: &[u8]) -> Cubin<'_> {
    Cubin::read(bytes, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"))
}

#[test]
fn functions_are_told_with_what_the_file_says_of_them() {
    let bytes = sample();
    let cubin = read(&bytes);
    assert_eq!((cubin.chip(), cubin.virtual_chip(), cubin.elf.version), (53, 53, 129));
    let told: Vec<_> =
        cubin.functions.iter().map(|f| (f.name, f.kernel, f.registers, f.barriers, f.code.len())).collect();
    assert_eq!(told, [("main", true, 15, 3, 64), ("help", false, 9, 0, 32)]);
    assert_eq!(&bytes[cubin.functions[1].offset..][..32], bundles(1));
    let banks: Vec<_> = cubin.banks().map(|b| (b.number, b.function, b.data.len())).collect();
    assert_eq!(banks, [(3, None, 12)]);
    let memories: Vec<_> = cubin.memories().map(|(n, s)| (n, s.name, s.size)).collect();
    assert_eq!(memories, [(9, ".nv.shared.main", 64)]);
}

#[test]
fn attributes_have_names() {
    let bytes = sample();
    let cubin = read(&bytes);
    let lines: Vec<_> = cubin.attributes().map(|(of, a)| (of, cubin.attribute_text(&a))).collect();
    let of_main = |line: &str| (Some("main"), String::from(line));
    let expected = [
        (None, "EIATTR_REGCOUNT main 15".into()),
        (None, "EIATTR_FRAME_SIZE main 16".into()),
        of_main("EIATTR_SW2393858_WAR"),
        of_main("EIATTR_CBANK_PARAM_SIZE 0x10"),
        of_main("EIATTR_KPARAM_INFO parameter 1 at 0x8, 0x8 bytes"),
        of_main("EIATTR_EXIT_INSTR_OFFSETS 0x38"),
        of_main("0x77 0x0"),
    ];
    assert_eq!(lines, expected);
    assert_eq!(cubin.attributes().nth(2).map(|(_, a)| a.value), Some(Value::None(0)));
}

/// Sections of memory may say anything about where they are.
#[test]
fn sections_of_memory_may_lie_anywhere() {
    let mut bytes = sample();
    let table = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) as usize;
    bytes[table + 9 * 64 + 24..][..8].fill(0xff);
    let file = read(&bytes).write(&BTreeMap::from([(0, &bundles(5)[..])])).unwrap();
    assert_eq!(read(&file).functions[0].code, bundles(5));
}

/// Memory that starts as zeros has no bytes in the file, whatever its size.
#[test]
fn sections_of_memory_need_no_bytes() {
    for kind in [8, 0x7000_0007, 0x7000_000a] {
        let mut parts = parts();
        parts[9].kind = kind;
        let bytes = file(parts);
        let cubin = read(&bytes);
        assert_eq!(cubin.memories().map(|(_, s)| (s.size, s.data.len())).collect::<Vec<_>>(), [(64, 0)]);
    }
}

/// The names of all codes are in order, so that they can be searched.
#[test]
fn attributes_stand_in_order() {
    let codes: Vec<u8> = shisa_maxwell::container::ATTRIBUTES.iter().map(|k| k.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b));
}

#[test]
fn relocations_are_applied_or_kept() {
    let bytes = sample();
    let cubin = read(&bytes);
    let names: Vec<_> = cubin.relocations.iter().map(|r| r.known().unwrap().name).collect();
    let expected = ["R_CUDA_CONST_FIELD19_20", "R_CUDA_ABS32_LO_20", "R_CUDA_32", "R_CUDA_SURF_HW_DESC"];
    assert_eq!(names, expected);
    let value = |_: u32, symbol: &Symbol<'_>| match symbol.name {
        "table" => Some(symbol.value),
        _ => Some(0x1_2345_6789),
    };
    let (data, faults) = cubin.relocated(7, &value, &Limits::default());
    assert_eq!(faults.iter().map(|d| d.code).collect::<Vec<_>>(), ["cubin-relocation"]);
    let word = |n: usize| u64::from_le_bytes(data[8 * n..8 * n + 8].try_into().unwrap());
    let plain = 0x0100_0000_0007_f001;
    assert_eq!(word(1), plain | 2 << 20 | 3 << 34, "8 bytes into bank 3");
    assert_eq!(word(2), plain | 0x2345_6789 << 20);
    assert_eq!(word(3), plain + 8, "the field holds what is added");
    assert_eq!(cubin.functions[0].code, bundles(2), "the file keeps what it has");
    let (data, faults) = cubin.relocated(7, &|_, _| None, &Limits::default());
    assert_eq!((data, faults.len()), (bundles(2), 4));
}

#[test]
fn fields_of_relocations() {
    let fill = |kind: u32, addend: Option<i64>, value: u64| {
        let r = Relocation { section: 0, offset: 8, kind, symbol: 0, addend, at: 0 };
        let mut data = vec![0xff; 24];
        let done = r.apply(&mut data, Place { value, bank: 4 }).map_err(|d| d.code);
        assert_eq!((&data[..8], &data[16..]), (&[0xff; 8][..], &[0xff; 8][..]), "kind {kind}");
        done.map(|()| u64::from_le_bytes(data[8..16].try_into().unwrap()))
    };
    let all = u64::MAX;
    assert_eq!(fill(2, Some(-1), 0x10), Ok(0xf));
    assert_eq!(fill(44, Some(0), 0xabcd_0123_4567_89ab), Ok(all & !(0xffff_ffff << 20) | 0xabcd_0123 << 20));
    assert_eq!(fill(54, Some(6), 0x100), Ok(all & !(0x1f_ffff << 20) | (4 << 16 | 0x106) << 20));
    assert_eq!(fill(51, Some(0), 0x7ffc), Ok(all), "words of four bytes");
    assert_eq!(fill(51, Some(0), 0x40), Ok(all & !(0x1fff << 36) | 0x10 << 36));
    // One word holds the indices of a texture and of a sampler.
    assert_eq!(fill(6, Some(0), 5), Ok(all & !0xf_ffff | 5));
    assert_eq!(fill(7, Some(0), 5), Ok(all & !(0xfff << 20) | 5 << 20));
    assert_eq!(fill(50, Some(0), 2), Err("cubin-relocation"), "words of four bytes");
    assert_eq!(fill(50, Some(0), 0x1_0000), Err("cubin-relocation"));
    assert_eq!(fill(0, None, 5), Ok(all));
    assert_eq!(fill(999, None, 5), Err("cubin-relocation"));
    let r = Relocation { section: 0, offset: u64::MAX, kind: 2, symbol: 0, addend: None, at: 0 };
    assert!(r.apply(&mut [0; 8], Place::default()).is_err());
}

#[test]
fn what_is_not_changed_keeps_its_bytes() {
    let bytes = sample();
    let cubin = read(&bytes);
    let code = cubin.functions[0].code;
    assert_eq!(cubin.write(&BTreeMap::from([(0, code)])).as_deref(), Ok(&bytes[..]));
    assert_eq!(cubin.write::<&[u8]>(&BTreeMap::new()).as_deref(), Ok(&bytes[..]));
    let other = bundles(9)[7 * 32..].to_vec();
    let same = cubin.write(&BTreeMap::from([(0, &other[..])])).unwrap();
    assert_eq!(read(&same).functions[0].code, other);
    let differ = bytes.iter().zip(&same).filter(|(a, b)| a != b).count();
    assert_eq!((same.len(), differ), (bytes.len(), 2));
}

#[test]
fn code_of_another_length_moves_what_follows() {
    let bytes = sample();
    let old = read(&bytes);
    for lengths in [[5, 1], [1, 1], [0, 3], [2, 7]] {
        let code = lengths.map(bundles);
        let edits = BTreeMap::from([(0, &code[0][..]), (1, &code[1][..])]);
        let file = old.write(&edits).unwrap();
        let new = read(&file);
        for (n, code) in code.iter().enumerate() {
            assert_eq!(new.functions[n].code, code);
            assert_eq!(new.symbols[n + 1].size, code.len() as u64);
            assert!(new.functions[n].offset.is_multiple_of(32));
        }
        let rest = |c: &Cubin<'_>| -> Vec<(String, Vec<u8>)> {
            // Relocations of what is gone do nothing.
            let gone = if lengths[0] < 2 { ".rel.text.main" } else { "" };
            let other = [".symtab", ".nv.info.main", gone];
            let kept = c.elf.sections.iter();
            let kept = kept.filter(|s| !s.name.starts_with(".text") && !other.contains(&s.name));
            kept.map(|s| (s.name.into(), s.data.to_vec())).collect()
        };
        assert_eq!(rest(&new), rest(&old));
        assert_eq!(new.relocations.len(), old.relocations.len());
        let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
        let segments = word(32) as usize;
        assert_eq!(word(segments + 8), segments as u64, "the first segment is this table");
        let last = &new.functions[1];
        let start = new.functions[0].offset as u64;
        let end = (last.offset + last.code.len()) as u64;
        let span = [64, 88, 96].map(|field| word(segments + field));
        assert_eq!(span, [start, end - start, end - start + 8]);
        let back = BTreeMap::from([(0, old.functions[0].code), (1, old.functions[1].code)]);
        match new.write(&back) {
            Ok(file) => assert!(file == bytes || lengths[0] < 2, "{lengths:?}"),
            Err(d) => assert_eq!((lengths[0], d.code), (0, "cubin-layout")),
        }
    }
}

/// Lists of offsets of EXIT and of reads of the block's number are those of the new code.
#[test]
fn places_of_instructions_are_found_again() {
    const S2R: u64 = 0xf0c8_0000_0007_0000;
    let mut parts = parts();
    parts[4].data.extend([4, 0x1d, 4, 0, 9, 0, 0, 0, 4, 0x28, 4, 0, 9, 0, 0, 0]);
    let bytes = file(parts);
    let texts = |file: &[u8]| -> Vec<String> {
        let cubin = read(file);
        let own = cubin.attributes().filter(|(of, a)| of.is_some() && a.known().is_some());
        own.skip(3).map(|(_, a)| cubin.attribute_text(&a)).collect()
    };
    let write = |code: &[u8]| read(&bytes).write(&BTreeMap::from([(0, code)])).unwrap();
    let code = [bundles(1), bundles(2), bundles(1)].concat();
    let mut reads = code.clone();
    // The first is a control word, the second reads another register.
    for (at, register) in [(0, 0x25u64), (8, 0x21), (16, 0x27), (40, 0x25)] {
        reads[at..at + 8].copy_from_slice(&(S2R | register << 20).to_le_bytes());
    }
    // What is not the offset of an instruction stays.
    let kept = "EIATTR_COOP_GROUP_INSTR_OFFSETS 0x9";
    let exits = "EIATTR_EXIT_INSTR_OFFSETS 0x18 0x58 0x78";
    assert_eq!(texts(&write(&reads)), [exits, "EIATTR_S2RCTAID_INSTR_OFFSETS 0x10 0x28", kept]);
    assert_eq!(texts(&write(&code)), [exits, kept]);
}

/// Addresses of instructions that relocations fill in follow the code: the entry states the distance from a symbol, or the
/// bytes that are filled in hold it.
#[test]
fn addresses_in_data_follow() {
    let entry = |at: u64, addend: &[u8]| {
        [&at.to_le_bytes()[..], &2u32.to_le_bytes(), &1u32.to_le_bytes(), addend].concat()
    };
    let mut parts = parts();
    parts[5].info = 6;
    parts[5].data = [entry(0, &[]), entry(8, &[])].concat();
    parts[6].data = [0x30u64, 0, 0].iter().flat_map(|held| held.to_le_bytes()).collect();
    let stated = Part {
        name: ".rela.nv.constant3",
        kind: 4,
        flags: 0,
        link: 2,
        info: 6,
        align: 8,
        data: entry(16, &0x38u64.to_le_bytes()),
    };
    parts.push(stated);
    let bytes = file(parts);
    // A bundle comes first.
    const NOP: u64 = 0x50b0_0000_0007_0f00;
    let first = [0x001f_8000_fc00_07e0, NOP, NOP, NOP].map(u64::to_le_bytes).concat();
    let code = [first, bundles(2)].concat();
    let written = read(&bytes).write(&BTreeMap::from([(0, &code[..])])).unwrap();
    let new = read(&written);
    let held = |n: usize| u64::from_le_bytes(new.elf.sections[6].data[8 * n..][..8].try_into().unwrap());
    assert_eq!([held(0), held(1), held(2)], [0x50, 0, 0]);
    let addends: Vec<_> = new.relocations.iter().map(|r| r.addend).collect();
    assert_eq!(addends, [None, None, Some(0x58)]);
}

/// Instructions that leave for marks are found again, with their targets; others that leave follow.
#[test]
fn what_leaves_for_marks_is_listed() {
    let code = |words: &[u64]| -> Vec<u8> {
        let bundle = |c: &[u64]| [0x001f_8000_fc00_07e0, c[0], c[1], c[2]].map(u64::to_le_bytes).concat();
        words.chunks(3).flat_map(bundle).collect()
    };
    let mov = |n: u64| 0x5c98_0780_0007_0000 | n;
    let ssy = |at: u64, to: u64| 0xe290_0000_0000_0000 | ((to - at - 8) & 0xff_ffff) << 20;
    let (sync, guarded, exit, brx) =
        (0xf0f8_0000_0007_000f, 0xf0f8_0000_0000_000f, 0xe300_0000_0007_000f, 0xe250_0000_0007_000f);
    let list = |file: &[u8]| -> Vec<Vec<u32>> {
        let cubin = read(file);
        cubin.attributes().filter(|(_, a)| a.code == 0x34).map(|(_, a)| a.words()).collect()
    };
    let with = |words: &[u32]| {
        let mut parts = parts();
        let text = parts.iter().position(|p| p.name == ".text.main").unwrap();
        parts[text].data = code(&[ssy(8, 0x20), mov(1), sync, exit, brx, mov(2)]);
        parts[4].data.extend([4, 0x34, 4 * words.len() as u8, 0]);
        parts[4].data.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        file(parts)
    };
    let longer = code(&[ssy(8, 0x40), mov(1), guarded, mov(3), mov(4), sync, exit, brx, mov(2)]);
    let written =
        |words: &[u32]| list(&read(&with(words)).write(&BTreeMap::from([(0, &longer[..])])).unwrap());
    assert_eq!(
        written(&[0x18, 0, 1, 0x20, 0x30, 0, 2, 8, 0x38]),
        [[0x18, 0, 1, 0x40, 0x38, 0, 1, 0x40, 0x50, 0, 2, 8, 0x58]]
    );
    // Where the list was another one, it only follows.
    assert_eq!(written(&[0x30, 0, 1, 8]), [[0x50, 0, 1, 8]]);
}

/// Tables of constants by which `BRX` branches follow the code; what does not is reported.
#[test]
fn tables_of_branches_follow() {
    let code = |words: &[u64]| -> Vec<u8> {
        let bundle = |c: &[u64]| [0x001f_8000_fc00_07e0, c[0], c[1], c[2]].map(u64::to_le_bytes).concat();
        words.chunks(3).flat_map(bundle).collect()
    };
    let mov = |n: u64| 0x5c98_0780_0007_0000 | n;
    let ldc = |from: u64| 0xef94_0020_0007_0909 | from << 20;
    // By R9, counted from the start.
    let brx = |at: u64| 0xe250_0000_0007_090f | (0xff_fff8 - at) << 20;
    let (nop, exit) = (0x50b0_0000_0007_0f00, 0xe300_0000_0007_000f);
    let old = code(&[ldc(4), brx(0x10), mov(1), ldc(12), brx(0x30), exit]);
    let with = |listed: &[u32]| {
        let mut parts = parts();
        let text = parts.iter().position(|p| p.name == ".text.main").unwrap();
        parts[text].data = old.clone();
        parts[4].data.extend([4, 0x34, 4 * listed.len() as u8, 0]);
        parts[4].data.extend(listed.iter().flat_map(|w| w.to_le_bytes()));
        let table = [7u32, 0x18, 0x38, 0x28, 0x38, 0x18, 0x4f00_0000];
        parts[6].name = ".nv.constant2.main";
        parts[6].data = table.iter().flat_map(|w| w.to_le_bytes()).collect();
        file(parts)
    };
    let written = |file: &[u8], code: &[u8]| -> (Vec<u32>, Vec<String>) {
        let (old, edits) = (read(file), BTreeMap::from([(0, code)]));
        let bytes = old.write(&edits).unwrap();
        let words = read(&bytes).banks().next().unwrap().data.as_chunks().0.to_vec();
        let lost = old.lost(&edits).into_iter().map(|d| d.message);
        (words.into_iter().map(u32::from_le_bytes).collect(), lost.collect())
    };
    let lists = [0x10, 0, 2, 0x18, 0x38, 0x30, 0, 1, 0x28];
    let longer = code(&[nop, nop, nop, ldc(4), brx(0x30), mov(1), ldc(12), brx(0x50), exit]);
    // The second table ends before the first word that is not one of its targets or, without a list, before the first
    // word that is not an offset in the code.
    let one = [7, 0x38, 0x58, 0x48, 0x38, 0x18, 0x4f00_0000];
    let all = [7, 0x38, 0x58, 0x48, 0x58, 0x38, 0x4f00_0000];
    assert_eq!(written(&with(&lists), &longer), (one.to_vec(), vec![]));
    assert_eq!(written(&with(&[]), &longer), (all.to_vec(), vec![]));
    // Branches that keep their distance count from further on.
    let kept = code(&[nop, nop, nop, ldc(4), brx(0x10), mov(1), ldc(12), brx(0x30), exit]);
    assert_eq!(written(&with(&lists), &kept).0, [7, 0x18, 0x38, 0x28, 0x38, 0x18, 0x4f00_0000]);
    // Labels state better than instructions where a target is: what is new there runs as well.
    let labelled = |targets: &[(u32, &[u32])]| {
        let targets: Targets = targets.iter().map(|(at, to)| (*at, to.to_vec())).collect();
        let edit = Edit { code: &longer, header: None, targets: Some(&targets) };
        let (bytes, edits) = (with(&lists), BTreeMap::from([(0, edit)]));
        let (old, new) = (read(&bytes), read(&bytes).write(&edits).unwrap());
        let new = read(&new);
        let words = new.banks().next().unwrap().data.as_chunks().0.iter().map(|w| u32::from_le_bytes(*w));
        let list = new.attributes().find(|(_, a)| a.code == 0x34).unwrap().1.words();
        (words.skip(1).take(2).collect::<Vec<_>>(), list[2..5].to_vec(), old.lost(&edits).len())
    };
    assert_eq!(labelled(&[(0x30, &[0x10, 0x58])]), (vec![0x10, 0x58], vec![2, 0x10, 0x58], 0));
    assert_eq!(labelled(&[(0x30, &[0x10])]), (vec![0x10, 0x58], vec![1, 0x10, 0x50], 1));
    assert_eq!(labelled(&[(0x50, &[0x48])]), (vec![0x38, 0x58], vec![2, 0x38, 0x58], 0));
    // Where nothing moves, all stays.
    let other = code(&[ldc(4), brx(0x10), mov(2), ldc(12), brx(0x30), exit]);
    assert_eq!(written(&with(&lists), &other), (vec![7, 0x18, 0x38, 0x28, 0x38, 0x18, 0x4f00_0000], vec![]));
    // What a table leads to is gone; and so is a branch.
    let gone = code(&[nop, nop, nop, ldc(4), brx(0x30), ldc(12), brx(0x48), exit, nop]);
    assert_eq!(
        written(&with(&lists), &gone),
        (
            vec![7, 0x38, 0x50, 0x38, 0x38, 0x18, 0x4f00_0000],
            vec![
                "the branch at 0x10 of main goes to 0x18, which was removed; it now goes to the next instruction"
                    .into()
            ]
        )
    );
    let by_another = brx(0x30) + 0x100;
    let lost =
        written(&with(&lists), &code(&[nop, nop, nop, ldc(4), by_another, mov(1), ldc(12), brx(0x50), exit]))
            .1;
    assert_eq!(
        lost,
        ["the branch at 0x10 of main was removed, and another one was added; its table is unchanged"]
    );
    // Without the constants no table is known.
    let mut parts = parts();
    let text = parts.iter().position(|p| p.name == ".text.main").unwrap();
    parts[text].data = old.clone();
    assert_eq!(written(&file(parts), &longer).1.len(), 2);
}

/// Lists of instructions that code does not determine follow them, and so do relocations.
#[test]
fn places_follow_their_instructions() {
    let mut parts = parts();
    let code = |numbers: &[u64]| -> Vec<u8> {
        let bundle = |c: &[u64]| [0, c[0], c[1], c[2]].map(u64::to_le_bytes).concat();
        numbers.chunks(3).flat_map(bundle).collect()
    };
    let text = parts.iter().position(|p| p.name == ".text.main").unwrap();
    let mov = |n: u64| 0x5c98_0780_0007_0000 | n;
    let branch = |at: u64| 0xe240_0000_0007_000f | at << 20;
    parts[text].data = code(&[mov(1), mov(2), branch(0x20), mov(4), mov(5), mov(6)]);
    let lists = [
        (0x29, &[3, 4, 5][..]),
        (0x28, &[0x10, 0x28, 0x38]),
        (0x34, &[0x18, 0, 2, 0x28, 0x10, 0x28, 0, 1, 0x18, 0x10, 0, 1, 0x20]),
        (0x44, &[0x28, 0xf0, 0x18, 7]),
        (0x3a, &[1, 0x10, 2, 0x18]),
        (0x39, &[0x38, 1, 2, 3]),
        (0x40, &[0x18, 0x28]),
        (0x2e, &[0x18, 4, 5]),
    ];
    for (attribute, words) in lists {
        parts[4].data.extend([4, attribute, 4 * words.len() as u8, 0]);
        parts[4].data.extend(words.iter().flat_map(|w: &u32| w.to_le_bytes()));
    }
    let bytes = file(parts);
    let places = |file: &[u8]| -> (Vec<Vec<u32>>, Vec<(u64, u32)>) {
        let cubin = read(file);
        let own = cubin.attributes().filter(|(_, a)| lists.iter().any(|(code, _)| *code == a.code));
        let relocations = cubin.relocations.iter().filter(|r| r.section == cubin.functions[0].section);
        (own.map(|(_, a)| a.words()).collect(), relocations.map(|r| (r.offset, r.kind)).collect())
    };
    let relocations = [(8, 50), (16, 43), (24, 1), (0, 8)];
    assert_eq!(places(&bytes), (lists.map(|(_, words)| words.to_vec()).to_vec(), relocations.to_vec()));
    // Two come in front of the branch, and the instruction after it goes.
    let longer = code(&[mov(1), mov(2), mov(9), mov(8), branch(0x30), mov(5), mov(6), mov(6), mov(6)]);
    let written = read(&bytes).write(&BTreeMap::from([(0, &longer[..])])).unwrap();
    let new = [
        &[3, 5][..],
        &[0x10, 0x58],
        &[0x10, 0, 0, 0x30, 0, 1, 0x10],
        &[0x30, 7],
        &[1, 0x10, 2, 0x30],
        &[0x58, 1, 2, 3],
        // Of this attribute the form is not known, and this list is not of the form that it should have.
        &[0x18, 0x28],
        &[0x18, 4, 5],
    ];
    assert_eq!(
        places(&written),
        (new.map(<[u32]>::to_vec).to_vec(), [(8, 50), (16, 43), (0x30, 1), (0, 8)].to_vec())
    );
    // So do functions inside of the function; what is gone begins with what is left.
    let mut parts = self::parts();
    parts[text].data = code(&[mov(1), mov(2), branch(0x20), mov(4), mov(5), mov(6)]);
    let symbols: [(u64, u64); 4] = [(0x18, 0x28), (0x10, 0x18), (0x28, 0), (0x28, 8)];
    for (start, size) in symbols {
        let head = [6, 0, 0, 0, 0x22, 0, text as u8, 0];
        parts[2].data.extend([&head[..], &start.to_le_bytes(), &size.to_le_bytes()].concat());
    }
    let inside = |file: &[u8]| -> Vec<(u64, u64)> {
        read(file).symbols.iter().filter(|s| s.info == 0x22).map(|s| (s.value, s.size)).collect()
    };
    let inner = file(parts);
    assert_eq!(inside(&inner), symbols);
    let written = read(&inner).write(&BTreeMap::from([(0, &longer[..])])).unwrap();
    assert_eq!(inside(&written), [(0x30, 0x30), (0x10, 0x28), (0x38, 0), (0x38, 0)]);
    // A relocation of an instruction that is gone does nothing.
    let relocated = |numbers: &[u64]| {
        let new = code(numbers);
        places(&read(&bytes).write(&BTreeMap::from([(0, &new[..])])).unwrap()).1
    };
    assert_eq!(relocated(&[mov(1), mov(2), mov(9)]), [(8, 50), (16, 43), (24, 0), (0, 8)]);
    // One that is replaced keeps it.
    assert_eq!(relocated(&[mov(7), mov(8), mov(9), mov(4), mov(5), mov(6)]), relocations);
}

#[test]
fn what_a_file_says_twice_is_the_same() {
    let check = |change: &dyn Fn(&mut [Part])| {
        let mut parts = parts();
        change(&mut parts);
        told(&read(&file(parts)).check(&Limits::default()))
    };
    assert_eq!(check(&|_| ()), [""; 0]);
    let at = |what: &[u8]| sample().windows(what.len()).position(|w| w == what).unwrap();
    let (info, exits) = (at(&[4, 0x2f]), at(&[4, 0x1c]));
    let place = |code: &str, at: usize, len: usize| format!("{code} {at}..{}", at + len);
    assert_eq!(check(&|p| p[3].data[8] += 1), [place("cubin-registers", info, 12)]);
    assert_eq!(check(&|p| p[7].data[24] ^= 0x80), [""; 0], "what leads to EXIT is another matter");
    assert_eq!(check(&|p| p[7].data[56 + 7] = 0xe2), [place("cubin-places", exits, 8)]);
    let relocation = at(&[8, 0, 0, 0, 0, 0, 0, 0, 50]);
    assert_eq!(check(&|p| p[5].data[1] = 1), [place("cubin-relocation", relocation, 16)]);
    assert_eq!(check(&|p| p[5].data[16 + 12] = 9), [place("cubin-relocation", relocation + 16, 16)]);
}

#[test]
fn parts_that_share_bytes_do_not_move() {
    let mut bytes = sample();
    // The table of segments begins in a function.
    let section = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) as usize + 64 * 7;
    bytes.copy_within(section + 24..section + 32, 32);
    let cubin = read(&bytes);
    let fault = cubin.write(&BTreeMap::from([(0, &[0; 32][..])])).unwrap_err();
    assert_eq!(fault.code, "cubin-layout");
}

#[test]
fn faults_are_all_told_with_their_bytes() {
    let fault = |bytes: &[u8]| told(&Cubin::read(bytes, &Limits::default()).unwrap_err());
    let bytes = sample();
    assert_eq!(fault(b""), ["cubin-cut 0..0"]);
    assert_eq!(fault(&[0; 64]), ["cubin-magic 0..20"]);
    assert_eq!(fault(&bytes[..40]), ["cubin-cut 0..40"]);
    let mut bad = parts();
    bad[8] = Part { data: vec![0; 33], ..bad.remove(8) };
    bad[3].data[0] = 9;
    let bytes = file(bad);
    let find = |what: &[u8]| bytes.windows(what.len()).position(|w| w == what).unwrap();
    let info = find(&[9, 0x2f]);
    let found = fault(&bytes);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], format!("cubin-info {info}..{}", info + 24));
    assert!(found[1].starts_with("cubin-bundles"));
}

#[test]
fn limits_hold() {
    let bytes = sample();
    for (name, value) in [("programs", 2), ("labels", 5)] {
        let with = |value: u64| {
            let mut limits = Limits::default();
            assert!(limits.set(name, value));
            Cubin::read(&bytes, &limits).map(|_| ()).map_err(|d| d[0].code)
        };
        assert_eq!([with(value + 1), with(value)], [Ok(()); 2], "{name}");
        assert_eq!(with(value - 1), Err("limit-exceeded"), "{name}");
    }
}

/// Thousands of sections that all name one long string cost no more than a file may hold.
#[test]
fn names_are_bounded() {
    let mut parts = parts();
    let long: &'static str = std::boxed::Box::leak("n".repeat(3000).into_boxed_str());
    parts.push(Part { name: long, kind: 1, flags: 0, link: 0, info: 0, align: 1, data: vec![] });
    let mut bytes = file(parts);
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let table = word(40);
    let entry = bytes[table + 640..table + 704].to_vec();
    for n in 0..9 {
        bytes[table + 64 * n..][..4].copy_from_slice(&entry[..4]);
    }
    let limits = Limits { file: 20_000, ..Limits::default() };
    assert!(bytes.len() < 20_000);
    assert_eq!(Cubin::read(&bytes, &limits).unwrap_err()[0].code, "limit-exceeded");
}

#[test]
fn mutated_files_are_answered() {
    let limits = Limits::default();
    mutation::every(&sample(), |file| {
        let cubin = Cubin::read(file, &limits)?;
        cubin.attributes().for_each(|(_, a)| assert!(!cubin.attribute_text(&a).is_empty()));
        for section in 0..cubin.elf.sections.len() {
            cubin.relocated(section, &|_, s| Some(s.value), &limits);
        }
        assert_eq!(cubin.write::<&[u8]>(&BTreeMap::new()).as_deref(), Ok(file));
        let edits: BTreeMap<usize, &[u8]> = (0..cubin.functions.len()).map(|n| (n, &[7; 32][..])).collect();
        if let Ok(file) = cubin.write(&edits) {
            Cubin::read(&file, &limits)?;
        }
        Ok(())
    });
}

/// Sections that share bytes are refused in linear time; otherwise the code would count as often as there are sections.
#[test]
fn sections_do_not_share_bytes() {
    let mut file = sample();
    let table = u64::from_le_bytes(file[40..48].try_into().unwrap()) as usize;
    let entry = |file: &[u8], n: usize| file[table + 64 * n..][..64].to_vec();
    let texts: Vec<usize> =
        (0..usize::from(file[60])).filter(|n| entry(&file, *n)[8] == 6 && entry(&file, *n)[4] == 1).collect();
    // The second function begins inside of the first one.
    let first = entry(&file, texts[0]);
    let start = u64::from_le_bytes(first[24..32].try_into().unwrap()) + 32;
    file[table + 64 * texts[1] + 24..][..8].copy_from_slice(&start.to_le_bytes());
    let found = Cubin::read(&file, &Limits::default()).unwrap_err();
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["cubin-overlap"]);
    // 20,000 sections of the same bytes.
    let many = 20_000u64;
    let mut file = sample();
    let copy = entry(&file, texts[0]);
    let names = u16::from_le_bytes(file[62..64].try_into().unwrap());
    let mut sections = file[table..table + 64 * usize::from(file[60])].to_vec();
    (0..many).for_each(|_| sections.extend(&copy));
    let at = file.len() as u64;
    file.extend(&sections);
    file[40..48].copy_from_slice(&at.to_le_bytes());
    file[60..62].copy_from_slice(&((sections.len() / 64) as u16).to_le_bytes());
    file[62..64].copy_from_slice(&names.to_le_bytes());
    let limits = Limits { diagnostics: 10, ..Limits::default() };
    let found = Cubin::read(&file, &limits).unwrap_err();
    assert!(found.len() <= 11 && found[0].code == "cubin-overlap", "{found:?}");
}
