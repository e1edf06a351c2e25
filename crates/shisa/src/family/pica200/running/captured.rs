//! Sets of runs for a debugger.

use super::geometry::Geometry;
use super::lines::{lines, name};
use super::{Set, ShaderSet};
use crate::{Result, Settings};
use shisa_debug::{BatchRun, Captured, Run, Start, of_stacks};
use shisa_diag::Diagnostic;
use shisa_eval::{Driver, NoEnvironment, Portion, Program};
use shisa_pica200::Sequencer;
use shisa_pica200::container::{Dvle, Shbin};

/// A set that runs one vertex or primitive after the other.
struct OneByOne {
    program: Program<'static>,
    set: ShaderSet,
    file: Shbin,
    dvle: Dvle,
    settings: Settings,
}

impl OneByOne {
    fn set(&self) -> Set<'_> {
        let OneByOne { program: plan, set, file, dvle, settings } = self;
        Set { number: 0, set, plan, dvle, file, settings }
    }
}

impl Run for OneByOne {
    type Sequencer = Sequencer;
    type Environment = Geometry;

    fn program(&self) -> &Program<'static> {
        &self.program
    }

    fn sequencer(&self) -> &Sequencer {
        &Sequencer
    }

    fn run<D: Driver<Sequencer, Geometry>>(&self, driver: &mut D) -> std::result::Result<(), Diagnostic> {
        let ran = self.set().one_by_one(driver, |_, _, state| {
            state.take().for_each(drop);
            Ok(())
        });
        ran.map_err(|error| {
            let first = error.diagnostics.into_iter().next();
            first.unwrap_or_else(|| Diagnostic::internal("internal-debug", "a run failed without a reason"))
        })
    }

    fn start(&self) -> Start {
        let given = of_stacks(self.sequencer(), self.program.lifted());
        Start { given, continues: self.set.keep_registers }
    }

    fn enter(&self, environment: &mut Geometry, _: &Portion, first: bool) {
        match first {
            true => *environment = self.set().assemblers(1, 0),
            false => environment.take().for_each(drop),
        }
    }
}

impl Set<'_> {
    /// The set for a debugger.
    ///
    /// # Errors
    /// `run-input`; `limit-exceeded`.
    pub(super) fn captured(&self, geometry: bool, alone: bool) -> Result<Captured> {
        let Settings { limits, pica200, .. } = self.settings;
        let program = Program::owning(self.plan.lifted().clone(), pica200.options.float_model(), limits)?;
        let listing = lines(self.file);
        let symbols: Vec<_> =
            self.dvle.symbols().map(|s| (s.name.to_owned(), format!("{}{}", s.bank, s.first))).collect();
        if !geometry && alone {
            let (batch, _) = self.batch()?;
            let (limits, environment) = (limits.clone(), NoEnvironment);
            let run = BatchRun { program, sequencer: Sequencer, batch, environment, limits };
            return Ok(Captured::new(run, name, listing).named(symbols));
        }
        let (set, file, dvle) = (self.set.clone(), self.file.clone(), self.dvle.clone());
        let run = OneByOne { program, set, file, dvle, settings: self.settings.clone() };
        Ok(Captured::new(run, name, listing).named(symbols))
    }
}
