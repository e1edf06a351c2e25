//! What an instruction cost in a run.

use serde::Serialize;

/// What an instruction cost in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Address of the instruction.
    pub instruction: u32,
    /// Number of warps that ran it, each time counted.
    pub warps: u64,
    /// Number of lanes that ran it. Without divergence it is 32 for each warp.
    pub lanes: u64,
    /// Accesses to global and local memory.
    #[serde(skip_serializing_if = "Served::is_none")]
    pub global: Served,
    /// Accesses to shared memory.
    #[serde(skip_serializing_if = "Served::is_none")]
    pub shared: Served,
}

/// How accesses of warps were served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Served {
    /// Number of accesses of warps.
    pub accesses: u64,
    /// Bytes that lanes accessed.
    pub bytes: u64,
    /// Sectors of 32 bytes that they touched in global memory, or passes of the banks of shared memory.
    pub transactions: u64,
    /// The transactions if all bytes were consecutive.
    pub least: u64,
}

impl Served {
    fn is_none(&self) -> bool {
        self.accesses == 0
    }

    pub(super) fn add(&mut self, bytes: u64, transactions: u64, least: u64) {
        self.accesses += 1;
        self.bytes += bytes;
        self.transactions += transactions;
        self.least += least;
    }
}
