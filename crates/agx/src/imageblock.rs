//! The tile of a compute workgroup.

use alloc::format;
use shisa_diag::Diagnostic;

/// The layout of a workgroup tile's samples in the memory that its threads share: pixel by pixel, row by row, the
/// bytes of each sample together. A word outside of the program states it (Mesa's `agx_usc_shared`), with the sizes
/// that tiles of pixels have. The order in which the hardware stores them is not known, and a program cannot observe
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Imageblock {
    width: u16,
    height: u16,
    samples: u16,
    stride: u16,
}

/// Width and height of tiles.
const SIZES: [[u16; 2]; 3] = [[32, 32], [32, 16], [16, 16]];
/// A sample's bytes are a multiple of this.
const UNIT: u16 = 8;
/// The largest tile in bytes.
const MOST: u32 = 32 << 10;

impl Default for Imageblock {
    /// 32 by 32 pixels of one sample of 16 bytes: room for every format of one colour.
    fn default() -> Self {
        Imageblock { width: 32, height: 32, samples: 1, stride: 16 }
    }
}

impl Imageblock {
    /// A tile of the given size in pixels, with the given samples per pixel and bytes per sample; the bytes are rounded
    /// up to a multiple of 8.
    ///
    /// # Errors
    /// `imageblock` for sizes other than 32 by 32, 32 by 16 and 16 by 16, samples other than 1, 2 and 4, samples
    /// without bytes, and for more than 32 KiB in all.
    pub fn new([width, height]: [u16; 2], samples: u16, stride: u16) -> Result<Imageblock, Diagnostic> {
        let fault = |text| Err(Diagnostic::error("imageblock", text));
        if !SIZES.contains(&[width, height]) {
            return fault(format!(
                "tiles have 32 by 32, 32 by 16 or 16 by 16 pixels, not {width} by {height}"
            ));
        }
        if ![1, 2, 4].contains(&samples) {
            return fault(format!("pixels have 1, 2 or 4 samples, not {samples}"));
        }
        let bytes = u32::from(stride).next_multiple_of(UNIT.into());
        let all = u32::from(width) * u32::from(height) * u32::from(samples) * bytes;
        match u16::try_from(bytes) {
            Ok(stride) if stride > 0 && all <= MOST => Ok(Imageblock { width, height, samples, stride }),
            _ => {
                fault(format!("a tile has up to {MOST} bytes, at least {UNIT} a sample; this one has {all}"))
            }
        }
    }

    /// The tile for the bytes per pixel that a compiler states, `None` if there is no tile: 32 by 32 pixels of one
    /// sample, as Mesa's drivers set it up.
    ///
    /// # Errors
    /// The errors of [`Imageblock::new`].
    pub fn of_compiler(stride: u32) -> Result<Option<Imageblock>, Diagnostic> {
        let stride = u16::try_from(stride).unwrap_or(u16::MAX);
        if stride == 0 { Ok(None) } else { Imageblock::new([32, 32], 1, stride).map(Some) }
    }

    /// Pixels of a row.
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> u16 {
        self.height
    }

    /// Samples of a pixel.
    pub const fn samples(&self) -> u16 {
        self.samples
    }

    /// Bytes from a sample to the next.
    pub const fn stride(&self) -> u16 {
        self.stride
    }

    /// Pixels.
    pub(crate) fn pixels(&self) -> u32 {
        u32::from(self.width) * u32::from(self.height)
    }

    /// Bytes of all samples.
    pub(crate) fn samples_end(&self) -> u32 {
        self.pixels() * u32::from(self.samples) * u32::from(self.stride)
    }
}
