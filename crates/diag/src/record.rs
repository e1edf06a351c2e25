//! Records of fixed size in files.

/// A record of `N` bytes in a file: numbers at fixed offsets, the least significant byte first.
///
/// The compiler checks every offset against `N`. A record can therefore be cut off only where it is taken from its file,
/// which is where the file's fault is reported, and reading a field needs no default.
///
/// ```
/// use shisa_diag::Record;
/// let record = Record::new(&[1, 0, 2, 0, 0, 0]);
/// assert_eq!((record.half::<0>(), record.word::<2>()), (1, 2));
/// ```
///
/// ```compile_fail
/// shisa_diag::Record::new(&[1, 0, 2, 0]).word::<2>();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a, const N: usize>(&'a [u8; N]);

impl<'a, const N: usize> Record<'a, N> {
    /// The record of these bytes.
    pub const fn new(bytes: &'a [u8; N]) -> Self {
        Record(bytes)
    }

    /// The record at an offset of a file; `None` if the file ends before or inside it.
    pub fn at(file: &'a [u8], offset: usize) -> Option<Self> {
        file.get(offset..)?.first_chunk().map(Record)
    }

    /// All whole records of a table, one after the other.
    pub fn all(table: &'a [u8]) -> impl ExactSizeIterator<Item = Self> + use<'a, N> {
        table.as_chunks().0.iter().map(Record)
    }

    /// The bytes of the record.
    pub const fn bytes(self) -> &'a [u8; N] {
        self.0
    }

    /// The byte at an offset.
    pub const fn byte<const AT: usize>(self) -> u8 {
        self.field::<AT, 1>()[0]
    }

    /// The 16-bit number at an offset.
    pub const fn half<const AT: usize>(self) -> u16 {
        u16::from_le_bytes(self.field::<AT, 2>())
    }

    /// The 32-bit number at an offset.
    pub const fn word<const AT: usize>(self) -> u32 {
        u32::from_le_bytes(self.field::<AT, 4>())
    }

    /// The 64-bit number at an offset.
    pub const fn long<const AT: usize>(self) -> u64 {
        u64::from_le_bytes(self.field::<AT, 8>())
    }

    /// The 32-bit numbers from an offset on, as many as are wanted, one after the other.
    pub fn words<const AT: usize, const COUNT: usize>(self) -> [u32; COUNT] {
        const { assert!(AT + 4 * COUNT <= N, "the record has no such field") }
        core::array::from_fn(|n| {
            let at = AT + 4 * n;
            u32::from_le_bytes(core::array::from_fn(|byte| self.0[at + byte]))
        })
    }

    const fn field<const AT: usize, const SIZE: usize>(self) -> [u8; SIZE] {
        const { assert!(AT + SIZE <= N, "the record has no such field") }
        let (mut field, mut n) = ([0; SIZE], 0);
        while n < SIZE {
            field[n] = self.0[AT + n];
            n += 1;
        }
        field
    }
}

#[cfg(test)]
mod tests {
    use super::Record;

    #[test]
    fn fields_have_the_least_significant_byte_first() {
        let bytes: [u8; 12] = core::array::from_fn(|n| n as u8 + 1);
        let record = Record::new(&bytes);
        assert_eq!((record.byte::<11>(), record.half::<10>()), (12, 0x0c0b));
        assert_eq!((record.word::<8>(), record.long::<4>()), (0x0c0b_0a09, 0x0c0b_0a09_0807_0605));
        assert_eq!(record.words::<4, 2>(), [0x0807_0605, 0x0c0b_0a09]);
    }

    #[test]
    fn a_record_is_whole_or_absent() {
        let file = [1, 2, 3, 4, 5];
        assert_eq!(Record::<4>::at(&file, 1).map(|r| r.word::<0>()), Some(0x0504_0302));
        assert_eq!((Record::<4>::at(&file, 2), Record::<4>::at(&file, usize::MAX)), (None, None));
        assert_eq!(
            Record::<2>::all(&file).map(|r| r.half::<0>()).collect::<alloc::vec::Vec<_>>(),
            [0x201, 0x403]
        );
    }
}
