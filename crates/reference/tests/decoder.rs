//! `isa.json` suffices to decode: a decoder in another language that reads nothing else agrees with this project's.

use shisa_agal::Agal;
use shisa_agx::Agx;
use shisa_maxwell::Maxwell;
use shisa_pica200::Pica200;
use shisa_rows::{Insn, Isa, Word};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// Words of each family.
const WORDS: usize = 100_000;

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Random words: half of them match a row, each row equally often, and some of those are damaged in one bit.
fn words<I: Isa>() -> Vec<I::Word> {
    let (mut random, forms) = (Random(0x5eed), I::table().forms());
    let word = |number: usize| {
        let word = I::Word::from_words([random.bits(), random.bits(), random.bits()]);
        if number.is_multiple_of(2) {
            return word;
        }
        let form = &forms[number / 2 % forms.len()];
        let mut words = word.words();
        let (mask, bits) = (form.mask, form.bits);
        words[0] = words[0] & !(mask as u64) | bits as u64;
        words[1] = words[1] & !((mask >> 64) as u64) | (bits >> 64) as u64;
        if random.bits().is_multiple_of(8) {
            words[(random.bits() % 2) as usize] ^= 1 << (random.bits() % 64);
        }
        I::Word::from_words([words[0], words[1], words[2]])
    };
    (0..WORDS).map(word).collect()
}

fn hex(word: &impl Word) -> String {
    word.words().iter().rev().map(|piece| format!("{piece:016x}")).collect()
}

/// What this project decodes, as the other decoder prints it.
fn decoded<I: Isa>(insn: Option<Insn<I>>) -> String {
    let Some(insn) = insn else { return "-".to_owned() };
    let (form, mut text) = (insn.form(), insn.number().to_string());
    let modifiers = form.modifiers.iter().map(|modifier| &modifier.field);
    let operands = form.prefix().chain(form.operands).chain(form.suffix()).map(|operand| &operand.field);
    for field in modifiers.chain(operands) {
        write!(text, " {:x}", field.get(&insn.word)).unwrap();
    }
    text
}

/// The file that has the data, written once.
fn json() -> &'static Path {
    static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("isa.json");
        std::fs::write(&file, serde_json::to_vec(&*crate::ISA).unwrap()).unwrap();
        file
    });
    &FILE
}

/// Compares the decoders on words of a family.
fn compare<I: Isa>(name: &str, decode: impl Fn(I::Word) -> Option<Insn<I>>) {
    let python = "python3";
    if Command::new(python).arg("--version").output().is_err() {
        println!("skipped: there is no python3");
        return;
    }
    let words = words::<I>();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decoder.py");
    let mut command = Command::new(python);
    command.arg(script).arg(json()).arg(name).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: String = words.iter().map(|word| hex(word) + "\n").collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{name}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), words.len(), "{name}");
    let mut matched = 0;
    for (word, line) in words.into_iter().zip(text.lines()) {
        let own = decoded(decode(word));
        assert_eq!(line, own, "{name}: {}", hex(&word));
        matched += usize::from(own != "-");
    }
    assert!(matched > WORDS / 3, "{matched}");
}

#[test]
fn data_alone_suffices_to_decode_agal() {
    compare::<Agal>("agal", Insn::decode);
}

#[test]
fn data_alone_suffices_to_decode_pica200() {
    compare::<Pica200>("pica200", Insn::decode);
}

#[test]
fn data_alone_suffices_to_decode_maxwell() {
    compare::<Maxwell>("maxwell", Insn::decode);
}

#[test]
fn data_alone_suffices_to_decode_agx() {
    compare::<Agx>("agx", |word| shisa_agx::fetch(&word.to_le_bytes()));
}
