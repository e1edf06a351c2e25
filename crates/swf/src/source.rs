//! Telling AGAL source from other text.

use crate::Confidence;
use shisa_agal::{Agal, RegType};
use shisa_ir::Stage;
use shisa_rows::{Form, Isa};

/// What a text seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    pub(crate) stage: Option<Stage>,
    pub(crate) version: u32,
    pub(crate) confidence: Confidence,
}

/// Longest line that can be an instruction.
const LONGEST_LINE: usize = 400;

/// Takes a text for AGAL when its lines are instructions. Comments and empty lines do not count; a
/// piece of a larger text may begin behind the `<` of sampler options or end in them. Of four or more
/// lines every fourth may be faulty.
pub(crate) fn recognise(text: &str) -> Option<Guess> {
    let mut lines = Lines::default();
    for (i, line) in text.split(['\n', '\r', '\u{b}', '\u{c}']).enumerate() {
        let line = line.split("//").next().unwrap_or("").trim();
        match instruction(line) {
            Some(clues) => lines.add(clues),
            None if line.is_empty() || (i == 0 && is_tail_of_options(line)) => {}
            // Prose is not read to its end.
            None if lines.faulty > lines.sound + 8 => return None,
            None => lines.faulty += 1,
        }
    }
    lines.guess()
}

#[derive(Default)]
struct Lines {
    sound: usize,
    faulty: usize,
    clues: Clues,
}

impl Lines {
    fn add(&mut self, clues: Clues) {
        self.sound += 1;
        self.clues.vertex |= clues.vertex;
        self.clues.fragment |= clues.fragment;
        self.clues.version = self.clues.version.max(clues.version);
        self.clues.numbered |= clues.numbered;
    }

    fn guess(self) -> Option<Guess> {
        // Names without a number are words of other languages too.
        if self.sound == 0 || !self.clues.numbered || self.faulty * 3 > self.sound {
            return None;
        }
        let stage = match (self.clues.vertex, self.clues.fragment) {
            (true, false) => Some(Stage::Vertex),
            (false, true) => Some(Stage::Fragment),
            // Registers of both stages: no program.
            (true, true) => return None,
            (false, false) => None,
        };
        let confidence = match (self.faulty, self.sound) {
            (0, 2..) => Confidence::Certain,
            (0, _) => Confidence::Likely,
            _ => Confidence::Possible,
        };
        Some(Guess { stage, version: self.clues.version.max(1), confidence })
    }
}

/// What an instruction says about its program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Clues {
    vertex: bool,
    fragment: bool,
    version: u32,
    /// Whether a register has a number, an index or a mask.
    numbered: bool,
}

/// `nearest,linear>` and the like: the end of sampler options that began in another piece.
fn is_tail_of_options(line: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || " ,_.-+".contains(c);
    line.strip_suffix('>').is_some_and(|rest| rest.chars().all(word))
}

/// Reads one instruction; `None` when the line is none.
fn instruction(line: &str) -> Option<Clues> {
    if line.len() > LONGEST_LINE {
        return None;
    }
    let (name, operands) = line.split_at_checked(3)?;
    let form = form(name)?;
    // Options may have been cut off where the pieces of the text meet.
    let (operands, options) = match operands.split_once('<') {
        Some((front, behind)) => (front, Some(behind.trim_end())),
        None => (operands, None),
    };
    let sampler = form.operands.iter().any(|o| o.kind.describe() == "sampler");
    if options.is_some_and(|o| !sampler || o.split_once('>').is_some_and(|(_, rest)| !rest.is_empty())) {
        return None;
    }
    let mut clues = Clues { version: u32::from(form.attr.since), ..Clues::default() };
    match form.attr.stage {
        Some(Stage::Vertex) => clues.vertex = true,
        Some(_) => clues.fragment = true,
        None => {}
    }
    if !operands.is_empty() && !operands.starts_with([' ', '\t', ',']) {
        return None;
    }
    let mut count = 0;
    for (i, operand) in split(operands).enumerate() {
        let is_destination = i == 0 && form.operand(shisa_rows::Slot(0)).is_some();
        operand_clues(operand, is_destination, &mut clues)?;
        count = i + 1;
    }
    // els and eif stand alone and count as little as words do.
    (count == form.operands.len()).then_some(clues)
}

