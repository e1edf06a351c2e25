//! Builds cubins.

/// A section to be built.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) kind: u32,
    pub(crate) flags: u64,
    pub(crate) link: u32,
    pub(crate) info: u32,
    pub(crate) align: usize,
    pub(crate) data: Vec<u8>,
}

fn part(name: &'static str, kind: u32, data: Vec<u8>) -> Part {
    Part { name, kind, flags: 0, link: 0, info: 0, align: 4, data }
}

fn numbers(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Name (from the start of the names), what it is, section, value, size.
fn symbol(name: u32, info: u8, other: u8, section: u16, value: u64, size: u64) -> Vec<u8> {
    let mut entry = name.to_le_bytes().to_vec();
    entry.extend([info, other]);
    entry.extend(section.to_le_bytes());
    entry.extend(value.to_le_bytes());
    entry.extend(size.to_le_bytes());
    entry
}

/// A kernel `main` of two bundles that uses constants by name, and a function `help` of one.
pub(crate) fn parts() -> Vec<Part> {
    let names = b"\0main\0help\0table\0".to_vec();
    let symbols = [
        symbol(0, 0, 0, 0, 0, 0),
        symbol(1, 0x12, 0x10, 7, 0, 64),
        symbol(6, 0x12, 0, 8, 0, 32),
        symbol(11, 1, 0, 6, 8, 4),
        symbol(0, 1, 0, 9, 4, 4),
    ];
    let info = numbers(&[0x0008_2f04, 1, 15, 0x0008_1104, 1, 0x10]);
    let own =
        numbers(&[0x3001, 0x0010_1903, 0x000c_1704, 0, 0x0008_0001, 0x0021_f000, 0x0004_1c04, 0x38, 0x7702]);
    let relocations = [(8u64, 50u32, 3u32), (16, 43, 4), (24, 1, 3), (0, 8, 3)];
    let relocations = relocations.iter().flat_map(|(at, kind, symbol)| {
        let [kind, symbol] = [kind.to_le_bytes(), symbol.to_le_bytes()];
        [at.to_le_bytes().as_slice(), &kind, &symbol].concat()
    });
    vec![
        part("", 0, vec![]),
        part(".strtab", 3, names),
        Part { link: 1, align: 8, ..part(".symtab", 2, symbols.concat()) },
        Part { link: 2, ..part(".nv.info", 0x7000_0000, info) },
        Part { link: 2, info: 7, ..part(".nv.info.main", 0x7000_0000, own) },
        Part { link: 2, info: 7, align: 8, ..part(".rel.text.main", 9, relocations.collect()) },
        Part { flags: 2, ..part(".nv.constant3", 1, numbers(&[1, 2, 3])) },
        Part { flags: 6 | 3 << 20, info: 15 << 24, align: 32, ..part(".text.main", 1, super::bundles(2)) },
        Part { flags: 6, info: 9 << 24, align: 32, ..part(".text.help", 1, super::bundles(1)) },
        Part { flags: 3, ..part(".nv.shared.main", 8, vec![0; 64]) },
    ]
}

/// The file: header, sections, their table, and a table of two segments, of which one spans the code.
pub(crate) fn file(mut parts: Vec<Part>) -> Vec<u8> {
    let mut names = vec![];
    let mut offsets = vec![];
    parts.push(part(".shstrtab", 3, vec![]));
    for part in &parts {
        offsets.push(names.len() as u32);
        names.extend(part.name.bytes().chain([0]));
    }
    let last = parts.len() - 1;
    parts[last].data = names;
    let mut bytes = vec![0; 64];
    let mut table = vec![];
    let mut code = (0, 0);
    for (part, name) in parts.iter().zip(offsets) {
        bytes.resize(bytes.len().next_multiple_of(part.align), 0);
        let at = if part.kind == 0 { 0 } else { bytes.len() as u64 };
        let size = part.data.len() as u64;
        if part.name != ".nv.shared.main" {
            bytes.extend(&part.data);
        }
        if part.name.starts_with(".text") {
            code = (if code.0 == 0 { at } else { code.0 }, at + size);
        }
        table.extend(numbers(&[name, part.kind]));
        [part.flags, 0, at, size].iter().for_each(|n| table.extend(n.to_le_bytes()));
        table.extend(numbers(&[part.link, part.info]));
        [part.align as u64, 0].iter().for_each(|n| table.extend(n.to_le_bytes()));
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let sections = bytes.len() as u64;
    bytes.extend(table);
    let segments = bytes.len() as u64;
    for (offset, size) in [(segments, 112), (code.0, code.1 - code.0)] {
        bytes.extend(numbers(&[1, 5]));
        [offset, 0, 0, size, size + 8, 8].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    }
    let head = b"\x7fELF\x02\x01\x01\x33\x07\0\0\0\0\0\0\0\x02\0\xbe\0\x81\0\0\0";
    bytes[..24].copy_from_slice(head);
    bytes[32..40].copy_from_slice(&segments.to_le_bytes());
    bytes[40..48].copy_from_slice(&sections.to_le_bytes());
    let sizes: [u16; 6] = [64, 56, 2, 64, parts.len() as u16, last as u16];
    let tail = numbers(&[0x0035_0535]).into_iter().chain(sizes.iter().flat_map(|s| s.to_le_bytes()));
    bytes[48..64].copy_from_slice(&tail.collect::<Vec<u8>>());
    bytes
}

/// The file of [`parts`].
pub(crate) fn sample() -> Vec<u8> {
    file(parts())
}
