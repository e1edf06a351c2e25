//! Searches a program for uses, with the text of its instructions and its control bits.

use super::reader::{Line, carrier, signals, unit};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Cycles after which nothing of fixed latency is missing.
const FAR: u32 = 15;
/// The most instructions that are followed from one.
const NEAR: usize = 300;
/// The control bits after which hardware waits by itself.
const PLAIN: u32 = 0x7e0;

/// A kind of pair of a result of fixed latency and its reader.
pub(super) type Pair = (&'static str, String);

/// The smallest distance of each pair, how often pairs were seen, and the first of that distance.
pub(super) type Distances = BTreeMap<Pair, (u32, u64, String)>;

/// A program as text, with the addresses of its instructions.
pub(super) struct Program {
    pub(super) name: String,
    pub(super) lines: Vec<Line>,
    numbers: BTreeMap<u64, usize>,
}

/// What a judgement found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) distances: Distances,
    /// Uses of results and sources of variable latency without a wait.
    pub(super) open: Vec<String>,
    /// Number of uses.
    pub(super) uses: u64,
}

impl Program {
    /// A program from nvdisasm's text of bare code.
    pub(super) fn new(name: String, text: &str) -> Program {
        let mut program = Program { name, lines: Vec::new(), numbers: BTreeMap::new() };
        for line in text.lines() {
            let Some((address, text)) = line.trim().strip_prefix("/*").and_then(|l| l.split_once("*/"))
            else {
                continue;
            };
            let Ok(address) = u64::from_str_radix(address, 16) else { continue };
            program.numbers.insert(address, program.lines.len());
            program.lines.push(Line::read(text));
        }
        program
    }

    /// The instructions that may follow one.
    fn next(&self, at: usize) -> Vec<usize> {
        let line = &self.lines[at];
        let target = line.target.and_then(|a| self.numbers.get(&a).or_else(|| self.numbers.get(&(a + 8))));
        let on = (!line.leaves || !line.always()).then_some(at + 1);
        on.into_iter().chain(target.copied()).filter(|n| *n < self.lines.len()).collect()
    }

    /// Whether control goes from a branch to an instruction only if an instruction with this guard did not run. Guards
    /// are compared as if nothing wrote the predicate in between.
    fn skips(&self, own: &Line, at: usize, next: usize) -> bool {
        let line = &self.lines[at];
        let passes = next == at + 1 && line.target.is_none_or(|target| !self.is_at(target, next));
        line.leaves && !line.always() && if passes { line.guard == own.guard } else { line.excludes(own) }
    }

    fn is_at(&self, address: u64, number: usize) -> bool {
        [address, address + 8].iter().any(|a| self.numbers.get(a) == Some(&number))
    }

    /// Searches all uses under these control bits. `slow` are the mnemonics whose results a barrier signals.
    pub(super) fn judge(&self, bits: &[u32], slow: &BTreeSet<String>, found: &mut Found) {
        for first in 0..self.lines.len().min(bits.len()) {
            let line = &self.lines[first];
            match slow.contains(&line.name) {
                _ if bits[first] == PLAIN => {}
                true => self.variable(first, bits, slow, found),
                false if line.writes.is_empty() => {}
                false => self.fixed(first, bits, slow, found),
            }
        }
    }

    /// The readers of a result of fixed latency.
    fn fixed(&self, first: usize, bits: &[u32], slow: &BTreeSet<String>, found: &mut Found) {
        let own = &self.lines[first];
        let mut open = VecDeque::from([(first, 0, own.writes.clone())]);
        let mut fewest: BTreeMap<usize, u32> = BTreeMap::new();
        while let Some((at, cycles, left)) = open.pop_front() {
            let cycles = cycles + (bits[at] & 15);
            for next in self.next(at).into_iter().filter(|n| *n < bits.len() && !self.skips(own, at, *n)) {
                if cycles >= FAR || fewest.get(&next).is_some_and(|old| *old <= cycles) {
                    continue;
                }
                fewest.insert(next, cycles);
                let (line, mut left) = (&self.lines[next], left.clone());
                if !line.excludes(own) {
                    // A guard is read before the instruction issues, whichever unit executes it.
                    let guard = line.guarded_by().filter(|p| left.contains(p)).map(|_| ("guard", "".into()));
                    let read = line.reads.intersection(&left).map(|r| (carrier(*r), line.name.clone()));
                    for pair in read.chain(guard) {
                        found.uses += 1;
                        let of = found.distances.entry(pair).or_insert((u32::MAX, 0, String::new()));
                        of.1 += 1;
                        if cycles < of.0 {
                            of.0 = cycles;
                            of.2 =
                                format!("{}: {} ({next}) after {} ({first})", self.name, line.name, own.name);
                        }
                    }
                }
                if line.always() || slow.contains(&line.name) {
                    left.retain(|register| !line.writes.contains(register));
                }
                if !left.is_empty() {
                    open.push_back((next, cycles, left));
                }
            }
        }
    }

    /// Whether everything that uses a result, or overwrites a source, of variable latency waits for it.
    fn variable(&self, first: usize, bits: &[u32], slow: &BTreeSet<String>, found: &mut Found) {
        let own = &self.lines[first];
        let raises = |i: usize| [5, 8].map(|low| 1u32.checked_shl(bits[i] >> low & 7).unwrap_or(0) & 0x3f);
        let general =
            |set: &BTreeSet<u16>| -> BTreeSet<u16> { set.iter().copied().filter(|r| *r < 255).collect() };
        let mut open = VecDeque::from([(first, raises(first), own.writes.clone(), general(&own.reads))]);
        let mut seen = BTreeSet::new();
        while let Some((at, mut raised, results, sources)) = open.pop_front() {
            if signals(&self.lines[at].name, &own.name) {
                let more = raises(at);
                raised = [raised[0] | more[0], raised[1] | more[1]];
            }
            for next in self.next(at).into_iter().filter(|n| *n < bits.len() && !self.skips(own, at, *n)) {
                if !seen.insert(next) || seen.len() > NEAR {
                    continue;
                }
                let (line, mut results, mut sources) = (&self.lines[next], results.clone(), sources.clone());
                let waits = bits[next] >> 11 & 0x3f | line.drains;
                if waits & raised[0] != 0 {
                    continue;
                }
                let in_order = unit(&own.name) == "shared" && line.name == "BAR";
                if waits & raised[1] != 0 || in_order {
                    sources.clear();
                }
                if !line.excludes(own) {
                    let guard = line.guarded_by();
                    let reads = line.reads.iter().chain(&guard).find(|r| results.contains(r));
                    let fast = !slow.contains(&line.name);
                    let over = line.writes.intersection(&results).next().filter(|_| fast);
                    let source = line.writes.intersection(&sources).next().filter(|_| fast);
                    found.uses += u64::from(reads.is_some());
                    if let Some(register) = reads.or(over).or(source) {
                        let [a, b] = [&own.name, &line.name];
                        found.open.push(format!(
                            "{}: {b} ({next}) after {a} ({first}), register {register}",
                            self.name
                        ));
                        continue;
                    }
                }
                results.retain(|register| !line.writes.contains(register));
                sources.retain(|register| !line.writes.contains(register));
                if !results.is_empty() || !sources.is_empty() {
                    open.push_back((next, raised, results, sources));
                }
            }
        }
    }
}
