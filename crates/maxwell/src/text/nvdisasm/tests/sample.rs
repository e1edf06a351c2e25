//! Builds a cubin with every kind of section and symbol.

use alloc::{vec, vec::Vec};

/// A section: name, kind, flags, link, info, alignment, bytes of an entry, data; memory without bytes has a size.
struct Part {
    name: &'static str,
    kind: u32,
    flags: u64,
    info: u32,
    align: u64,
    entry: u64,
    size: u64,
    data: Vec<u8>,
}

fn part(name: &'static str, kind: u32, flags: u64, info: u32, align: u64, data: Vec<u8>) -> Part {
    Part { name, kind, flags, info, align, entry: 0, size: data.len() as u64, data }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// The strings, each with its offset.
struct Strings(Vec<u8>);

impl Strings {
    fn add(&mut self, text: &str) -> u32 {
        let at = self.0.len() as u32;
        self.0.extend(text.bytes().chain([0]));
        at
    }
}

/// The numbers of the sections.
const CODE: u16 = 12;
const HELPER: u16 = 13;
const GLOBAL: u16 = 14;

/// Name, kind and binding, other properties, section, value, size.
const SYMBOLS: [(&str, u8, u8, u16, u64, u64); 13] = [
    ("", 0, 0, 0, 0, 0),
    (".text.main", 3, 0, CODE, 0, 0),
    (".nv.constant3", 3, 0, 10, 0, 0),
    (".nv.constant0.main", 3, 0, 11, 0, 0),
    ("twice", 1, 0, GLOBAL, 24, 3),
    ("twice", 1, 0, GLOBAL, 32, 32),
    (".nv.global.init", 3, 0, GLOBAL, 0, 0),
    ("shared", 13, 0x40, 16, 8, 20),
    ("main", 0x12, 0x10, CODE, 0, 256),
    ("helper", 0x22, 0, HELPER, 0, 32),
    ("table", 0x1d, 0x80, 10, 4, 8),
    ("pointers", 0x11, 0, GLOBAL, 0, 24),
    ("texture", 0x1a, 0, 0, 0, 4),
];

/// The attributes of `main`.
fn attributes() -> Vec<u8> {
    let value = |code: u8, data: &[u8]| {
        let mut all = vec![4, code];
        all.extend((data.len() as u16).to_le_bytes());
        all.extend(data);
        all
    };
    [
        value(0x37, &words(&[0x81])),
        vec![1, 0x2a, 0, 0],
        value(0x0a, &words(&[3, 0x0010_0140])),
        vec![3, 0x19, 0x10, 0],
        value(0x17, &words(&[0, 0x0008_0001, 0x0021_f000])),
        vec![2, 0x15, 0, 0, 2, 0x16, 4, 0],
        value(0x1c, &words(&[0x90, 0x98, 0xa8])),
        value(0x34, &words(&[0x50, 0, 1, 0x88])),
        value(0x55, &words(&[1, 0xf8, 2, 0])),
        value(0x77, &[1, 2, 3, 0]),
    ]
    .concat()
}

/// The file. `main` and `helper` are the codes of the functions.
pub(super) fn cubin(main: &[u8], helper: &[u8]) -> Vec<u8> {
    let mut strings = Strings(vec![0]);
    let prototype = strings.add("#ii");
    let mut symbols = Vec::new();
    for (name, info, other, section, value, size) in SYMBOLS {
        symbols.extend(strings.add(name).to_le_bytes());
        symbols.extend([info, other]);
        symbols.extend(section.to_le_bytes());
        symbols.extend([value, size].iter().flat_map(|n| n.to_le_bytes()));
    }
    let info = words(&[0x0008_2f04, 8, 15, 0x0008_1104, 9, 16]);
    let calls = words(&[0, u32::MAX, 8, 9, 0, u32::MAX - 1, 9, prototype, 0, u32::MAX - 3]);
    let rel = |entries: &[(u64, u32, u32)]| -> Vec<u8> {
        let entry = |(at, kind, symbol): &(u64, u32, u32)| {
            [at.to_le_bytes().to_vec(), words(&[*kind, *symbol])].concat()
        };
        entries.iter().flat_map(entry).collect()
    };
    let code_relocations = [(0x8, 43, 11), (0x10, 44, 11), (0x28, 42, 9)];
    let mut global = vec![0; 64];
    global[8] = 5;
    global[24] = 1;
    global[60] = 0xff;
    let mut parts = vec![
        part("", 0, 0, 0, 0, vec![]),
        part(".shstrtab", 3, 0, 0, 1, vec![]),
        part(".strtab", 3, 0, 0, 1, strings.0),
        Part { entry: 24, ..part(".symtab", 2, 0, 8, 8, symbols) },
        part(".debug_line", 1, 0, 0, 1, [vec![0; 3], vec![7; 18]].concat()),
        part(".nv.info", 0x7000_0000, 0, 0, 4, info),
        part(".nv.info.main", 0x7000_0000, 0x40, CODE.into(), 4, attributes()),
        Part { entry: 8, ..part(".nv.callgraph", 0x7000_0001, 0, 0, 4, calls) },
        Part { entry: 16, ..part(".rel.text.main", 9, 0x40, CODE.into(), 8, rel(&code_relocations)) },
        Part { entry: 16, ..part(".rel.global", 9, 0x40, GLOBAL.into(), 8, rel(&[(0, 2, 8), (16, 4, 5)])) },
        part(".nv.constant3", 0x7000_0067, 2, 0, 4, words(&[0, 1, 2, 0])),
        part(".nv.constant0.main", 1, 0x42, CODE.into(), 4, vec![0; 336]),
        part(".text.main", 1, 6 | 3 << 20, 15 << 24 | 8, 32, main.to_vec()),
        part(".text.helper", 1, 6, 9 << 24 | 9, 32, helper.to_vec()),
        part(".nv.global.init", 0x7000_0008, 3, 0, 8, global),
        Part { size: 64, ..part(".nv.shared.main", 8, 0x43, CODE.into(), 16, vec![]) },
        Part { size: 20, ..part(".nv_debug.shared", 0x7000_000a, 3, 0, 8, vec![]) },
    ];
    let mut names = Vec::new();
    let mut offsets = Vec::new();
    for part in &parts {
        offsets.push(names.len() as u32);
        names.extend(part.name.bytes().chain([0]));
    }
    parts[1].size = names.len() as u64;
    parts[1].data = names;
    let mut bytes = vec![0; 64];
    let mut table = Vec::new();
    for (part, name) in parts.iter().zip(offsets) {
        bytes.resize(bytes.len().next_multiple_of(part.align.max(1) as usize), 0);
        let at = if part.kind == 0 { 0 } else { bytes.len() as u64 };
        bytes.extend(&part.data);
        let link = match part.kind {
            2 => 2,
            0 | 3 => 0,
            _ => 3,
        };
        table.extend(words(&[name, part.kind]));
        [part.flags, 0, at, part.size].iter().for_each(|n| table.extend(n.to_le_bytes()));
        table.extend(words(&[link, part.info]));
        [part.align, part.entry].iter().for_each(|n| table.extend(n.to_le_bytes()));
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let sections = bytes.len() as u64;
    bytes.extend(table);
    bytes[..24].copy_from_slice(b"\x7fELF\x02\x01\x01\x33\x07\0\0\0\0\0\0\0\x01\0\xbe\0\x81\0\0\0");
    bytes[40..48].copy_from_slice(&sections.to_le_bytes());
    let sizes: [u16; 6] = [64, 56, 0, 64, parts.len() as u16, 1];
    let tail = words(&[0x0035_0535]).into_iter().chain(sizes.iter().flat_map(|s| s.to_le_bytes()));
    bytes[48..64].copy_from_slice(&tail.collect::<Vec<u8>>());
    bytes
}