fn form(name: &str) -> Option<&'static Form<Agal>> {
    Agal::table().forms().iter().find(|f| f.name == name)
}

/// Operands, with commas or blanks between them; blanks inside brackets belong to the operand.
fn split(operands: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    operands
        .split(move |c: char| {
            inside = (inside || c == '[') && c != ']';
            !inside && (c == ',' || c.is_whitespace())
        })
        .filter(|o| !o.is_empty())
}

/// Reads `ft0.xyz`, `vc[va0.x+4]` and the like.
fn operand_clues(operand: &str, is_destination: bool, clues: &mut Clues) -> Option<()> {
    if let Some((array, rest)) = operand.split_once('[') {
        let (index, behind) = rest.split_once(']')?;
        if !matches!(array, "vc" | "fc") || !is_swizzle(behind) || is_destination {
            return None;
        }
        let (index, offset) = index.split_once('+').unwrap_or((index, "0"));
        if !offset.trim().bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let (kind, number, _) = register(index.trim())?;
        clues.note(kind, number, false)?;
        clues.vertex |= array == "vc";
        clues.fragment |= array == "fc";
        clues.numbered = true;
        return Some(());
    }
    let (kind, number, mask) = register(operand)?;
    clues.note(kind, number, is_destination)?;
    clues.numbered |= number.is_some() || mask || matches!(kind, "op" | "oc");
    Some(())
}

fn is_swizzle(text: &str) -> bool {
    let letters = text.strip_prefix('.');
    text.is_empty()
        || letters.is_some_and(|l| matches!(l.len(), 1..=4) && l.bytes().all(|b| b"xyzwrgba".contains(&b)))
}

/// Name, number and whether a mask or swizzle follows.
fn register(text: &str) -> Option<(&str, Option<u32>, bool)> {
    let dot = text.find('.').unwrap_or(text.len());
    let (name, swizzle) = text.split_at_checked(dot)?;
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let (kind, number) = name.split_at_checked(digits)?;
    let known = matches!(
        kind,
        "va" | "vc"
            | "vt"
            | "vo"
            | "op"
            | "v"
            | "vi"
            | "i"
            | "fi"
            | "fs"
            | "vs"
            | "fc"
            | "ft"
            | "fo"
            | "oc"
            | "fd"
            | "od"
            | "iid"
    );
    if !known || !is_swizzle(swizzle) || number.len() > 3 {
        return None;
    }
    let number = if number.is_empty() { None } else { Some(number.parse().ok()?) };
    Some((kind, number, !swizzle.is_empty()))
}

