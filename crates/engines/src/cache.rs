//! Compiled programs by their code.

/// What was made of code, for a loop that sees the same programs again and again: each is made once. A program that was
/// found allocates nothing. Beyond the capacity, the one that was not used for the longest time goes.
///
/// Programs are found by a hash of their code, and the code is compared, so that no other program is ever found.
#[derive(Debug)]
pub struct Cache<T> {
    entries: Vec<Entry<T>>,
    capacity: usize,
    /// Counts uses.
    uses: u64,
}

#[derive(Debug)]
struct Entry<T> {
    hash: u64,
    code: Vec<Box<[u32]>>,
    value: T,
    /// The number of the last use.
    used: u64,
}

impl<T> Cache<T> {
    /// Programs of a cache, unless the caller states another number: more than the levels of games use at a time.
    pub const CAPACITY: usize = 256;

    /// An empty cache for at most `capacity` programs, or for one.
    pub fn new(capacity: usize) -> Cache<T> {
        Cache { entries: Vec::new(), capacity: capacity.max(1), uses: 0 }
    }

    /// Number of programs in the cache.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no program is in the cache.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a program, which `make` makes if the cache lacks it. `code` is all that determines it: code words,
    /// operand descriptors, the entry.
    ///
    /// # Errors
    /// Those of `make`; the cache then stays as it is.
    pub fn get<E>(&mut self, code: &[&[u32]], make: impl FnOnce() -> Result<T, E>) -> Result<&mut T, E> {
        self.uses += 1;
        let (hash, used) = (hash(code), self.uses);
        let same = |entry: &Entry<T>| entry.code.iter().map(|part| &**part).eq(code.iter().copied());
        let found = self.entries.iter().position(|entry| entry.hash == hash && same(entry));
        let at = match found {
            Some(at) => at,
            None => {
                let entry = Entry {
                    hash,
                    code: code.iter().map(|part| Box::from(*part)).collect(),
                    value: make()?,
                    used,
                };
                self.put(entry)
            }
        };
        let entry = &mut self.entries[at];
        entry.used = used;
        Ok(&mut entry.value)
    }

    /// Stores an entry, in place of the one that was not used for the longest time if there is no room. Returns its index.
    fn put(&mut self, entry: Entry<T>) -> usize {
        if self.entries.len() < self.capacity {
            self.entries.push(entry);
            return self.entries.len() - 1;
        }
        let older = |oldest: usize, at: usize| {
            if self.entries[at].used < self.entries[oldest].used { at } else { oldest }
        };
        let oldest = (0..self.entries.len()).fold(0, older);
        self.entries[oldest] = entry;
        oldest
    }
}

/// A hash of all words and of the lengths of parts.
fn hash(code: &[&[u32]]) -> u64 {
    // Four products at a time: a multiplication takes longer than it takes to begin the next.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let mut sums = [1, 2, 3, 4u64];
    for part in code {
        let (fours, rest) = part.as_chunks::<4>();
        for four in fours {
            sums.iter_mut().zip(four).for_each(|(sum, word)| *sum = mix(*sum, (*word).into()));
        }
        sums.iter_mut().zip(rest).for_each(|(sum, word)| *sum = mix(*sum, (*word).into()));
        sums[0] = mix(sums[0], part.len() as u64);
    }
    sums.into_iter().fold(0, mix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Gets a program whose value is its only word, and returns whether it was made.
    fn made(cache: &mut Cache<u32>, word: u32) -> bool {
        let mut made = false;
        let make = || {
            made = true;
            Ok::<_, Infallible>(word)
        };
        assert_eq!(cache.get(&[&[word], &[]], make), Ok(&mut { word }));
        made
    }

    #[test]
    fn the_program_not_used_for_longest_goes() {
        let mut cache = Cache::new(3);
        for word in [0, 1, 2] {
            assert!(made(&mut cache, word), "{word} is new");
        }
        assert!(!made(&mut cache, 0), "three programs have room");
        assert!(made(&mut cache, 3));
        assert_eq!(cache.len(), 3);
        for word in [0, 2, 3] {
            assert!(!made(&mut cache, word), "{word} was used after 1");
        }
        assert!(made(&mut cache, 1), "a fourth program had no room");
        assert!(Cache::<u32>::new(0).get(&[], || Ok::<_, Infallible>(1)).is_ok(), "there is room for one");
    }

    #[test]
    fn the_lengths_of_parts_count() {
        let mut cache = Cache::new(8);
        let codes: [&[&[u32]]; 5] = [&[], &[&[]], &[&[1, 2], &[3]], &[&[1], &[2, 3]], &[&[1, 2, 3]]];
        for (n, code) in codes.into_iter().enumerate() {
            assert_eq!(cache.get(code, || Ok::<_, Infallible>(n)), Ok(&mut { n }));
        }
        for (n, code) in codes.into_iter().enumerate() {
            assert_eq!(cache.get(code, || Err("made again")), Ok(&mut { n }));
        }
        assert_eq!(cache.get(&[&[9]], || Err("refused")), Err("refused"));
        assert_eq!(cache.len(), codes.len());
    }
}
