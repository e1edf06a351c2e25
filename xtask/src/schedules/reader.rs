//! Reads registers and branches off nvdisasm's text. Nothing here knows a row, an operand kind or a bound: the judge of
//! schedules must not share what makes them.

use std::collections::BTreeSet;

/// The number of the condition codes among registers; predicates are below it, general registers below those.
const CODES: u16 = 264;
const PREDICATE: u16 = 256;
const NEVER: u8 = 7;

/// What carries a value.
pub(super) fn carrier(register: u16) -> &'static str {
    match register {
        CODES => "codes",
        PREDICATE..CODES => "predicate",
        _ => "general",
    }
}

/// The unit that executes instructions with a mnemonic, in their order.
pub(super) fn unit(name: &str) -> &str {
    match name {
        "DADD" | "DMUL" | "DFMA" | "DMNMX" | "DSET" | "DSETP" => "double",
        "MUFU" | "F2F" | "F2I" | "I2F" | "I2I" | "POPC" | "FLO" | "FCHK" | "IMUL" | "IMAD" => "special",
        "LD" | "LDG" | "LDL" | "ST" | "STG" | "STL" | "ATOM" | "RED" => "memory",
        "LDS" | "STS" | "ATOMS" | "SHFL" => "shared",
        _ => name,
    }
}

/// Whether the barriers of a later instruction signal an earlier one, too, because both end in their order. cuDNN relies
/// on it for textures before accesses to memory.
pub(super) fn signals(later: &str, earlier: &str) -> bool {
    let is_texture = ["TEX", "TEXS", "TLD", "TLDS", "TLD4", "TLD4S"].contains(&earlier);
    unit(later) == unit(earlier) || is_texture && unit(later) == "memory"
}

/// One instruction, as its text states it.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The mnemonic without suffixes.
    pub(super) name: String,
    /// Its guard: the predicate and whether it is negated; P7 is always true.
    pub(super) guard: (u8, bool),
    /// What its operands read.
    pub(super) reads: BTreeSet<u16>,
    pub(super) writes: BTreeSet<u16>,
    /// Where it continues besides the next instruction; `None` if the text does not state it.
    pub(super) target: Option<u64>,
    pub(super) leaves: bool,
    /// The barriers of a DEPBAR.
    pub(super) drains: u32,
}

impl Line {
    /// Whether it runs on every path.
    pub(super) fn always(&self) -> bool {
        self.guard == (NEVER, false)
    }

    /// What its guard reads.
    pub(super) fn guarded_by(&self) -> Option<u16> {
        (self.guard.0 != NEVER).then(|| PREDICATE + u16::from(self.guard.0))
    }

    /// Whether it never runs where the other one did.
    pub(super) fn excludes(&self, other: &Line) -> bool {
        self.guard.0 == other.guard.0 && self.guard.1 != other.guard.1
    }

