//! Allocates uniform registers: shared ones from the bottom up, those of one file from the top down.

/// The registers of one bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    base: i32,
    /// The next shared register.
    start: i32,
    /// One past the next register of the file.
    end: i32,
    /// The lowest register that any file has exclusively.
    bound: i32,
    top: i32,
    /// Registers that are shared, one bit each.
    shared: u128,
    /// Registers that the current file has exclusively.
    here: u128,
    /// Registers that any file has exclusively.
    ever: u128,
}

impl Space {
    /// The registers from `start` up to `top`, of a bank that begins at `base`.
    pub(super) const fn new(base: i32, start: i32, top: i32) -> Space {
        Space { base, start, end: top, bound: top, top, shared: 0, here: 0, ever: 0 }
    }

    /// Begins a new file.
    pub(super) fn next_file(&mut self) {
        self.end = self.top;
        self.here = 0;
    }

    fn bits(&self, at: i32, size: i32) -> u128 {
        let run = 1u128.checked_shl(size.max(0) as u32).map_or(u128::MAX, |bit| bit - 1);
        run.checked_shl((at - self.base).max(0) as u32).unwrap_or(0)
    }

    /// Registers for all files.
    pub(super) fn share(&mut self, size: i32) -> Option<i32> {
        while size <= self.bound - self.start {
            let (at, bits) = (self.start, self.bits(self.start, size));
            if bits & (self.shared | self.ever) == 0 {
                self.shared |= bits;
                self.start += size;
                return Some(at);
            }
            self.start += 1;
        }
        None
    }

    /// Registers for this file.
    pub(super) fn keep(&mut self, size: i32) -> Option<i32> {
        while size <= self.end - self.start {
            let at = self.end - size;
            let bits = self.bits(at, size);
            if bits & (self.shared | self.here) == 0 {
                self.take_here(bits);
                self.end = at;
                self.bound = self.bound.min(at);
                return Some(at);
            }
            self.end -= 1;
        }
        None
    }

    fn take_here(&mut self, bits: u128) {
        self.here |= bits;
        self.ever |= bits;
    }

    /// Allocates given registers for all files; `false` if one is taken.
    pub(super) fn share_at(&mut self, at: i32, size: i32) -> bool {
        let bits = self.bits(at, size);
        let free = bits & (self.shared | self.ever) == 0;
        self.shared |= if free { bits } else { 0 };
        free
    }

    /// Allocates given registers for this file; `false` if one is taken.
    pub(super) fn keep_at(&mut self, at: i32, size: i32) -> bool {
        let bits = self.bits(at, size);
        let free = bits & (self.shared | self.here) == 0;
        if free {
            self.take_here(bits);
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_and_own_registers_meet() {
        let mut s = Space::new(0x20, 0x20, 0x24);
        assert_eq!((s.share(2), s.keep(1), s.keep(1), s.keep(1)), (Some(0x20), Some(0x23), Some(0x22), None));
        s.next_file();
        assert_eq!((s.keep(1), s.share(1)), (Some(0x23), None), "no file may lose its own to a shared one");
    }

    #[test]
    fn chosen_registers_are_left_out() {
        let mut s = Space::new(0x20, 0x20, 0x26);
        assert!(s.share_at(0x21, 1) && !s.share_at(0x21, 1) && s.keep_at(0x25, 1));
        assert_eq!((s.share(1), s.share(2), s.keep(1)), (Some(0x20), Some(0x22), Some(0x24)));
    }

    #[test]
    fn sizes_past_all_registers_are_refused() {
        let mut s = Space::new(0, 0, 96);
        assert_eq!((s.share(97), s.share(i32::MAX), s.keep(i32::MAX)), (None, None, None));
        assert_eq!(s.share(96), Some(0));
    }
}
