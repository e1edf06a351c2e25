//! A program around an instruction, which gives it what its row states that it needs.

use shisa_ir::{FileId, Lifted, Op};
use shisa_maxwell::flow::{Mark, Turn};
use shisa_maxwell::role::Role;
use shisa_maxwell::{CODES, Ctx, Maxwell, PREDICATES, REGISTERS, ShaderStage, bundle};
use shisa_rows::code::each_effect;
use shisa_rows::{Insn, Names, Registers, Scan, Slot, parse};
use std::collections::BTreeMap;

/// The operand that states an address or a target.
const AT: Slot = Slot(8);
/// The register that is zero.
const RZ: u64 = 255;
/// The predicate that is true.
pub(super) const ALWAYS: u16 = 7;

/// The bank with the values of registers. The word at 4 * n is that of register n.
pub(super) const BANK: u8 = 3;
/// Where the values of predicates, that of the condition codes and the address of results are in the bank.
const PREDICATE: u32 = 0x400;
const CODE: u32 = 0x420;
const RESULTS: u32 = 0x428;
/// The address of the buffer of results.
pub(super) const RESULT_BUFFER: u64 = 0x20_0000_0000;

/// What an instruction reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    /// A general register.
    pub(super) word: u32,
    /// A word of a constant bank other than [`BANK`].
    pub(super) constant: u32,
    /// The register or the registers of the operand that states an address.
    pub(super) address: u64,
    /// The number from which the condition codes are computed.
    pub(super) codes: u32,
    /// A predicate other than the guard.
    pub(super) predicate: bool,
    /// Which general registers are loaded from [`BANK`]. The code has the values of the others.
    pub(super) loaded: Loaded,
}

/// Which general registers of an instruction are loaded from memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Loaded {
    All,
    /// The one of an index.
    One(usize),
    None,
}

/// Assembles lines.
pub(super) struct Assembler {
    names: Names<Maxwell>,
    /// Words of lines without a target.
    known: BTreeMap<String, u128>,
}

impl Assembler {
    pub(super) fn new() -> Assembler {
        Assembler { names: Names::new(), known: BTreeMap::new() }
    }

    fn word(&mut self, line: &str, number: usize) -> u128 {
        if let Some(word) = self.known.get(line) {
            return *word;
        }
        let ctx = Ctx { pc: bundle::address(number as u32), ..Ctx::default() };
        let insn = parse(&self.names, &mut Scan::new(line, 0), ctx);
        let word = insn.unwrap_or_else(|d| panic!("{line}: {d}")).word;
        if !is_relative(&Insn::decode(word).unwrap()) {
            self.known.insert(line.into(), word);
        }
        word
    }
}

/// A program around an instruction.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) code: Vec<u128>,
    /// The number of the instruction.
    pub(super) at: usize,
    /// The number of the instruction at which control arrives if the instruction does its work.
    pub(super) landing: Option<usize>,
    /// The effect of the instruction on control flow.
    pub(super) turn: Turn,
    /// Words of [`BANK`].
    pub(super) bank: BTreeMap<u32, u32>,
}

/// The runs of registers that an instruction names, without its guard.
fn registers(insn: &Insn<Maxwell>) -> Vec<Registers> {
    let mut all = Vec::new();
    each_effect(insn, &mut |run| all.push(run));
    all
}

/// The units of a file that are read or that are written.
fn units(runs: &[Registers], file: FileId, written: bool) -> Vec<u16> {
    let of_file = |run: &&Registers| run.first.file == file && if written { run.written } else { run.read };
    let units = runs.iter().filter(of_file);
    let mut all: Vec<u16> =
        units.flat_map(|run| run.first.unit..run.first.unit + u16::from(run.units)).collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|unit| file != REGISTERS || *unit < 255);
    all
}

/// The registers of the operand that states an address.
pub(super) fn address_registers(insn: &Insn<Maxwell>) -> Vec<u16> {
    let Some(op) = insn.form().operand(AT) else { return Vec::new() };
    let run = op.kind.registers(op, insn);
    run.map_or_else(Vec::new, |run| units(&[run], REGISTERS, false))
}