impl Clues {
    /// Takes note of a register; `None` when no version has one of that number.
    fn note(&mut self, kind: &str, number: Option<u32>, is_destination: bool) -> Option<()> {
        let number = number.unwrap_or(0);
        let (stage, register) = match kind {
            "va" => (Some(Stage::Vertex), RegType::ATTRIBUTE),
            "vc" => (Some(Stage::Vertex), RegType::CONSTANT),
            "vt" => (Some(Stage::Vertex), RegType::TEMPORARY),
            "op" | "vo" => (Some(Stage::Vertex), RegType::OUTPUT),
            "iid" => (Some(Stage::Vertex), RegType::INSTANCE),
            "vs" => (Some(Stage::Vertex), RegType::SAMPLER),
            "fc" => (Some(Stage::Fragment), RegType::CONSTANT),
            "ft" => (Some(Stage::Fragment), RegType::TEMPORARY),
            "oc" | "fo" => (Some(Stage::Fragment), RegType::OUTPUT),
            "fs" => (Some(Stage::Fragment), RegType::SAMPLER),
            "fd" | "od" => (Some(Stage::Fragment), RegType::DEPTH),
            // Varyings: written by the one, read by the other.
            _ if is_destination => (Some(Stage::Vertex), RegType::VARYING),
            _ => (Some(Stage::Fragment), RegType::VARYING),
        };
        match stage {
            Some(Stage::Vertex) => self.vertex = true,
            _ => self.fragment = true,
        }
        let stage = stage.unwrap_or(Stage::Fragment);
        let first = (1..=4).find(|v| number < register.count(*v, stage))?;
        self.version = self.version.max(first);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Confidence::{Certain, Likely, Possible};

    fn guess(text: &str) -> Option<(Option<Stage>, u32, Confidence)> {
        recognise(text).map(|g| (g.stage, g.version, g.confidence))
    }

    #[test]
    fn source_is_known() {
        let vertex = Some(Stage::Vertex);
        let fragment = Some(Stage::Fragment);
        assert_eq!(guess("m44 op, va0, vc0\nmov v0, va1\n"), Some((vertex, 1, Certain)));
        assert_eq!(guess("m44 op, va0, vc0 // 4x4\r\n\r\n  mov v0, va1"), Some((vertex, 1, Certain)));
        assert_eq!(guess("mov oc, v0"), Some((fragment, 1, Likely)));
        assert_eq!(guess("mov ft2 v0"), Some((fragment, 1, Likely)));
        assert_eq!(guess("tex ft1, v0, fs0 <2d, linear, nomip>\n"), Some((fragment, 1, Likely)));
        assert_eq!(guess("tex ft1, v0, fs0 <2d,"), Some((fragment, 1, Likely)), "cut off in the options");
        assert_eq!(guess("linear>\nmul oc, ft1, v1\n"), Some((fragment, 1, Likely)), "begins in the options");
        assert_eq!(guess("add vt0, va0, vc[va1.x+4].xyz"), Some((vertex, 1, Likely)));
        assert_eq!(guess("ife ft0.x, fc0.y\nmov ft1, v0\neif\nmov oc, ft1"), Some((fragment, 2, Certain)));
        assert_eq!(guess("mov vt0, iid.x"), Some((vertex, 3, Likely)));
        assert_eq!(guess("tld vt0, va0, vs0 <2d>"), Some((vertex, 4, Likely)));
        assert_eq!(guess("mov fo1, v0"), Some((fragment, 2, Likely)));
        assert_eq!(
            guess("mov ft0, v0\nmov ft1, v1\nmul ft0 ft1\nmov oc, ft0"),
            Some((fragment, 1, Possible))
        );
    }

    #[test]
    fn other_text_is_not() {
        for text in [
            "",
            "mov",
            "mov ",
            "els",
            "eif\nels\n",
            "add to cart",
            "min, max",
            "sub total",
            "log in",
            "kil bill",
            "exp v o",
            "mov eax, ebx",
            "mov r0, r1",
            "add r0, r1, r2",
            "mul r0, v0, c0",
            "dp4 oPos.x, v0, c0",
            "mov oC0, v0",
            "texld r0, t0, s0",
            "MOV oc, v0",
            "mov v0, v1",
            "add v0, v1",
            "mov oc, v0, v1",
            "mov oc v0 ft",
            "mov op, fc0",
            "movoc, v0",
            "mov v0, va99",
            "gl_FragColor = texture2D(fs0, v0);",
            "m44 o0, a0, c0",
            "mov ft0.xyq, v0",
            "mov vt[va0.x], va1",
            "nrm the vector, v0",
            "To copy a colour write:\nmov oc, v0\nand upload it.",
            "mov oc, v0 <2d>",
            "tex ft0, v0, fs0 <2d> and more",
            "a>b",
            "sin, cos, abs",
        ] {
            assert_eq!(guess(text), None, "{text:?}");
        }
    }
}
