//! Every example of the reference is right: its program assembles to its word, and the word is listed as its text.

use crate::ISA;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::read::DeflateDecoder;
use shisa::{File, Isa, Listing, Settings, assemble};
use shisa_reference::{Example, Family, fragment};
use std::io::Read as _;

fn set(family: &Family) -> Isa {
    Isa::ALL.iter().copied().find(|isa| isa.name() == family.name).unwrap()
}

/// The bytes of the low bits of a word, and the bits above them.
fn split(example: &Example, bytes: usize) -> (Vec<u8>, u128) {
    let digits = format!("{:0>48}", example.word.trim_start_matches("0x"));
    let all: Vec<u8> =
        (0..24).rev().map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect();
    let above = all[bytes..].iter().take(16).rev().fold(0, |word, byte| word << 8 | u128::from(*byte));
    (all[..bytes].to_vec(), above)
}

/// Whether an assembled program has the word of its example at the position of the first instruction.
fn has(isa: Isa, example: &Example, bytes: &[u8]) -> bool {
    match isa {
        Isa::Agal => bytes[7..31] == split(example, 24).0,
        Isa::Pica200 => {
            let (code, descriptor) = split(example, 4);
            let found = |word: &[u8]| bytes.windows(4).any(|window| window == word);
            found(&code) && found(&(descriptor as u32).to_le_bytes())
        }
        Isa::Maxwell => {
            const CONTROL: u64 = 0x1f_ffff;
            let (code, control) = split(example, 8);
            let bundle = u64::from_le_bytes(bytes[..8].try_into().unwrap());
            bytes[8..16] == code && bundle & CONTROL == control as u64
        }
        _ => {
            let pairs = example.digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
            let word: Vec<u8> = pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect();
            bytes.starts_with(&word)
        }
    }
}

#[test]
fn programs_of_examples_assemble_to_their_words() {
    let mut faults = Vec::new();
    for family in &ISA.families {
        let isa = set(family);
        let mut settings = Settings::new().isa(isa);
        settings.unchecked = true;
        for form in &family.forms {
            for example in &form.examples {
                let assembled = assemble(&example.program, isa.language(), &settings);
                match assembled {
                    Err(e) => faults.push(format!("{}\n{e}", example.program)),
                    Ok(file) if !has(isa, example, &file.bytes) => {
                        faults.push(format!("{}\nnot {}", example.program, example.digits));
                    }
                    Ok(file) => {
                        let listing = File::open(&file.bytes, &settings)
                            .and_then(|file| file.listing(&Listing::default()))
                            .unwrap_or_else(|e| e.to_string());
                        if !listing.contains(form.name) {
                            faults.push(format!("{}\nis listed as\n{listing}", example.program));
                        }
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
}

/// The name, the instruction set and the file of a link.
fn carried(link: &str) -> (serde_json::Value, Vec<u8>) {
    let packed = URL_SAFE_NO_PAD.decode(link.strip_prefix("#1.").unwrap()).unwrap();
    let mut whole = Vec::new();
    DeflateDecoder::new(&packed[..]).read_to_end(&mut whole).unwrap();
    let length = usize::from(u16::from_le_bytes([whole[0], whole[1]]));
    let (head, file) = whole[2..].split_at(length);
    (serde_json::from_slice(head).unwrap(), file.to_vec())
}

/// A link has the program of its example, and the name of the file suffices to open it as a source.
#[test]
fn links_carry_programs_that_open() {
    for family in &ISA.families {
        for example in family.forms.iter().flat_map(|form| &form.examples) {
            let (head, file) = carried(&fragment(family, example).unwrap());
            assert_eq!(head["isa"], family.name);
            assert_eq!(head["program"], 0);
            assert_eq!(file, example.program.as_bytes());
            let mut settings = Settings::new().isa(set(family));
            settings.unchecked = true;
            settings.name = head["name"].as_str().map(str::to_owned);
            let opened = File::open(&file, &settings).unwrap_or_else(|e| panic!("{e}\n{}", example.program));
            assert!(opened.program(1).is_ok(), "{}", example.program);
        }
    }
}
