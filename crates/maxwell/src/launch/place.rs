//! The position of a lane in a launch.

/// Where a lane runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The block's position in the grid.
    pub block: [u32; 3],
    /// The thread's position in its block.
    pub thread: [u32; 3],
    /// The warp's number in its block.
    pub warp: u32,
    /// The lane's number in its warp.
    pub lane: u32,
    /// Which of several runs for one primitive or patch this is.
    pub invocation: u32,
    /// Vertices of the input primitive or patch, in the stages before pixels.
    pub vertices: u32,
    /// In graphics stages 1.0 or -1.0 as binary32, by the origin of the window; 0 in compute.
    pub y_direction: u32,
}

impl Place {
    /// The lane as a bit of its warp.
    pub(crate) fn own(&self) -> u32 {
        1u32.checked_shl(self.lane).unwrap_or(0)
    }

    /// The lanes below this one.
    pub(crate) fn below(&self) -> u32 {
        self.own().wrapping_sub(1)
    }
}
