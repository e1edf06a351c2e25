//! Random programs on a graphics device.

use shisa_fuzz_targets::Random;
use shisa_fuzz_targets::legs::{Leg, Outcome, Part, Worker};
use shisa_translate::execute::{Device, random};
use shisa_translate::{SpirvVersion, Target};

/// The targets of the translations.
const TARGETS: [(&str, Target); 2] =
    [("as WGSL", Target::Wgsl), ("as SPIR-V", Target::Spirv(SpirvVersion::V1_3))];

/// Translates random programs, runs them and compares the results with the expected ones.
///
/// # Errors
/// The reason why there is no device.
pub(super) fn leg() -> Result<Leg, String> {
    open()?;
    Ok(Leg {
        name: "translate/device".into(),
        commit: 300,
        campaign: 20_000,
        parts: TARGETS.map(|(name, _)| Part::property(name, 30)).to_vec(),
        worker: Box::new(|_| Box::new(Programs { device: open().expect("it opened before"), number: 0 })),
    })
}

fn open() -> Result<Device, String> {
    Device::open()?.with_words(shisa_passthrough::module)
}

struct Programs {
    device: Device,
    number: u64,
}

impl Worker for Programs {
    fn make(&mut self, _: u64, random: &mut Random) {
        self.number = random.bits();
    }

    fn test(&mut self, part: usize) -> Outcome {
        let ran = random::agree(&self.device, TARGETS[part].1, self.number).unwrap_or_else(|e| panic!("{e}"));
        (ran > 0).into()
    }

    fn tested(&self) -> String {
        format!("the program of seed {}", self.number)
    }
}