    /// Reads an instruction: `@!P0 IADD.X R0.CC, R2, c[0x0][0x4];`.
    pub(super) fn read(text: &str) -> Line {
        let text = text.trim().trim_matches(|c| matches!(c, '{' | '}' | ';' | ' '));
        let text = text.split(';').next().unwrap_or(text);
        let mut line = Line { guard: (NEVER, false), ..Line::default() };
        let rest = match text.strip_prefix('@').and_then(|t| t.split_once(' ')) {
            Some((guard, rest)) => {
                let number = guard.trim_start_matches('!');
                line.guard = (predicate(number).unwrap_or(NEVER), guard.starts_with('!'));
                rest.trim()
            }
            None => text,
        };
        let (mnemonic, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        let suffixes: Vec<&str> = mnemonic.split('.').collect();
        line.name = suffixes[0].into();
        let has = |suffix: &str| suffixes.contains(&suffix);
        let operands: Vec<&str> =
            operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
        line.flow(&operands);
        if has("X") || operands.iter().any(|o| o.starts_with("CC.")) {
            line.reads.insert(CODES);
        }
        let widths = Widths::of(&suffixes);
        let results = results(&line.name, &operands);
        for (n, operand) in operands.iter().enumerate() {
            let is_result = n < results;
            if operand.contains(".CC") && is_result {
                line.writes.insert(CODES);
            }
            let set = if is_result { &mut line.writes } else { &mut line.reads };
            // The last operand of accesses to attributes names a vertex.
            let vertex = matches!(line.name.as_str(), "ALD" | "AST") && n > 1;
            let width = match (is_result, operand.contains('[')) {
                _ if vertex => 1,
                (true, _) => widths.result,
                (_, true) => widths.address,
                (_, false) => widths.source,
            };
            set.extend(registers(operand, width));
        }
        let codes = operands.contains(&"CC");
        match line.name.as_str() {
            "P2R" if codes => _ = line.reads.insert(CODES),
            "R2P" if codes => _ = line.writes.insert(CODES),
            "P2R" => line.reads.extend(PREDICATE..PREDICATE + 7),
            "R2P" => {
                let mask = operands.last().and_then(|o| u32::from_str_radix(o.strip_prefix("0x")?, 16).ok());
                let named = |n: &u16| mask.is_none_or(|mask| mask >> n & 1 != 0);
                line.writes.extend((0..7).filter(named).map(|n| PREDICATE + n));
            }
            "DEPBAR" => line.drains = barriers(&operands),
            _ => {}
        }
        line
    }

    fn flow(&mut self, operands: &[&str]) {
        self.leaves =
            ["BRA", "JMP", "EXIT", "SYNC", "BRK", "CONT", "RET", "CAL", "JCAL", "BRX", "JMX", "KIL", "PRET"]
                .contains(&self.name.as_str());
        let address = operands.last().and_then(|o| o.strip_prefix("0x"));
        if self.name == "BRA" {
            self.target = address.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        }
    }
}

/// The registers that operands of an instruction have, by its suffixes.
struct Widths {
    result: u16,
    source: u16,
    address: u16,
}

impl Widths {
    fn of(suffixes: &[&str]) -> Widths {
        let name = suffixes[0];
        let has = |suffix: &str| suffixes.contains(&suffix);
        let bits = |suffix: &str| if suffix.ends_with("64") { 2 } else { 1 };
        let memory = ["LD", "ST", "AT", "RED", "AL", "AS", "SU"].iter().any(|start| name.starts_with(start));
        let data = match () {
            () if has("128") || has("B128") => 4,
            () if has("96") => 3,
            () if suffixes.iter().any(|s| s.ends_with("64")) => 2,
            () => 1,
        };
        let address = if has("E") { 2 } else { 1 };
        match name {
            "DADD" | "DMUL" | "DFMA" | "DMNMX" => Widths { result: 2, source: 2, address },
            "DSETP" | "DSET" => Widths { result: 1, source: 2, address },
            "F2F" | "F2I" | "I2F" | "I2I" => {
                let kinds: Vec<&str> = suffixes[1..]
                    .iter()
                    .copied()
                    .filter(|s| s.starts_with(['F', 'S', 'U']) && s[1..].parse::<u8>().is_ok())
                    .collect();
                let of = |n: usize| kinds.get(n).map_or(1, |s| bits(s));
                Widths { result: of(0), source: of(1), address }
            }
            _ if memory => Widths { result: data, source: data, address },
            _ => Widths { result: 1, source: 1, address },
        }
    }
}

/// How many of the first operands are results.
fn results(name: &str, operands: &[&str]) -> usize {
    let starts = |n: usize, letter: char| operands.get(n).is_some_and(|o| o.starts_with(letter));
    let none =
        ["ST", "STG", "STL", "STS", "AST", "RED", "SUST", "SURED", "BAR", "MEMBAR", "CCTL", "DEPBAR", "R2P"];
    match name {
        _ if none.contains(&name) => 0,
        _ if name.ends_with("SETP") || name.ends_with("SETP2") => 2,
        "FCHK" => 1,
        "VOTE" => 2,
        _ if starts(0, 'P') && starts(1, 'R') => 2,
        _ if starts(0, 'P') || starts(0, 'R') => 1,
        _ => 0,
    }
}

/// The number of a predicate, `P3`; `None` for PT and other operands.
fn predicate(text: &str) -> Option<u8> {
    text.strip_prefix('P')?.parse().ok().filter(|number| *number < NEVER)
}

/// All registers in an operand.
fn registers(operand: &str, width: u16) -> Vec<u16> {
    let mut all = Vec::new();
    for word in operand.split(|c: char| !c.is_ascii_alphanumeric()) {
        if let Some(number) = predicate(word) {
            all.push(PREDICATE + u16::from(number));
        }
        if let Some(number) = word.strip_prefix('R').and_then(|n| n.parse::<u16>().ok()) {
            all.extend(number..(number + width).min(255));
        }
    }
    all
}

/// The barriers that a DEPBAR names: `SB0`, `{4,3}`.
fn barriers(operands: &[&str]) -> u32 {
    let text = operands.join(",");
    let (counted, listed) = text.split_once('{').unwrap_or((&text, ""));
    let counted = counted.split(',').find_map(|o| o.strip_prefix("SB")?.parse::<u32>().ok());
    let listed = listed.trim_end_matches('}').split(',').filter_map(|o| o.trim().parse::<u32>().ok());
    counted.into_iter().chain(listed).filter(|b| *b < 6).fold(0, |mask, b| mask | 1 << b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The registers that a text reads and writes.
    fn registers(text: &str) -> [Vec<u16>; 2] {
        let line = Line::read(text);
        [line.reads, line.writes].map(|set| set.into_iter().collect())
    }

    #[test]
    fn texts_state_registers() {
        assert_eq!(registers("FCHK.DIVIDE P0, R3, R4;"), [vec![3, 4], vec![PREDICATE]]);
        assert_eq!(registers("SHFL.IDX PT, R23, R26, R12, 0x1f;"), [vec![12, 26], vec![23]]);
        assert_eq!(registers("R2P CC, R0, 0xf;"), [vec![0], vec![CODES]]);
        assert_eq!(registers("R2P PR, R0, 0x5;"), [vec![0], vec![PREDICATE, PREDICATE + 2]]);
        assert_eq!(registers("P2R R34, CC, RZ, 0xf;"), [vec![CODES], vec![34]]);
        let guarded = Line::read("@!P1 MOV R0, R1;");
        assert_eq!((guarded.guarded_by(), guarded.reads), (Some(PREDICATE + 1), BTreeSet::from([1])));
    }
}
