//! Diagrams of the bits of forms.

use super::text::{code, html, prose, row};
use crate::data::{Bits, Family, FormData, Hex, OperandData, Piece};
use std::fmt::Write as _;

/// The number of bits of a row of a diagram.
const ROW: u8 = 32;

/// A modifier, an operand, or a part of an operand.
struct Cell {
    name: String,
    values: String,
    bits: Vec<Bits>,
}

/// What a bit of a word is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bit {
    /// Fixed by the form.
    Fixed(bool),
    /// Set by compilers, although it has no meaning.
    Filler,
    /// Of the cell with this number.
    Cell(usize),
    /// Without a meaning.
    Free,
}

/// The diagram of a form, one table for each row of bits, and a list of its fields.
pub(super) fn diagram(family: &Family, form: &FormData) -> String {
    let cells = cells(form);
    let end = form.length.map_or(family.bits, |length| u32::from(length.long) * 8);
    let mut text = String::new();
    for piece in family.pieces.iter().rev().filter(|piece| u32::from(piece.lo) < end) {
        let width = piece.width.min((end - u32::from(piece.lo)) as u8);
        for low in (0..width).step_by(usize::from(ROW)).rev() {
            table(&mut text, &cells, form, piece, low, (low + ROW).min(width));
        }
    }
    if !cells.is_empty() {
        text += "\n| letter | field | bits | values |\n|---|---|---|---|\n";
        for (number, cell) in cells.iter().enumerate() {
            let bits: Vec<String> = cell.bits.iter().map(|bits| range(family, *bits)).collect();
            let name = format!("**{}**", letters(number));
            text += &row(&[&name, &prose(&cell.name), &bits.join(", "), &cell.values]);
        }
    }
    text
}

/// The bits from `low` up to below `end` of a piece.
fn table(text: &mut String, cells: &[Cell], form: &FormData, piece: &Piece, low: u8, end: u8) {
    let bits: Vec<Bit> = (low..end).rev().map(|bit| meaning(cells, form, piece.lo + bit)).collect();
    // Bits of one field are one cell; fixed bits are shown bit by bit.
    let runs: Vec<&[Bit]> = bits
        .chunk_by(|a, b| match (a, b) {
            (Bit::Fixed(_) | Bit::Filler, Bit::Fixed(_) | Bit::Filler) => true,
            (a, b) => a == b,
        })
        .collect();
    let (mut head, mut body, mut high) = (String::new(), String::new(), end);
    for run in runs {
        let lowest = high - run.len() as u8;
        let numbers = if run.len() == 1 { lowest.to_string() } else { format!("{}–{lowest}", high - 1) };
        let _ = write!(head, "<th scope=\"col\" colspan=\"{}\">{numbers}</th>", run.len());
        let (class, content) = content(cells, run);
        let _ = write!(body, "<td class=\"{class}\" colspan=\"{}\">{content}</td>", run.len());
        high = lowest;
    }
    let _ = writeln!(
        text,
        "<table class=\"bits\"><caption>{}, bits {} to {low}</caption><colgroup><col span=\"{}\"></colgroup>\
         <thead><tr>{head}</tr></thead><tbody><tr>{body}</tr></tbody></table>\n",
        piece.name,
        end - 1,
        end - low,
    );
}

/// The class and the text of a cell.
fn content(cells: &[Cell], run: &[Bit]) -> (&'static str, String) {
    match run.first() {
        Some(Bit::Cell(number)) => {
            let name = cells.get(*number).map(|cell| html(&cell.name)).unwrap_or_default();
            ("field", format!("<abbr title=\"{name}\">{}</abbr>", letters(*number)))
        }
        Some(Bit::Fixed(_) | Bit::Filler) => {
            let digit = |bit: &Bit| match bit {
                Bit::Fixed(false) => '0',
                Bit::Fixed(true) | Bit::Filler => '1',
                Bit::Cell(_) | Bit::Free => ' ',
            };
            ("fixed", run.iter().map(digit).collect())
        }
        Some(Bit::Free) | None => ("free", "<abbr title=\"without a meaning\">·</abbr>".to_owned()),
    }
}

