//! An order of byte strings in which those that are alike are near each other.
//!
//! gzip finds that bytes are alike only within 32 KB. Two of five functions of the module are copies of generic functions of
//! the standard library for other types, and the linker's order has them anywhere.

use std::collections::VecDeque;

/// The bytes of a sample. Shorter ones are in functions that have nothing in common.
const SAMPLE: usize = 6;
/// The bits of a sample's number.
const BITS: u32 = 22;
/// A sample that more functions have is no sign of likeness.
const COMMON: usize = 200;
/// The bytes of the functions before the next one that count: fewer than gzip's, as functions have matches of their own.
const WINDOW: usize = 24_000;

/// The positions of `all` in an order in which each one is, of those that are left, the most like those shortly before it.
pub(crate) fn order(all: &[&[u8]]) -> Vec<usize> {
    // Those that are like none before them come in the order of their content.
    let mut left: Vec<usize> = (0..all.len()).collect();
    left.sort_by_key(|position| all[*position]);
    let mut window = Window::new(all);
    let mut order = Vec::with_capacity(all.len());
    while !left.is_empty() {
        let next = window.most_alike(&left);
        let position = left.remove(next);
        window.push(position);
        order.push(position);
    }
    order
}

/// The strings shortly before the next one.
struct Window<'a> {
    all: &'a [&'a [u8]],
    /// The numbers of the samples of each string, of those that some but not too many strings have.
    samples: Vec<Vec<u32>>,
    /// The strings that have a sample, by its number.
    having: Vec<Vec<usize>>,
    /// How many strings of the window have a sample, by its number.
    counts: Vec<usize>,
    /// How many samples of each string are in the window.
    shared: Vec<usize>,
    /// The positions of the strings of the window.
    strings: VecDeque<usize>,
    /// The bytes of the strings of the window.
    bytes: usize,
}

impl<'a> Window<'a> {
    fn new(all: &'a [&'a [u8]]) -> Self {
        let mut samples: Vec<Vec<u32>> = all.iter().map(|string| numbers(string)).collect();
        let mut having = vec![Vec::new(); 1 << BITS];
        for (position, numbers) in samples.iter().enumerate() {
            for number in numbers {
                having[*number as usize].push(position);
            }
        }
        for numbers in &mut samples {
            numbers.retain(|number| (2..=COMMON).contains(&having[*number as usize].len()));
        }
        let (counts, shared) = (vec![0; having.len()], vec![0; all.len()]);
        Self { all, samples, having, counts, shared, strings: VecDeque::new(), bytes: 0 }
    }

    /// The index in `left` of the string that is the most like the window: the first if none is.
    fn most_alike(&self, left: &[usize]) -> usize {
        let (mut index, mut most) = (0, 0.0);
        for (at, position) in left.iter().enumerate().filter(|(_, position)| self.shared[**position] > 0) {
            // Between the number of samples, which takes the longest first, and their share, which takes the shortest.
            let likeness = self.shared[*position] as f64 / ((self.all[*position].len() as f64).sqrt() + 2.0);
            if likeness > most {
                (index, most) = (at, likeness);
            }
        }
        index
    }

    /// Adds a string, and removes the first ones.
    fn push(&mut self, position: usize) {
        self.strings.push_back(position);
        self.bytes += self.all[position].len();
        for number in &self.samples[position] {
            let number = *number as usize;
            self.counts[number] += 1;
            if self.counts[number] == 1 {
                self.having[number].iter().for_each(|position| self.shared[*position] += 1);
            }
        }
        while self.bytes > WINDOW && self.strings.len() > 1 {
            let Some(first) = self.strings.pop_front() else { return };
            self.bytes -= self.all[first].len();
            for number in &self.samples[first] {
                let number = *number as usize;
                self.counts[number] -= 1;
                if self.counts[number] == 0 {
                    self.having[number].iter().for_each(|position| self.shared[*position] -= 1);
                }
            }
        }
    }
}

/// The numbers of the samples of a string, each once: hashes (FNV-1a).
fn numbers(string: &[u8]) -> Vec<u32> {
    let hash = |sample: &[u8]| {
        let start = 0xcbf2_9ce4_8422_2325u64;
        sample.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let mut numbers: Vec<u32> =
        string.windows(SAMPLE).map(|sample| (hash(sample) >> 24) as u32 & ((1 << BITS) - 1)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn each_string_is_in_the_order_once_and_next_to_what_is_like_it() {
        let strings: Vec<Vec<u8>> = (0..60u8)
            .map(|n| (0..50).map(|i| (n % 3) * 80 + i + u8::from(i == 30) * (n / 3)).collect())
            .collect();
        let all: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let found = order(&all);
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, Vec::from_iter(0..60));
        let kinds: Vec<usize> = found.iter().map(|position| position % 3).collect();
        assert_eq!(kinds.chunk_by(|a, b| a == b).count(), 3, "{kinds:?}");
        assert_eq!(order(&[]), [0; 0]);
        assert_eq!(order(&[&[1], &[], &[1]]).len(), 3);
    }
}
