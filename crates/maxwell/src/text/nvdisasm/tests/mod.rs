mod sample;

use super::{NvdisasmOptions, nvdisasm, nvdisasm_cubin};
use crate::Chip;
use crate::container::Cubin;
use crate::forms::NOP;
use crate::text::{AsmOptions, assemble};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::Limits;

fn code(source: &str) -> Vec<u8> {
    let done = assemble(source, &AsmOptions::default(), &Limits::default());
    done.bytes.unwrap_or_else(|| panic!("{:?}", done.diagnostics))
}

/// A kernel with a loop that leaves to a mark, and a group of two instructions; one without attributes about its
/// targets if `listed` is false.
fn file(listed: bool) -> Vec<u8> {
    file_of(include_str!("main.maxwell"), listed)
}

fn file_of(main: &str, listed: bool) -> Vec<u8> {
    let main = code(main);
    let mut bytes = sample::cubin(&main, &code("MOV R4, R5 ; {--:-:-:Y:1}\nRET ;\nNOP;"));
    if !listed {
        let list = [4, 0x34, 16, 0];
        let at = bytes.windows(4).position(|w| w == list).unwrap();
        bytes[at + 1] = 0x33;
    }
    bytes
}

fn text(bytes: &[u8], options: &NvdisasmOptions) -> String {
    let cubin = Cubin::read(bytes, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"));
    nvdisasm_cubin(&cubin, Chip::Sm53, options, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"))
}

fn same(got: &str, expected: &str) {
    for (n, (got, expected)) in got.lines().zip(expected.lines()).enumerate() {
        assert_eq!(got, expected, "line {}", n + 1);
    }
    assert_eq!(got.len(), expected.len());
}

/// The expected texts are those of nvdisasm 12.8 for these files.
#[test]
fn a_cubin_is_written_as_nvdisasm_writes_it() {
    let options = NvdisasmOptions::default();
    same(&text(&file(true), &options), include_str!("default.txt"));
    let hex = NvdisasmOptions { hex: true, ..options };
    same(&text(&file(true), &hex), include_str!("hex.txt"));
    let short = NvdisasmOptions { code_only: true, no_dataflow: true, novliw: true, ..options };
    same(&text(&file(true), &short), include_str!("short.txt"));
}

/// Changes bytes that occur once.
fn change(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let at: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    assert_eq!(at.len(), 1, "{from:?}");
    bytes[at[0]..at[0] + to.len()].copy_from_slice(to);
}

/// The file with `change` made to the source of its kernel. `relocations` are the kinds and symbols of the relocations
/// of the first two instructions.
fn changed(listed: bool, change: &[(&str, &str)], relocations: [[u32; 2]; 2]) -> Vec<u8> {
    let mut source = String::from(include_str!("main.maxwell"));
    for (from, to) in change {
        source = source.replacen(from, to, 1);
    }
    let entry = |at: u64, [kind, symbol]: [u32; 2]| -> Vec<u8> {
        at.to_le_bytes().into_iter().chain(kind.to_le_bytes()).chain(symbol.to_le_bytes()).collect()
    };
    let mut bytes = file_of(&source, listed);
    for (at, (old, new)) in [8, 16].into_iter().zip([[43, 11], [44, 11]].into_iter().zip(relocations)) {
        self::change(&mut bytes, &entry(at, old), &entry(at, new));
    }
    bytes
}

/// The lines that contain a text, without blanks around them.
fn lines(text: &str, with: &str) -> Vec<String> {
    text.lines().filter(|line| line.contains(with)).map(|line| line.trim().into()).collect()
}

/// A constant has its symbol's name wherever the bits of its sign are in the word, and after the blank that some
/// instructions have. The expected lines of this test and the next four are those of nvdisasm 12.8.
#[test]
fn constants_have_names() {
    let insns = [
        ("MOV32I R2, 0x0", "FSETP.GE.AND P0, PT, |R4|, -c[0x0][0x0], PT"),
        ("MOV32I R3, 0x0", "I2I.S32.S32 R3, c[0x0] [0x0]"),
    ];
    let text = text(&changed(true, &insns, [[50, 10]; 2]), &NvdisasmOptions::default());
    let expected = [
        "/*0008*/                   FSETP.GE.AND P0, PT, |R4|, -c[`(table)], PT ;",
        "/*0010*/                   I2I.S32.S32 R3, c [`(table)] ;",
    ];
    assert_eq!(lines(&text, "`(table)"), expected);
}

/// Instructions hold the numbers that are added to symbols where the entries state none.
#[test]
fn instructions_hold_what_is_added() {
    let insns = [("MOV32I R2, 0x0", "MOV32I R2, 0x10"), ("MOV32I R3, 0x0", "MOV32I R3, 0xfffffff0")];
    let text = text(&changed(true, &insns, [[43, 11], [44, 11]]), &NvdisasmOptions::default());
    let expected = [
        "/*0008*/                   MOV32I R2, 32@lo((pointers + 0x10)) ;",
        "/*0010*/                   MOV32I R3, 32@hi((pointers + 0xfffffff000000000)) ;",
    ];
    assert_eq!([lines(&text, "32@lo"), lines(&text, "32@hi")].concat(), expected);
}

/// The lines of the first two instructions, in place of which are `insns` with relocations of these kinds.
fn filled(insns: [&str; 2], kinds: [u32; 2]) -> [String; 2] {
    let changes = [("MOV32I R2, 0x0", insns[0]), ("MOV32I R3, 0x0", insns[1])];
    let text = text(&changed(true, &changes, kinds.map(|kind| [kind, 11])), &NvdisasmOptions::default());
    ["/*0008*/", "/*0010*/"].map(|at| {
        let code = text.split(".text.main:").nth(1).unwrap();
        let line = code.lines().find(|line| line.contains(at)).unwrap();
        line.split_once("*/").unwrap().1.trim().into()
    })
}

/// Where a relocation of another kind of instruction fills in a number, its bits are those of the number. nvdisasm 12.8
/// wrote the expected text of these instructions with a symbol of another name.
#[test]
fn relocations_fill_in_parts_of_numbers() {
    let number = "MOV32I R2, 0xfff0f123";
    for (kind, expected) in [
        (7, "`([12@lo(0xfff0f123)=(pointers + 0x123)])"),
        (19, "`([0xff000@field(0xfff0f123)=(pointers + 0xf)])"),
        (40, "`([0x3fffffc0@sfield(0xfff0f123)=(pointers + 0xffc3c4)])"),
        (45, "`((pointers + 0xf0f123))"),
        (47, "fun@fdesc(pointers)"),
        (48, "32@lo(fun@fdesc(pointers))"),
        (50, "`(pointers)"),
        (51, "`([0x1fff0000@field(0xfff0f123)=(pointers + 0x7fc0)])"),
    ] {
        assert_eq!(filled([number; 2], [kind, 43])[0], format!("MOV32I R2, {expected} ;"), "kind {kind}");
    }
    let others = ["LDG.E R2, [R2+-0x10]", "LDL R2, [0x10]"];
    assert_eq!(
        filled(others, [27, 54]),
        ["LDG.E R2, [R2+`([0x1f800@field(-0x10)=(pointers + 0x3f)])] ;", "LDL R2, [`(pointers)] ;"]
    );
    let constants = ["LDC.64 R2, c[0x3][R2+0x123]", "LDC.64 R2, c[0x3][0x123]"];
    assert_eq!(
        filled(constants, [54, 7]),
        ["LDC.64 R2, c[R2+`(pointers)] ;", "LDC.64 R2, c[`([12@lo(0x123)=(pointers + 0x123)])] ;"]
    );
    // nvdisasm refuses fields that are wider than the number, or beside it.
    assert_eq!(
        filled(["MOV R2, c[0x3][0x154]", number], [42, 6]),
        ["MOV R2, c[0x3][0x154] ;", "MOV32I R2, 0xfff0f123 ;"]
    );
}

/// Targets, floats and numbers of textures are numbers, too. nvdisasm shows the float that an instruction holds as a
/// double. It wrote the expected text of these instructions with a symbol of another name.
#[test]
fn relocations_fill_in_targets_and_floats() {
    let float = "FADD R2, R2, 8.1315162936412832551e-20";
    let texture = "TEX R2, R2, R0, 0x5, ARRAY_CUBE, 0x0";
    let cases = [
        ("BRA 0x20", 7, "BRA `([12@lo(0x20)=(pointers + 0x10)])"),
        ("BRA 0x20", 16, "BRA `((pointers + 0x2))"),
        ("BRA 0x20", 18, "BRA `([0x7fff8@field(0x20)=(pointers + 0x2)])"),
        ("BRA 0x20", 40, "BRA `(pointers)"),
        ("BRA 0x20", 45, "BRA `((pointers + 0x10))"),
        ("BRA 0x20", 50, "BRA `(pointers)"),
        ("BRA 0x20", 115, "BRA `([0xfe0000@field(0x20)=pointers])"),
        (float, 7, "FADD R2, R2, `([12@lo(0x3bf8000000000000)=(pointers + 0xc00)])"),
        (float, 46, "FADD R2, R2, `((pointers + 0xfc00))"),
        (float, 100, "FADD R2, R2, `((pointers + 0x38580))"),
        (
            "FADD R2, R2, -1.4105932209867450096e-36",
            7,
            "FADD R2, R2, `([12@lo(0xb87e000000000000)=(pointers + 0xf00)])",
        ),
        ("FADD32I R2, R2, 1", 115, "FADD32I R2, R2, `([0xfffe0000@field(0x3ff0000000000000)=pointers])"),
        (texture, 19, "TEX R2, R2, R0, `((pointers + 0x50)), ARRAY_CUBE, 0x0"),
        (texture, 20, "TEX R2, R2, R0, `([0x1f0@field(0x5)=pointers]), ARRAY_CUBE, 0x0"),
        (texture, 51, "TEX R2, R2, R0, `((pointers + 0x14)), ARRAY_CUBE, 0x0"),
    ];
    for (insn, kind, expected) in cases {
        let [got, _] = filled([insn, "MOV32I R3, 0x0"], [kind, 43]);
        assert_eq!(got, format!("{expected} ;"), "kind {kind}");
    }
}

/// A target that is filled in has no label.
#[test]
fn targets_that_are_filled_in_have_no_label() {
    let labels = |insn: &str, kind: u32| {
        let text = text(
            &changed(true, &[("MOV32I R2, 0x0", insn)], [[kind, 11], [44, 11]]),
            &NvdisasmOptions::default(),
        );
        text.lines().filter(|line| line.starts_with(".L_x_")).count()
    };
    assert_eq!(labels("BRA 0x20", 45), labels("MOV32I R2, 0x0", 43));
}

/// A comment states that a loader replaces an instruction. Its column leaves more room after an instruction with a
/// comment than after others.
#[test]
fn instructions_that_are_replaced_have_a_comment() {
    let float = "FADD R2, R2, 8.1315162936412832551e-20";
    for (kind, comment) in [
        (53, "RELOCATOR MAIN,pointers"),
        (67, "RELOCATOR MAIN,pointers"),
        (68, "RELOCATOR OPCODE,YIELD,0"),
        (69, ""),
    ] {
        let [got, _] = filled([float, "MOV32I R3, 0x0"], [kind, 43]);
        assert_eq!(got, format!("{float}          (*\"{comment}\"*);"), "kind {kind}");
    }
}

/// Bytes that relocations fill in have no directive of their alignment.
#[test]
fn bytes_are_not_aligned() {
    let mut bytes = file(true);
    let entry =
        |kind: u32| [16u64.to_le_bytes().as_slice(), &kind.to_le_bytes(), &5u32.to_le_bytes()].concat();
    change(&mut bytes, &entry(4), &entry(85));
    let text = text(&bytes, &NvdisasmOptions::default());
    assert_eq!(lines(&text, "0xff00@field").len(), 1, "{text}");
    assert_eq!(lines(&text, ".align\t\t1"), [""; 0]);
}

/// Addresses of code in data have labels, numbered in the order of the sections.
#[test]
fn addresses_of_code_in_data_have_labels() {
    let labels = |distance: [u8; 2]| {
        let mut bytes = file(true);
        let held = [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        let at = bytes.windows(held.len()).position(|w| w == held).unwrap() - 8;
        bytes[at..at + 2].copy_from_slice(&distance);
        let text = text(&bytes, &NvdisasmOptions::default());
        (lines(&text, "@srel"), lines(&text, ".size           main"), text)
    };
    let listed = ["/*0048*/ \t.word\t.L_x_3@srel", "/*0054*/ \t.word\t.L_x_0@srel"];
    let (inside, size, text) = labels([0x90, 0]);
    assert_eq!(inside, [listed[0], listed[1], "/*0000*/ \t.dword\t(main + .L_x_5@srel)"]);
    assert_eq!(size, [".size           main,(.L_x_6 - main)"]);
    assert!(text.contains(".L_x_5:\n        /*0090*/               @P1 EXIT ;\n"), "{text}");
    let (end, size, _) = labels([0, 1]);
    assert_eq!(end, [listed[0], listed[1], "/*0000*/ \t.dword\t((main + .L_x_5@srel) + 0x8)"]);
    assert_eq!(size, [".size           main,(.L_x_5 - main)"]);
}

/// Symbols of one name are numbered over all names.
#[test]
fn repeated_names_are_counted_together() {
    let mut bytes = file(true);
    change(&mut bytes, b"shared\0main", b"helper");
    let text = text(&bytes, &NvdisasmOptions::default());
    let found: Vec<&str> = text.lines().filter(|line| line.contains(".map_symbolname")).collect();
    assert_eq!(found, ["        .map_symbolname helper__1 helper", "\t.map_symbolname twice__0 twice"]);
}

/// A symbol after the end of its section is not written.
#[test]
fn symbols_after_the_end_are_not_written() {
    let mut bytes = file(true);
    let symbol = |value: u64| [value, 32].iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    change(&mut bytes, &symbol(32), &symbol(80));
    let text = text(&bytes, &NvdisasmOptions::default());
    assert!(text.contains("/*003b*/ \t.byte\t0x00, 0xff, 0x00, 0x00, 0x00\n\n\n"), "{text}");
    assert!(!text.contains("twice__0:"), "{text}");
}

/// A branch by a register after PRET is a call, and paths continue where it returns.
#[test]
fn calls_by_registers_return() {
    let insns = [
        ("IADD R5, R4, R0 ; {--:-:-:-:0}", "PRET back"),
        ("LDG.E R4, [R2] ; {--:-:1:Y:1}", "JMX R5"),
        ("BRA again", "back: BRA again"),
    ];
    let text = text(&changed(false, &insns, [[43, 11], [44, 11]]), &NvdisasmOptions::default());
    let expected = [
        r#"/*0050*/               @P0 SYNC                                   (*"TARGET= .L_x_0 "*);"#,
        r#"/*0070*/                   JMX R5                                 (*"INDIRECT_CALL","TARGET= .L_x_1 "*);"#,
    ];
    assert_eq!(lines(&text, "(*"), expected);
}

/// Only symbols that have a size have a label at their end, which shifts the numbers of all later labels.
#[test]
fn symbols_without_a_size_have_no_end() {
    let mut bytes = file(true);
    let first = |text: String| -> Vec<String> {
        text.lines().filter(|line| line.contains("(.L_")).take(2).map(|line| line.trim().into()).collect()
    };
    let options = NvdisasmOptions::default();
    let before = ["/*0002*/ \t.short\t(.L_5 - .L_4)", "/*000e*/ \t.short\t(.L_7 - .L_6)"];
    assert_eq!(first(text(&bytes, &options)), before);
    // The offset and the size of the first symbol `twice`.
    let symbol = [24u64, 3].iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let at = bytes.windows(16).position(|w| w == symbol).unwrap();
    bytes[at + 8] = 0;
    let after = ["/*0002*/ \t.short\t(.L_4 - .L_3)", "/*000e*/ \t.short\t(.L_6 - .L_5)"];
    assert_eq!(first(text(&bytes, &options)), after);
}

/// Symbols of one offset of data are written by their names, whatever their order in the table is.
#[test]
fn symbols_of_data_are_ordered_by_name() {
    let labels = |text: String| -> Vec<String> {
        let section = text.split("//----").find(|part| part.contains(".section\t.nv.global.init")).unwrap();
        let lines = section.lines().filter(|line| line.ends_with(':') && !line.starts_with(".L"));
        lines.map(Into::into).collect()
    };
    let options = NvdisasmOptions::default();
    let mut bytes = file(true);
    assert_eq!(labels(text(&bytes, &options)), ["pointers:", ".nv.global.init:", "twice:", "twice__0:"]);
    // A name that begins with a character before the dot, in place of `pointers`.
    let at = bytes.windows(8).position(|w| w == b"pointers").unwrap();
    bytes[at] = b'$';
    assert_eq!(labels(text(&bytes, &options)), [".nv.global.init:", "$ointers:", "twice:", "twice__0:"]);
}

/// Without a list of targets, paths through the code yield them.
#[test]
fn targets_are_followed_where_nothing_lists_them() {
    let options = NvdisasmOptions { hex: true, ..NvdisasmOptions::default() };
    same(&text(&file(false), &options), include_str!("followed.txt"));
}

/// An operand without a name begins at a column that all lines share.
#[test]
fn operands_without_names_have_a_column() {
    let words = [0x001f_8000_fc00_07e0, 0xf0f4_e72c_7dac_b09f, 0xee16_269b_6ffb_e932, 0x50b0_0000_0007_0f00];
    let code: Vec<u8> = words.iter().flat_map(|w: &u64| w.to_le_bytes()).collect();
    let text = |words: usize, hex: bool| {
        let mut code = code.clone();
        let (_, rest) = code.split_at_mut(8 + 8 * words);
        rest.chunks_exact_mut(8).for_each(|word| word.copy_from_slice(&NOP.to_le_bytes()));
        let options = NvdisasmOptions { hex, novliw: true, ..NvdisasmOptions::default() };
        nvdisasm(&code, Chip::Sm53, &options, &Limits::default()).unwrap()
    };
    let line = |text: &str, n: usize| String::from(text.lines().nth(n).unwrap());
    assert_eq!(
        line(&text(1, false), 1),
        "        /*0008*/              @!P4 DEPBAR.LE      ???7, 0x1a, {4,3,2,1,0};"
    );
    let both = text(2, false);
    let column = |n: usize| line(&both, n).find("???");
    assert_eq!((column(1), column(2)), (Some(80), Some(80)), "{both}");
    assert_eq!(line(&text(2, true), 2).find("/* 0x"), Some(105));
}

/// The limit of text holds, and files of any bytes end.
#[test]
fn text_is_limited() {
    let bytes = file(true);
    let cubin = Cubin::read(&bytes, &Limits::default()).unwrap();
    let size = text(&bytes, &NvdisasmOptions::default()).len() as u64;
    for (most, fine) in [(size, true), (size - 1, false)] {
        let mut limits = Limits::default();
        limits.set("text-out", most);
        assert_eq!(nvdisasm_cubin(&cubin, Chip::Sm53, &NvdisasmOptions::default(), &limits).is_ok(), fine);
    }
}

#[test]
fn damaged_files_are_written_or_refused() {
    let whole = file(true);
    let mut random = shisa_rows::testing::Random(5);
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.bits() % 3 {
            let at = random.bits() as usize % bytes.len();
            bytes[at] = random.bits() as u8;
        }
        let mut limits = Limits::default();
        limits.set("text-out", 1 << 20);
        if let Ok(cubin) = Cubin::read(&bytes, &limits) {
            let options = NvdisasmOptions { hex: true, ..NvdisasmOptions::default() };
            let _ = nvdisasm_cubin(&cubin, Chip::Sm53, &options, &limits);
        }
    }
}
