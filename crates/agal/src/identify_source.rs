//! Distinguishes AGAL source from other text.

use crate::RegType;
use crate::operand::{B, D, SamplerKind};
use crate::text::{names, opcodes};
use core::any::Any;
use shisa_diag::Confidence;
use shisa_ir::Stage;

/// The guess about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceGuess {
    /// The stage; `None` if the text fits both.
    pub stage: Option<Stage>,
    /// The lowest version that has everything the text uses.
    pub version: u32,
    /// The confidence of the guess.
    pub confidence: Confidence,
}

/// Longest line that can be an instruction.
const LONGEST_LINE: usize = 400;

/// Identifies AGAL source.
///
/// A text is AGAL if its lines are instructions. Comments and empty lines do not count. A piece of a larger text may
/// begin after the `<` of sampler options or end inside them. In a text of four or more lines, one line in four may
/// be faulty.
pub fn identify_source(text: &str) -> Option<SourceGuess> {
    let (mut all, mut sound, mut faulty) = (Clues::default(), 0usize, 0usize);
    for (i, line) in text.split(['\n', '\r', '\u{b}', '\u{c}']).enumerate() {
        let line = line.split("//").next().unwrap_or("").trim();
        match instruction(line) {
            Some(clues) => {
                sound += 1;
                all.add(clues);
            }
            None if line.is_empty() || (i == 0 && is_tail_of_options(line)) => {}
            // Prose is not read to its end.
            None if faulty > sound + 8 => return None,
            None => faulty += 1,
        }
    }
    // Names without a number are also words of other languages; no program has registers of both stages.
    if sound == 0 || !all.telling || faulty * 3 > sound || (all.vertex && all.fragment) {
        return None;
    }
    let confidence = match (faulty, sound) {
        (0, 2..) => Confidence::Certain,
        (0, _) => Confidence::Likely,
        _ => Confidence::Possible,
    };
    let stage = match (all.vertex, all.fragment) {
        (true, _) => Some(Stage::Vertex),
        (_, true) => Some(Stage::Fragment),
        _ => None,
    };
    Some(SourceGuess { stage, version: all.version.max(1), confidence })
}

/// What instructions show about their program.
#[derive(Clone, Copy, Debug, Default)]
struct Clues {
    vertex: bool,
    fragment: bool,
    version: u32,
    /// Whether a register has a number, an index, a mask, or a name that is not a word.
    telling: bool,
}

impl Clues {
    fn add(&mut self, other: Clues) {
        self.vertex |= other.vertex;
        self.fragment |= other.fragment;
        self.version = self.version.max(other.version);
        self.telling |= other.telling;
    }

    fn stage(&mut self, stage: Stage) {
        self.vertex |= stage == Stage::Vertex;
        self.fragment |= stage == Stage::Fragment;
    }

    /// Reads `ft0.xyz`, `vc[va0.x+4]` and the like; `None` for text that is not a register of any version.
    fn operand(&mut self, operand: &str, is_destination: bool) -> Option<()> {
        let Some((array, rest)) = operand.split_once('[') else {
            return self.register(operand, is_destination);
        };
        let (index, swizzle) = rest.split_once(']')?;
        let (index, offset) = index.split_once('+').unwrap_or((index, "0"));
        let sound =
            is_swizzle(swizzle) && !is_destination && offset.trim().bytes().all(|b| b.is_ascii_digit());
        let name = names::register(array).filter(|n| sound && n.kind == RegType::CONSTANT)?;
        name.only.into_iter().for_each(|s| self.stage(s));
        self.telling = true;
        self.register(index.trim(), false)
    }

    fn register(&mut self, text: &str, is_destination: bool) -> Option<()> {
        let (name, swizzle) = text.split_at_checked(text.find('.').unwrap_or(text.len()))?;
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (letters, digits) = name.split_at_checked(digits)?;
        let name = names::register(letters).filter(|_| is_swizzle(swizzle))?;
        let number = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        let stage = name.only.unwrap_or(match name.kind {
            RegType::ATTRIBUTE | RegType::INSTANCE => Stage::Vertex,
            // The one stage writes varyings, the other reads them.
            RegType::VARYING if is_destination => Stage::Vertex,
            _ => Stage::Fragment,
        });
        self.stage(stage);
        let first = (1..=crate::LAST_VERSION).find(|v| number < name.kind.count(*v, stage))?;
        self.version = self.version.max(first);
        self.telling |= !digits.is_empty() || !swizzle.is_empty() || name.kind == RegType::OUTPUT;
        Some(())
    }
}

/// `nearest,linear>` and the like: the end of sampler options that began in another piece.
fn is_tail_of_options(line: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || " ,_.-+".contains(c);
    line.strip_suffix('>').is_some_and(|rest| rest.chars().all(word))
}

fn is_swizzle(text: &str) -> bool {
    let letters = text.strip_prefix('.');
    let sound = |l: &str| matches!(l.len(), 1..=4) && l.bytes().all(|b| b"xyzwrgba".contains(&b));
    text.is_empty() || letters.is_some_and(sound)
}

/// Reads one instruction; `None` if the line is not one.
fn instruction(line: &str) -> Option<Clues> {
    if line.len() > LONGEST_LINE {
        return None;
    }
    let (name, operands) = line.split_at_checked(3)?;
    let form = opcodes::find(name)?;
    // Options may be cut off where pieces of the text were joined.
    let (operands, options) = match operands.split_once('<') {
        Some((front, behind)) => (front, Some(behind.trim_end())),
        None => (operands, None),
    };
    let sampler = form.operand(B).is_some_and(|o| (o.kind as &dyn Any).is::<SamplerKind>());
    let more = |o: &str| o.split_once('>').is_some_and(|(_, rest)| !rest.is_empty());
    let glued = !operands.is_empty() && !operands.starts_with([' ', '\t', ',']);
    if glued || options.is_some_and(|o| !sampler || more(o)) {
        return None;
    }
    let mut clues = Clues { version: u32::from(form.attr.since), ..Clues::default() };
    form.attr.stage.into_iter().for_each(|s| clues.stage(s));
    let mut count = 0;
    for operand in split(operands) {
        clues.operand(operand, count == 0 && form.operand(D).is_some())?;
        count += 1;
    }
    (count == form.operands.len()).then_some(clues)
}

/// Operands, with commas or blanks between them; blanks inside brackets belong to the operand.
fn split(operands: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    let end = move |c: char| {
        inside = (inside || c == '[') && c != ']';
        !inside && (c == ',' || c.is_whitespace())
    };
    operands.split(end).filter(|o| !o.is_empty())
}
