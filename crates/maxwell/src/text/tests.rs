use super::*;
use crate::container::sph::Sph;
use crate::{Chip, Maxwell, ShaderStage};
use alloc::{format, string::String, vec, vec::Vec};
use shisa_diag::Limits;
use shisa_rows::{Isa, testing::Random};

fn listing(bytes: &[u8], layout: &Layout) -> String {
    disassemble(bytes, layout, &DisOptions::default(), &Limits::default()).unwrap()
}

fn assembled(source: &str) -> Assembly {
    assemble(source, &AsmOptions::default(), &Limits::default())
}

/// The code and the text of everything found.
fn faults(source: &str) -> Vec<(&'static str, &str)> {
    let found = assembled(source).diagnostics;
    found.iter().map(|d| (d.code, d.labels.first().map_or("", |l| &source[l.span.range()]))).collect()
}

/// Code of words of all rows with random bits, and of random words.
fn random_code(seed: u64, bundles: usize) -> Vec<u8> {
    let (mut random, mut bytes) = (Random(seed), Vec::new());
    let forms = Maxwell::table().forms();
    for _ in 0..bundles {
        bytes.extend((random.bits() & random.bits()).to_le_bytes());
        for _ in 0..3 {
            let form = &forms[random.bits() as usize % forms.len()];
            let mut word = random.bits();
            if random.bits() % 8 != 0 {
                word = word & !(form.mask as u64) | form.bits as u64;
            }
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes
}

#[test]
fn any_code_comes_back() {
    for seed in 0..40 {
        let bytes = random_code(seed, 30);
        for chip in Chip::ALL {
            let text = listing(&bytes, &Layout::raw(chip, bytes.len()));
            let back = assembled(&text);
            assert_eq!(back.bytes.as_ref(), Some(&bytes), "{:?}\n{text}", back.diagnostics);
            assert_eq!(back.layout.chip, chip);
            assert_eq!(back.lines.len(), 90);
        }
    }
}

#[test]
fn what_surrounds_code_comes_back() {
    let mut bytes = vec![1; 70];
    bytes.extend([0; 100]);
    let start = bytes.len();
    bytes.extend(random_code(7, 2));
    let end = bytes.len();
    bytes.extend([0xff; 3]);
    let section =
        |name: &str, range| Section { name: name.into(), header: None, range, targets: Default::default() };
    // The second program ends within a bundle.
    let sections = vec![section("first \"one\"", start..start + 32), section("b", start + 32..end + 3)];
    let layout = Layout { container: "test", chip: Chip::Sm50, sections };
    let text = listing(&bytes, &layout);
    assert!(text.contains(".zero 100\n") && text.contains(".code \"first \\\"one\\\"\"\n"), "{text}");
    let back = assembled(&text);
    assert_eq!(back.bytes, Some(bytes), "{:?}", back.diagnostics);
    assert_eq!(back.layout.sections[1], section("b", start + 32..end));
}

#[test]
fn labels_are_addresses_within_their_program() {
    let back = assembled(
        ".code \"a\"\nloop: again: MOV R1, R2 ; {--:-:-:Y:1}\nBRA again ;\n@P0 BRA later ;\nlater: EXIT ;\n\
         .code \"b\"\n/* not\n here: */ BRA loop ; // nor: here\nloop: EXIT ;",
    );
    assert_eq!(back.diagnostics, []);
    let bytes = back.bytes.unwrap();
    let word = |i: usize| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap());
    // Relative to the address after the instruction: -0x10 + 0x8, 0x28 - 0x20, and 0x10 - 0x10.
    let offset = |i: usize| (word(i) >> 20 & 0xff_ffff) as u32;
    assert_eq!([offset(2), offset(3), offset(9)], [0xff_fff0, 8, 0]);
    assert_eq!(word(8) & 0x1f_ffff, 0x7e0);
    // What is not written is NOP.
    assert_eq!(word(6), 0x50b0_0000_0007_0f00);
}

#[test]
fn labels_with_two_colons_are_bundles() {
    let source = "NOP ;\nNOP ;\nNOP ;\nb:: c: NOP ;\nBRA b ;\nBRA c ;";
    let back = assembled(source);
    let bytes = back.bytes.unwrap_or_else(|| panic!("{:?}", back.diagnostics));
    let text = listing(&bytes, &Layout::raw(Chip::Sm53, bytes.len()));
    assert!(text.contains("L_0020::\nL_0028:\n") && text.contains("BRA L_0020;"), "{text}");
    assert_eq!(assembled(&text).bytes, Some(bytes));
    // Inside of a bundle they are instructions.
    let moved = assembled(&text.replacen("NOP;", "NOP;\nNOP;", 1)).bytes.unwrap();
    let text = listing(&moved, &Layout::raw(Chip::Sm53, moved.len()));
    assert!(text.contains("L_0030:\n") && text.matches("BRA L_0030;").count() == 2, "{text}");
}

#[test]
fn special_registers_have_names() {
    let done = assembled("S2R R0, SR2 ;\nCS2R R1,SR80;\nS2R R2, SR44 ;\nS2R R3, SR_TID.X ;\nEXIT ;");
    let told: Vec<_> = done.diagnostics.iter().map(|d| (d.code, d.help.join(" "))).collect();
    let number = |name: &str| ("maxwell-special-number", String::from("write ") + name);
    assert_eq!(told, [number("SR_VIRTCFG"), number("SR_CLOCKLO")]);
    assert!(done.bytes.is_some());
}

#[test]
fn every_fault_is_told_where_it_is() {
    let source = "a: MOV R1 ;\na: MOVE R1, R2 ;\nBRA b ;\n.byts 00\n.bytes 0\n.chip sm_60\n.word 12\nEXIT ; EXIT ;\n\
                  EXIT ; {raw 0x}\nEXIT ; {1:2}\nEXIT ; {40:-:-:Y:0}\n.code x\nEXIT ;\n.spare\n.zero x\n/* no end";
    assert_eq!(
        faults(source),
        [
            ("asm-operand-count", ""),
            ("asm-label", "a"),
            ("asm-unknown-opcode", "MOVE"),
            ("asm-label", "b"),
            ("asm-directive", ".byts"),
            ("asm-directive", ".bytes 0"),
            ("asm-directive", ".chip sm_60"),
            ("asm-directive", ".word 12"),
            ("asm-operand", "EXIT ;"),
            ("asm-raw", "{raw 0x}"),
            ("asm-control", "{1:2"),
            ("asm-control", "{40:-:-:Y:0"),
            ("asm-directive", ".code x"),
            ("asm-directive", ".spare"),
            ("asm-directive", ".zero x"),
            ("asm-comment", "/*"),
        ]
    );
}

/// Directives that have no value take none.
#[test]
fn a_spare_bit_has_no_value() {
    assert_eq!(faults(".spare\nEXIT ;"), []);
    assert_eq!(faults(".spare 5\nEXIT ;"), [("asm-directive", ".spare 5")]);
}

/// The targets of branches by a register come before them, and the address from which these count has a label.
#[test]
fn branches_by_a_register_have_targets() {
    let source = ".code \"a\"\nstart:\n.targets end, 0x20,start\nBRX R4 start ;\nJMX R4 0x18 ;\nend: EXIT ;\n\
                  BRX CC.EQ, R5 -0x10 ;";
    let back = assembled(source);
    assert_eq!(back.diagnostics, []);
    let section = back.layout.sections[0].clone();
    assert_eq!(section.targets, [(8, [0x18, 0x20, 8].to_vec())].into());
    let bytes = back.bytes.unwrap();
    let layout = Layout { sections: vec![section], ..back.layout };
    let text = listing(&bytes, &layout);
    for line in
        [".targets L_0018, L_0020, L_0008\n", "BRX R4 L_0008 ;", "JMX R4 0x18 ;", "BRX CC.EQ, R5 L_0020 ;"]
    {
        let line = line.replace(" ;", ";");
        assert!(text.contains(&line), "{line} {text}");
    }
    assert_eq!(text.matches(".targets").count(), 1);
    let again = assembled(&text);
    assert_eq!((again.bytes, &again.layout.sections), (Some(bytes), &layout.sections));
    let source = ".targets\n.targets 0x8 0x10\n.targets a\n.targets 0x8,\n.targets 0x8\nEXIT;\n.targets -0x8\n.targets 0x10\n\
                  .targets 0x18\n.code \"b\"";
    let unbranched = |at| ("asm-directive", at);
    assert_eq!(
        faults(source),
        [
            ("asm-operand", ""),
            ("asm-operand", ""),
            ("asm-label", "a"),
            ("asm-operand", ""),
            unbranched(".targets 0x8"),
            ("asm-operand", ""),
            unbranched(".targets 0x10"),
            unbranched(".targets 0x18"),
        ]
    );
}

#[test]
fn a_chip_refuses_what_it_does_not_have() {
    let source = "FADD R1, R2, R3 ; {--:-:0:Y:1}";
    assert_eq!(faults(source), [("maxwell-barrier", source)]);
    let unchecked = AsmOptions { unchecked: true, ..AsmOptions::default() };
    assert_eq!(assemble(source, &unchecked, &Limits::default()).diagnostics, []);
}

#[test]
fn limits_are_named() {
    let source = "a: NOP;\nb: NOP;\nNOP;\n.zero 9";
    let with = |name, value| {
        let mut limits = Limits::default();
        limits.set(name, value);
        assemble(source, &AsmOptions::default(), &limits)
            .diagnostics
            .iter()
            .map(|d| d.code)
            .collect::<Vec<_>>()
    };
    for (name, most) in [("instructions", 3), ("labels", 2), ("file", 41)] {
        assert_eq!(with(name, most), Vec::<&str>::new(), "{name}");
        assert_eq!(with(name, most - 1), ["limit-exceeded"], "{name}");
    }
    let bytes = random_code(1, 1);
    let layout = Layout::raw(Chip::Sm53, 32);
    let size = listing(&bytes, &layout).len() as u64;
    for (name, most) in [("instructions", 3), ("text-out", size), ("programs", 1)] {
        for (value, fine) in [(most, true), (most - 1, false)] {
            let mut limits = Limits::default();
            limits.set(name, value);
            let text = disassemble(&bytes, &layout, &DisOptions::default(), &limits);
            assert_eq!(text.is_ok(), fine, "{name} {value} {text:?}");
        }
    }
}

#[test]
fn headers_are_written_by_their_fields() {
    for stage in [ShaderStage::Fragment, ShaderStage::Vertex] {
        let sph = Sph::new(stage).unwrap();
        let mut bytes = vec![5; 3];
        bytes.extend(sph.0);
        bytes.extend(random_code(3, 1));
        let section =
            Section { name: "main".into(), header: Some(3), range: 83..115, targets: Default::default() };
        let layout = Layout { container: "test", chip: Chip::Sm53, sections: vec![section] };
        let text = listing(&bytes, &layout);
        assert!(text.contains(".sph ShaderType "), "{text}");
        let back = assembled(&text);
        assert_eq!(back.bytes, Some(bytes), "{:?}", back.diagnostics);
        assert_eq!(back.layout.sections, layout.sections);
    }
}

#[test]
fn a_line_that_stands_there_twice_is_read_for_where_it_stands() {
    // The same branch at two addresses, and a predicate that the oldest chip does not write.
    let source = "L: BRA L;\nBRA L;\nBRA L;\n.code \"b\"\nNOP;\nL: BRA L;\n";
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    let bytes = assembled(source).bytes.unwrap();
    let targets = [8, 16, 24, 48].map(|at| word(&bytes, at) >> 20 & 0xff_ffff);
    assert_eq!(targets, [0xff_fff8, 0xff_fff0, 0xff_ffe8, 0xff_fff8]);
    let line = "SULD.P.1D.R.IGN P1, R0, [R0], R0;\n";
    let fault = ["asm-operand"];
    for (first, second, codes) in [("sm_53", "sm_50", &fault[..]), ("sm_53", "sm_52", &[])] {
        let source = format!(".chip {first}\n{line}{line}.chip {second}\n{line}");
        assert_eq!(faults(&source).iter().map(|f| f.0).collect::<Vec<_>>(), codes, "{second}");
    }
}
