//! Records traces of AGAL.

use crate::run::{Steps, TraceSink, TraceStep};
use shisa_eval::{Observer, Plane, Position};
use shisa_ir::{File, Lanes, Reg};

/// Records steps.
pub(super) struct Recorder<'a> {
    files: &'static [File],
    wave: usize,
    /// The lane of the batch for each lane of the wave.
    lanes: Vec<Option<usize>>,
    steps: Steps<'a>,
    active: Vec<usize>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(files: &'static [File], trace: &'a mut dyn TraceSink) -> Self {
        Recorder { files, wave: 0, lanes: Vec::new(), steps: Steps::new(trace), active: Vec::new() }
    }
}

impl<T> Observer<T> for Recorder<'_> {
    fn wave(&mut self, lanes: &[Option<usize>]) {
        if !self.lanes.is_empty() {
            self.wave += 1;
        }
        self.lanes = lanes.to_vec();
    }

    fn step(&mut self, index: usize, active: Lanes, _: &Position<T>) {
        let taking_part = |l: &usize| active >> l & 1 != 0 && self.lanes.get(*l).is_some_and(Option::is_some);
        self.active = (0..self.lanes.len()).filter(taking_part).collect();
        let lanes = self.active.iter().filter_map(|&l| self.lanes.get(l).copied().flatten());
        let lanes = lanes.map(|lane| lane as u32).collect();
        self.steps.begin(TraceStep { wave: self.wave, instruction: index, lanes, ..TraceStep::default() });
    }

    fn write(&mut self, reg: Reg, _: Lanes, old: &Plane, new: &Plane) {
        let register = name(self.files, reg);
        self.steps.write(register, self.active.iter().copied(), &old.0, &new.0);
    }
}

/// The name of a register unit, such as `vt0.x`.
pub(super) fn name(files: &'static [File], reg: Reg) -> String {
    let Some(file) = files.get(usize::from(reg.file.0)) else { return "?".into() };
    if file.units_per_register == 1 {
        return format!("{}{}", file.name, reg.unit);
    }
    let component = ["x", "y", "z", "w"][usize::from(reg.unit % 4)];
    format!("{}{}.{component}", file.name, reg.unit / 4)
}