/// Whether an instruction names a target, by its distance.
fn is_relative(insn: &Insn<Maxwell>) -> bool {
    insn.form().operands.last().is_some_and(|op| op.kind.describe() == "target")
}

/// The predicate of the guard with the truth value for which the instruction runs, if its row has a guard.
pub(super) fn guard(insn: &Insn<Maxwell>) -> Option<(u16, bool)> {
    let guard = insn.form().prefix().next()?.field.get(&insn.word) as u16;
    Some((guard & ALWAYS, guard & 8 == 0))
}

/// The mnemonic that leaves to a mark, and the one that makes it.
const fn mnemonics(mark: Mark) -> [&'static str; 2] {
    match mark {
        Mark::Sync => ["SYNC", "SSY"],
        Mark::Break => ["BRK", "PBK"],
        Mark::Continue => ["CONT", "PCNT"],
        Mark::Return => ["RET", "PRET"],
        Mark::Exit => ["EXIT", "PEXIT"],
        Mark::LongJump => ["LONGJMP", "PLONGJMP"],
    }
}

impl Setting {
    /// The program around an instruction whose lift is the only step of `lifted`.
    pub(super) fn new(
        insn: &Insn<Maxwell>,
        lifted: &Lifted,
        stage: ShaderStage,
        values: &Values,
        assembler: &mut Assembler,
    ) -> Setting {
        let runs = registers(insn);
        let mut bank = BTreeMap::new();
        let mut before: Vec<String> = Vec::new();
        let addresses = address_registers(insn);
        let of_graphics = matches!(insn.form().attr.role, Role::Attribute(_) | Role::Emit(_));
        for (i, n) in units(&runs, REGISTERS, false).into_iter().enumerate() {
            let value = match addresses.iter().position(|r| *r == n) {
                Some(part) => values.address.checked_shr(32 * part as u32).unwrap_or(0) as u32,
                None => values.word,
            };
            let is_loaded = values.loaded == Loaded::All || values.loaded == Loaded::One(i);
            before.push(match of_graphics && !addresses.contains(&n) {
                // The state of emission, the first vertex, and the first stream.
                true => format!("MOV R{n}, RZ"),
                false if is_loaded => {
                    bank.insert(4 * u32::from(n), value);
                    format!("MOV R{n}, c[{BANK:#x}][{:#x}]", 4 * n)
                }
                false => format!("MOV32I R{n}, {value:#x}"),
            });
        }
        let guard = guard(insn).filter(|(number, _)| *number != ALWAYS);
        let mut predicates = units(&runs, PREDICATES, false);
        predicates.extend(guard.map(|(n, _)| n).filter(|n| !predicates.contains(n)));
        for n in predicates {
            let held = guard.filter(|g| g.0 == n).map_or(values.predicate, |g| g.1);
            bank.insert(PREDICATE + 4 * u32::from(n), held.into());
            before.push(format!(
                "ISETP.NE.AND P{n}, PT, RZ, c[{BANK:#x}][{:#x}], PT",
                PREDICATE + 4 * u32::from(n)
            ));
        }
        if !units(&runs, CODES, false).is_empty() {
            bank.insert(CODE, values.codes);
            before.push(format!("IADD RZ.CC, RZ, c[{BANK:#x}][{CODE:#x}]"));
        }
        if lifted.nodes.list.iter().any(|node| matches!(node.op, Op::Reduced)) {
            before.push("BAR.RED.POPC 0x0, PT".into());
        }
        let turn = insn.form().attr.turn;
        let at = before.len()
            + match turn {
                Turn::Pop(mark) if mark != Mark::Exit => 1,
                _ => 0,
            };
        let mut after = results(insn, &runs, &mut bank);
        if stage == ShaderStage::Geometry {
            // R0 holds the state of emission where the program ends.
            let next = match insn.form().attr.role {
                Role::Emit(emission) => emission(insn).next,
                _ => RZ,
            };
            after.extend(
                (next != 0).then(|| {
                    format!("MOV R0, {}", if next == RZ { "RZ".into() } else { format!("R{next}") })
                }),
            );
        }
        let address = |n: usize| bundle::address(n as u32);
        // Where control goes: past an EXIT, or past what comes after a call.
        let (between, landing): (Vec<&str>, usize) = match turn {
            Turn::Next => (Vec::new(), at + 1),
            Turn::Branch(_) | Turn::Pop(_) => (vec!["EXIT"], at + 2),
            Turn::Push(mark) => (vec![mnemonics(mark)[0], "EXIT"], at + 3),
            Turn::Call(_) => (Vec::new(), at + 2 + after.len()),
        };
        let mut lines = before;
        if let Turn::Pop(mark) = turn
            && mark != Mark::Exit
        {
            lines.push(format!("{} {:#x}", mnemonics(mark)[1], address(landing)));
        }
        lines.push("NOP".into());
        lines.extend(between.into_iter().map(String::from));
        lines.extend(after);
        lines.push("EXIT".into());
        if let Turn::Call(_) = turn {
            lines.extend(["NOP".into(), "RET".into()]);
        }
        let mut code: Vec<u128> = lines.iter().enumerate().map(|(n, line)| assembler.word(line, n)).collect();
        code[at] = aimed(insn, address(at), address(landing));
        let landing = match turn {
            Turn::Next | Turn::Pop(Mark::Exit) => None,
            _ => Some(landing),
        };
        Setting { code, at, landing, bank, turn }
    }

