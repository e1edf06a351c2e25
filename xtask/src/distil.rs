//! `cargo xtask distil`: makes the repository's corpus from the complete conformance data.

use shisa_conformance::{Data, Pack};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;

/// Make tests/corpus from the complete conformance data
///
/// The same data yields the same bytes. The selection depends only on the judges' texts, never on the tables of this
/// project.
#[derive(Debug, clap::Args)]
pub(crate) struct Distil {
    /// The folder with the complete data
    #[arg(long, default_value = "../shared/oracle")]
    dir: PathBuf,
}

impl Distil {
    /// Writes the corpus of each family.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let data = Data::Folder(self.dir.clone());
        for (family, pack) in [
            ("agal", agal(&data)?),
            ("pica200", pica200(&data)?),
            ("maxwell", maxwell(&data)?),
            ("agx", agx(&data)?),
        ] {
            let (files, bytes) = (pack.files.len(), pack.files.values().map(Vec::len).sum::<usize>());
            println!("{family}: {files} files, {bytes} bytes, {} packed", pack.write(family)?);
        }
        Ok(())
    }
}

/// Adds files unchanged.
fn take(data: &Data, pack: &mut Pack, names: impl IntoIterator<Item = String>) -> Result<(), Box<dyn Error>> {
    for name in names {
        pack.files.insert(name.clone(), data.read(&name)?);
    }
    Ok(())
}

/// Everything except texts that others recorded.
fn agal(data: &Data) -> Result<Pack, Box<dyn Error>> {
    let mut pack = Pack::default();
    for folder in ["asm", "bin", "run", "errors"] {
        take(data, &mut pack, data.list(&format!("agal/{folder}"), "")?)?;
    }
    take(data, &mut pack, ["agal/text-errors.tsv".into()])?;
    let name = "agal/errors/errors.tsv";
    pack.files.insert(name.into(), without_column(&data.text(name)?, "flash_trace").into_bytes());
    Ok(pack)
}

/// A table with one column emptied.
fn without_column(table: &str, column: &str) -> String {
    let at = table.lines().next().unwrap_or_default().split('\t').position(|c| c == column);
    let mut out = String::new();
    for (number, line) in table.lines().enumerate() {
        let cells = line.split('\t').enumerate();
        let cells: Vec<&str> = cells.map(|(i, c)| if number > 0 && Some(i) == at { "" } else { c }).collect();
        out += &cells.join("\t");
        out.push('\n');
    }
    out
}

/// Everything except `hw`, whose cases others wrote.
fn pica200(data: &Data) -> Result<Pack, Box<dyn Error>> {
    let mut pack = Pack::default();
    for folder in ["asm", "bin", "run", "errors", "errors/bin"] {
        take(data, &mut pack, data.list(&format!("pica200/{folder}"), "")?)?;
    }
    take(data, &mut pack, ["pica200/commands.tsv".into(), "pica200/errors.tsv".into()])?;
    Ok(pack)
}

/// Everything.
fn agx(data: &Data) -> Result<Pack, Box<dyn Error>> {
    let mut pack = Pack::default();
    take(data, &mut pack, ["pairs.tsv", "exec.jsonl", "links.jsonl"].map(|n| format!("agx/{n}")))?;
    Ok(pack)
}

/// Words that add a feature, listings for one chip without bytes and addresses, and the rest unchanged.
fn maxwell(data: &Data) -> Result<Pack, Box<dyn Error>> {
    let mut pack = Pack::default();
    for chip in ["sm50", "sm53"] {
        let name = format!("maxwell/words/{chip}.tsv");
        let words = words(&data.text(&name)?);
        pack.files.insert(name, words.into_bytes());
    }
    take(data, &mut pack, ["maxwell/sched/bundles.jsonl".into()])?;
    for name in data.list("maxwell/ptx", "")? {
        if name.ends_with(".listing.txt") {
            if name.contains("sm_50") {
                continue;
            }
            pack.files.insert(name.clone(), listing(&data.text(&name)?).into_bytes());
        } else if name.ends_with(".cubin") || name.ends_with(".raw.jsonl") {
            take(data, &mut pack, [name])?;
        }
    }
    take(data, &mut pack, ["glsl/shaders.jsonl", "cuda/cases.jsonl"].map(|n| format!("maxwell/{n}")))?;
    Ok(pack)
}

