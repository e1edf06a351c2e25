//! Integers of several 32-bit words, as operations on values. The first word is the lowest.

use super::parts::{Cut, Wide};
use crate::*;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec;

/// Bits of a word.
pub(super) const WORD: u32 = 32;

/// Appends operations on words to a block.
pub(super) struct Words<'a> {
    pub(super) build: Builder<'a>,
    made: &'a mut Made,
}

/// What a block has computed so far.
#[derive(Default)]
pub(super) struct Made {
    constants: BTreeMap<u32, Value>,
    /// Components of the latest results before rounding, by the operation that rounds to the nearest.
    cuts: VecDeque<(Op, u8, Cut)>,
}

/// Results that are remembered. The same sum rounded in several directions is computed in instructions next to each other.
const CUTS: usize = 4;

/// The highest word.
pub(super) fn highest(a: &[Value]) -> Value {
    a[a.len() - 1]
}

/// The highest word, to replace it.
pub(super) fn highest_mut(a: &mut [Value]) -> &mut Value {
    let last = a.len() - 1;
    &mut a[last]
}

impl<'a> Words<'a> {
    pub(super) fn new(nodes: &'a mut Nodes, origin: u32, made: &'a mut Made) -> Words<'a> {
        Words { build: Builder::new(nodes, origin), made }
    }

    /// A component of the latest result of an operation before rounding.
    pub(super) fn latest(&self, op: Op, part: u8) -> Option<Cut> {
        self.made.cuts.iter().find(|(of, p, _)| (*of, *p) == (op, part)).map(|(_, _, cut)| cut.clone())
    }

    /// Remembers a component of a result before rounding.
    pub(super) fn remember(&mut self, op: Op, part: u8, cut: Cut) {
        self.made.cuts.truncate(CUTS - 1);
        self.made.cuts.push_front((op, part, cut));
    }

    pub(super) fn number(&mut self, n: u32) -> Value {
        let build = &mut self.build;
        *self.made.constants.entry(n).or_insert_with(|| build.constant(Type::I32, n.into()))
    }

    /// An operation on two words, or two truth values.
    pub(super) fn op(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.build.binary(op, a, b)
    }

    /// An operation on a word and a constant.
    pub(super) fn with(&mut self, op: Binary, a: Value, n: u32) -> Value {
        let n = self.number(n);
        self.op(op, a, n)
    }

    pub(super) fn and(&mut self, a: Value, b: Value) -> Value {
        self.op(Binary::And, a, b)
    }

    pub(super) fn or(&mut self, a: Value, b: Value) -> Value {
        self.op(Binary::Or, a, b)
    }

    /// Not, of a word or a truth value.
    pub(super) fn not(&mut self, a: Value) -> Value {
        self.build.not(a)
    }

    pub(super) fn select(&mut self, cond: Value, yes: Value, no: Value) -> Value {
        self.build.select(cond, yes, no)
    }

    /// One of two integers with as many words.
    pub(super) fn choose(&mut self, cond: Value, yes: &[Value], no: &[Value]) -> Wide {
        yes.iter().zip(no).map(|(yes, no)| self.select(cond, *yes, *no)).collect()
    }

    /// An integer of so many words whose lower words are zero.
    pub(super) fn high(&mut self, word: u32, words: usize) -> Wide {
        let mut high = vec![self.number(0); words];
        *highest_mut(&mut high) = self.number(word);
        high
    }

    /// Sets bits of the lowest word.
    pub(super) fn set_lowest(&mut self, a: &mut [Value], bits: Value) {
        a[0] = self.or(a[0], bits);
    }

    /// A truth value as 0 or 1.
    pub(super) fn bit(&mut self, truth: Value) -> Value {
        self.build.convert(Convert::ZeroExtend, truth, Scalar::I32)
    }

    /// A truth value that is constant.
    pub(super) fn truth(&mut self, holds: bool) -> Value {
        let zero = self.number(0);
        self.op(if holds { Binary::IEq } else { Binary::INe }, zero, zero)
    }

    /// Whether a word is not zero.
    pub(super) fn any(&mut self, a: Value) -> Value {
        self.with(Binary::INe, a, 0)
    }

    /// Whether an integer is not zero.
    pub(super) fn any_of(&mut self, a: &[Value]) -> Value {
        let all = self.union(a);
        self.any(all)
    }

    /// All bits of some words; zero of none.
    fn union(&mut self, a: &[Value]) -> Value {
        match a {
            [] => self.number(0),
            [first, others @ ..] => others.iter().fold(*first, |all, word| self.or(all, *word)),
        }
    }

    /// With zeros above, or without the highest words.
    pub(super) fn resized(&mut self, a: &[Value], words: usize) -> Wide {
        let zero = self.number(0);
        let mut a = a.to_vec();
        a.resize(words, zero);
        a
    }

    /// The sum of two integers with as many words, and of a carry that is 0 or 1.
    pub(super) fn sum(&mut self, a: &[Value], b: &[Value], carry: Value) -> Wide {
        let (mut carry, mut sum) = (carry, Wide::new());
        for (a, b) in a.iter().zip(b) {
            let partial = self.op(Binary::IAdd, *a, *b);
            let whole = self.op(Binary::IAdd, partial, carry);
            sum.push(whole);
            let (first, second) = (self.op(Binary::ULt, partial, *a), self.op(Binary::ULt, whole, partial));
            let over = self.or(first, second);
            carry = self.bit(over);
        }
        sum
    }

    /// The sum with 0 or 1.
    pub(super) fn increased(&mut self, a: &[Value], by: Value) -> Wide {
        let (mut carry, mut sum) = (by, Wide::new());
        for a in a {
            let whole = self.op(Binary::IAdd, *a, carry);
            sum.push(whole);
            let over = self.op(Binary::ULt, whole, *a);
            carry = self.bit(over);
        }
        sum
    }

    /// Whether an integer is less than another one with as many words.
    pub(super) fn below(&mut self, a: &[Value], b: &[Value]) -> Value {
        let mut below = None;
        // The highest words that differ decide.
        for (a, b) in a.iter().zip(b) {
            let here = self.op(Binary::ULt, *a, *b);
            below = Some(match below {
                None => here,
                Some(lower) => {
                    let equal = self.op(Binary::IEq, *a, *b);
                    let lower = self.and(equal, lower);
                    self.or(here, lower)
                }
            });
        }
        match below {
            Some(below) => below,
            None => self.truth(false),
        }
    }

    /// The product of integers with as many words: twice as many.
    pub(super) fn product(&mut self, a: &[Value], b: &[Value]) -> Wide {
        let zero = self.number(0);
        let mut product = vec![zero; a.len() + b.len()];
        for (i, a) in a.iter().enumerate() {
            // This word's product with all of `b`, at its position.
            let mut partial = vec![zero; product.len()];
            let mut carry = zero;
            for (j, b) in b.iter().enumerate() {
                let (low, high) = (self.op(Binary::IMul, *a, *b), self.op(Binary::UMulHi, *a, *b));
                let sum = self.op(Binary::IAdd, low, carry);
                let over = self.op(Binary::ULt, sum, low);
                let over = self.bit(over);
                partial[i + j] = sum;
                carry = self.op(Binary::IAdd, high, over);
            }
            partial[i + b.len()] = carry;
            product = self.sum(&product, &partial, zero);
        }
        product
    }

    /// Shifted right by less than all bits. The lowest bit is set if bits are lost.
    pub(super) fn right(&mut self, a: &[Value], by: Value) -> Wide {
        let (mut a, lost) = self.right_and_lost(a, by);
        let sticky = self.any(lost);
        let sticky = self.bit(sticky);
        self.set_lowest(&mut a, sticky);
        a
    }

    /// Shifted right by less than all bits; bits at the bottom are lost.
    pub(super) fn right_exact(&mut self, a: &[Value], by: Value) -> Wide {
        self.right_and_lost(a, by).0
    }

    /// Shifted right, and a word that is not zero if bits are lost.
    fn right_and_lost(&mut self, a: &[Value], by: Value) -> (Wide, Value) {
        let zero = self.number(0);
        let (mut a, mut lost) = (a.to_vec(), zero);
        for step in steps(a.len()) {
            let moves = self.with(Binary::And, by, step * WORD);
            let moves = self.any(moves);
            let words = (step as usize).min(a.len());
            let cut = self.union(&a[..words]);
            let cut = self.select(moves, cut, zero);
            lost = self.or(lost, cut);
            let moved = self.resized(&a[words..], a.len());
            a = self.choose(moves, &moved, &a);
        }
        let (bits, word) = (self.with(Binary::And, by, WORD - 1), self.number(WORD));
        // Shifts by a whole word yield 0.
        let rest = self.op(Binary::ISub, word, bits);
        let cut = self.op(Binary::Shl, a[0], rest);
        lost = self.or(lost, cut);
        (self.down(&a, bits, rest), lost)
    }

    /// Shifted left until the highest bit is set, and by how much; by all bits if the integer is zero.
    pub(super) fn normal(&mut self, a: &[Value]) -> (Wide, Value) {
        let zero = self.number(0);
        let (mut a, mut total) = (a.to_vec(), zero);
        for step in steps(a.len()).rev() {
            let words = (step as usize).min(a.len());
            let upper = self.union(&a[a.len() - words..]);
            let empty = self.with(Binary::IEq, upper, 0);
            let mut moved = vec![zero; words];
            moved.extend(&a[..a.len() - words]);
            a = self.choose(empty, &moved, &a);
            let by = self.number(step * WORD);
            let by = self.select(empty, by, zero);
            total = self.op(Binary::IAdd, total, by);
        }
        let zeros = self.build.leading_zeros(highest(&a));
        // An integer of zeros stays that whatever the shift.
        (self.left_within(&a, zeros), self.op(Binary::IAdd, total, zeros))
    }

    /// Shifted left by up to a word.
    fn left_within(&mut self, a: &[Value], by: Value) -> Wide {
        let word = self.number(WORD);
        let rest = self.op(Binary::ISub, word, by);
        self.up(a, by, rest)
    }

    /// Shifted left by one.
    pub(super) fn twice(&mut self, a: &[Value]) -> Wide {
        let (by, rest) = (self.number(1), self.number(WORD - 1));
        self.up(a, by, rest)
    }

    /// Shifted left within words; `rest` is what `by` lacks of a word.
    fn up(&mut self, a: &[Value], by: Value, rest: Value) -> Wide {
        let neighbours = core::iter::once(None).chain(a.iter().map(Some));
        let all = a.iter().zip(neighbours);
        all.map(|(own, below)| self.crossing((Binary::Shl, Binary::LShr), (*own, by), (below, rest)))
            .collect()
    }

    /// Shifted right within words; `rest` is what `by` lacks of a word.
    pub(super) fn down(&mut self, a: &[Value], by: Value, rest: Value) -> Wide {
        let neighbours = a.iter().skip(1).map(Some).chain([None]);
        let all = a.iter().zip(neighbours);
        all.map(|(own, above)| self.crossing((Binary::LShr, Binary::Shl), (*own, by), (above, rest)))
            .collect()
    }

    /// A shifted word with the bits that come from its neighbour, which is shifted in the opposite direction.
    fn crossing(
        &mut self,
        (shift, back): (Binary, Binary),
        (own, by): (Value, Value),
        (neighbour, rest): (Option<&Value>, Value),
    ) -> Value {
        let moved = self.op(shift, own, by);
        match neighbour {
            Some(neighbour) => {
                let crossing = self.op(back, *neighbour, rest);
                self.or(moved, crossing)
            }
            None => moved,
        }
    }
}

/// The numbers of words that, added as needed, make every shift of an integer by words: powers of two.
fn steps(words: usize) -> impl DoubleEndedIterator<Item = u32> {
    (0..words.next_power_of_two().ilog2()).map(|bit| 1 << bit)
}