    /// The address at which control arrives if the instruction does its work.
    pub(super) fn arrives(&self) -> Option<u32> {
        self.landing.map(|number| bundle::address(number as u32))
    }
}

/// Lines that store what the instruction writes.
fn results(insn: &Insn<Maxwell>, runs: &[Registers], bank: &mut BTreeMap<u32, u32>) -> Vec<String> {
    if matches!(insn.form().attr.role, Role::Emit(_)) {
        return Vec::new();
    }
    let mut stored = units(runs, REGISTERS, true);
    let free = |n: &u16| !(*n..*n + 4).any(|n| stored.contains(&n));
    let pointer = (0..).step_by(4).find(free).unwrap_or(0);
    let mut lines = Vec::new();
    for (file, register, name, mask) in
        [(PREDICATES, pointer + 2, "PR", 0x7f), (CODES, pointer + 3, "CC", 0xf)]
    {
        if !units(runs, file, true).is_empty() {
            lines.push(format!("P2R R{register}, {name}, RZ, {mask:#x}"));
            stored.push(register);
        }
    }
    if stored.is_empty() {
        return Vec::new();
    }
    for (n, at) in [0, 1].map(|i| (pointer + i, RESULTS + 4 * u32::from(i))) {
        bank.insert(at, (RESULT_BUFFER >> (8 * (at - RESULTS))) as u32);
        lines.push(format!("MOV R{n}, c[{BANK:#x}][{at:#x}]"));
    }
    let store = |(i, n): (usize, &u16)| format!("STG.E [R{pointer}+{:#x}], R{n}", 4 * i);
    lines.extend(stored.iter().enumerate().map(store));
    lines
}

/// The instruction with this target, if it holds a target itself.
fn aimed(insn: &Insn<Maxwell>, pc: u32, target: u32) -> u128 {
    let mut word = insn.word;
    let holds = is_relative(insn) || insn.form().operand(AT).is_some_and(|op| op.kind.describe() == "number");
    if let (true, Some(op)) = (holds && insn.form().attr.turn != Turn::Next, insn.form().operands.last()) {
        let text = format!("{target:#x}");
        op.field.set(&mut word, 0);
        let ctx = Ctx { pc, ..Ctx::default() };
        op.kind.parse(op, &mut word, &mut Scan::new(&text, 0), ctx).unwrap();
    }
    word
}