/// The lines of a listing that name a section, a label or an instruction, without the instruction's bytes.
fn listing(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let instruction = line.trim_start().strip_prefix("/*").and_then(|l| l.split_once("*/"));
        if let Some((_, rest)) = instruction {
            let text = rest.split("/*").next().unwrap_or_default().trim();
            if !text.is_empty() {
                out += &format!(" /**/ {text}\n");
            }
        } else if line.starts_with("\t.section\t") || line.ends_with(':') && !line.starts_with([' ', '\t']) {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// The smallest number of words of one shape that are selected.
const OF_A_SHAPE: usize = 6;
/// The smallest number of words that are refused for one reason, selected for each group of [`GROUP`] bits.
const OF_A_REFUSAL: usize = 1;
/// The number of highest bits of a word by which refusals are grouped.
const GROUP: usize = 3;

/// The lines of a table of words that add a feature to the lines before: a suffix of a mnemonic, the shape of an
/// operand, a reason to refuse in another part of the encoding.
fn words(table: &str) -> String {
    let (mut seen, mut shapes) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
    let mut out = String::new();
    for line in table.lines() {
        let mut cells = line.split('\t');
        let (word, _, text) =
            (cells.next().unwrap_or(""), cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        let (shape, features, most) = match text.strip_prefix('!') {
            Some(why) => {
                let group = word.get(..GROUP).unwrap_or_default();
                (format!("! {group} {}", without_numbers(why)), vec![], OF_A_REFUSAL)
            }
            None => {
                let (shape, features) = features(text);
                (shape, features, OF_A_SHAPE)
            }
        };
        let mut new = line.starts_with('#');
        for feature in features {
            new |= seen.insert(format!("{shape} {feature}"));
        }
        let count = shapes.entry(shape).or_default();
        if new || *count < most {
            *count += 1;
            out += line;
            out.push('\n');
        }
    }
    out
}

/// A text in which every number is replaced by the same one.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let c = if c.is_ascii_digit() { '0' } else { c };
        if c != '0' || !out.ends_with('0') {
            out.push(c);
        }
    }
    out
}

/// The mnemonic with the shapes of its operands, and the other features of an instruction: each suffix, the guard,
/// each operand with its signs and suffixes.
fn features(text: &str) -> (String, Vec<String>) {
    let text = text.trim().trim_end_matches(';').trim();
    let (guard, text) = match text.strip_prefix('@') {
        Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
        None => ("", text),
    };
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
    let mut suffixes = mnemonic.split('.');
    let name = suffixes.next().unwrap_or_default();
    let mut features: Vec<String> = suffixes.map(|s| format!(".{s}")).collect();
    features.push(format!("@{}", without_numbers(guard)));
    let mut shape = name.to_owned();
    for (i, operand) in operands.split(',').enumerate() {
        let operand = operand.trim();
        // Special registers and the like are distinguished by their names.
        let kind = match operand.trim_start_matches(['-', '|', '!', '~', '+']) {
            o if o.starts_with("SR_") => "SR",
            o if o.starts_with("0x") || o.starts_with(|c: char| c.is_ascii_digit()) => "0",
            o => match o.as_bytes() {
                [b'c', b'[', ..] | [b'c', b'x', b'[', ..] => "c",
                [b'a', b'[', ..] => "a",
                [b'[', ..] => "[",
                [b'R', ..] => "R",
                [b'P', ..] => "P",
                _ => o,
            },
        };
        shape += &format!(" {kind}");
        features.push(format!("{i} {}", operand_shape(operand)));
    }
    (shape, features)
}

/// An operand without the values of its registers and numbers.
fn operand_shape(operand: &str) -> String {
    let mut out = String::new();
    let mut in_number = false;
    let mut chars = operand.chars().peekable();
    while let Some(c) = chars.next() {
        let hexadecimal = c == '0' && chars.peek() == Some(&'x');
        if hexadecimal || c.is_ascii_digit() {
            in_number |= hexadecimal;
            if !out.ends_with('0') {
                out.push('0');
            }
        } else if in_number && (c.is_ascii_hexdigit() || c == 'x') {
        } else {
            in_number = false;
            out.push(c);
        }
    }
    out
}
