//! Comparisons, and the smaller or larger of two floats.

use super::number::Format;
use super::parts::Wide;
use super::words::Words;
use crate::*;

/// What comparisons of two floats need.
struct Compared {
    /// Whether one of them is NaN.
    nan: [Value; 2],
    negative: [Value; 2],
    /// Whether both are zero.
    zeros: Value,
    /// Whether the first, and the second, has the smaller magnitude.
    smaller: [Value; 2],
}

impl Words<'_> {
    fn compared(&mut self, format: Format, a: &[Value], b: &[Value]) -> Compared {
        let ((x, x_negative), (y, y_negative)) = (self.magnitude(a), self.magnitude(b));
        let infinity = self.high(format.infinity(), format.words);
        let nan = [self.below(&infinity, &x), self.below(&infinity, &y)];
        let (x_some, y_some) = (self.any_of(&x), self.any_of(&y));
        let some = self.or(x_some, y_some);
        let zeros = self.not(some);
        Compared {
            nan,
            negative: [x_negative, y_negative],
            zeros,
            smaller: [self.below(&x, &y), self.below(&y, &x)],
        }
    }

    /// Whether the first number (0) or the second (1) is less than the other one, zeros of different signs being `zeros`.
    fn less(&mut self, c: &Compared, which: usize, zeros: Value) -> Value {
        let (own, other) = (c.negative[which], c.negative[1 - which]);
        let none = self.truth(false);
        let both = self.select(other, c.smaller[1 - which], zeros);
        let positive = self.select(other, none, c.smaller[which]);
        self.select(own, both, positive)
    }

    fn ordered(&mut self, c: &Compared) -> Value {
        let nan = self.or(c.nan[0], c.nan[1]);
        self.not(nan)
    }

    /// A comparison of floats.
    pub(super) fn comparison(&mut self, op: Binary, format: Format, a: &[Value], b: &[Value]) -> Value {
        let c = self.compared(format, a, b);
        let ordered = self.ordered(&c);
        // Numbers of different signs differ, unless both are zero.
        let apart = self.not(c.zeros);
        match op {
            Binary::FLt => {
                let less = self.less(&c, 0, apart);
                self.and(less, ordered)
            }
            Binary::FLe => {
                let more = self.less(&c, 1, apart);
                let at_most = self.not(more);
                self.and(at_most, ordered)
            }
            _ => {
                let (less, more) = (self.less(&c, 0, apart), self.less(&c, 1, apart));
                let differ = self.or(less, more);
                let equal = self.not(differ);
                let equal = self.and(equal, ordered);
                if op == Binary::FNe { self.not(equal) } else { equal }
            }
        }
    }

    /// The smaller float, or the larger one, by the rule for NaN.
    pub(super) fn extreme(
        &mut self,
        op: Binary,
        format: Format,
        rule: FloatRule,
        a: &[Value],
        b: &[Value],
    ) -> Wide {
        let c = self.compared(format, a, b);
        let which = usize::from(op == Binary::FMax);
        if rule.nan == NanRule::Second {
            let apart = self.not(c.zeros);
            let less = self.less(&c, which, apart);
            let ordered = self.ordered(&c);
            let first = self.and(less, ordered);
            return self.choose(first, a, b);
        }
        let signs = self.truth(true);
        let first = self.less(&c, which, signs);
        let number = self.choose(first, a, b);
        let nan = self.high(format.nan(), format.words);
        let of_a = self.choose(c.nan[1], &nan, b);
        let second = self.choose(c.nan[1], a, &number);
        self.choose(c.nan[0], &of_a, &second)
    }
}