fn meaning(cells: &[Cell], form: &FormData, bit: u8) -> Bit {
    let (Hex(mask), Hex(value)) = (form.mask, form.bits);
    let set = |word: u128| u32::from(bit) < u128::BITS && word >> bit & 1 != 0;
    if set(mask) {
        return Bit::Fixed(set(value));
    }
    let has = |cell: &Cell| cell.bits.iter().any(|(lo, width)| (*lo..lo + width).contains(&bit));
    match cells.iter().position(has) {
        Some(number) => Bit::Cell(number),
        None if form.filler.is_some_and(|Hex(filler)| set(filler)) => Bit::Filler,
        None => Bit::Free,
    }
}

fn cells(form: &FormData) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (number, modifier) in (1..).zip(&form.modifiers) {
        let values = values(modifier.names, "nothing");
        if !modifier.bits.is_empty() {
            cells.push(Cell { name: format!("modifier {number}"), values, bits: modifier.bits.clone() });
        }
    }
    for (number, operand) in (1..).zip(&form.operands) {
        cells.extend(parts(operand, &format!("operand {number}, {}", operand.kind)));
    }
    for operand in form.prefix.iter().chain(&form.suffix) {
        cells.extend(parts(operand, operand.kind));
    }
    cells
}

/// The parts of an operand, from the lowest up; an operand without parts is one.
fn parts(operand: &OperandData, name: &str) -> Vec<Cell> {
    if operand.bits.is_empty() {
        return Vec::new();
    }
    if operand.parts.len() < 2 {
        let width: u32 = operand.bits.iter().map(|(_, width)| u32::from(*width)).sum();
        let values = match operand.names {
            [] => numbers(width),
            names => values(names, if operand.optional { "left out" } else { "not valid" }),
        };
        return vec![Cell { name: name.to_owned(), values, bits: operand.bits.clone() }];
    }
    let cell = |part: &crate::data::PartData| Cell {
        name: format!("{name}: {}", part.name),
        values: numbers(u32::from(part.width)),
        bits: slice(&operand.bits, part.lo, part.width),
    };
    operand.parts.iter().map(cell).collect()
}

/// The runs of a word's bits that are these bits of a value.
fn slice(runs: &[Bits], lo: u8, width: u8) -> Vec<Bits> {
    let (mut slices, mut at) = (Vec::new(), 0);
    for (first, count) in runs {
        let (from, to) = (lo.max(at), (lo + width).min(at + count));
        if from < to {
            slices.push((first + (from - at), to - from));
        }
        at += count;
    }
    slices
}

/// The numbers of a value of so many bits.
fn numbers(width: u32) -> String {
    match width {
        0..=16 => format!("0 to {}", (1u64 << width) - 1),
        _ => format!("{width} bits"),
    }
}

/// The text of each value.
fn values(names: &[&str], empty: &str) -> String {
    let name = |(value, name): (usize, &&str)| match *name {
        "" => format!("{value} {empty}"),
        name => format!("{value} {}", code(name)),
    };
    names.iter().enumerate().map(name).collect::<Vec<_>>().join(", ")
}

/// A run of bits, counted within its piece; the first piece needs no name.
fn range(family: &Family, (lo, width): Bits) -> String {
    let piece = family.pieces.iter().rfind(|piece| piece.lo <= lo);
    let (base, name) = piece.map_or((0, ""), |piece| (piece.lo, piece.name));
    let (lo, high) = (lo - base, lo - base + width - 1);
    // The line does not break after the dash.
    let bits = if lo == high { lo.to_string() } else { format!("{high}–\u{2060}{lo}") };
    if base == 0 { bits } else { format!("{} {bits}", name.to_lowercase()) }
}

/// `a` to `z`, `aa` and so on.
fn letters(number: usize) -> String {
    const LETTERS: usize = 26;
    let letter = |n: usize| char::from(b'a' + (n % LETTERS) as u8);
    match number / LETTERS {
        0 => letter(number).to_string(),
        more => format!("{}{}", letter(more - 1), letter(number)),
    }
}
