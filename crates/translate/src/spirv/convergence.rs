//! Where the lanes of a quad may have diverged, and how derivatives there are translated.
//!
//! A derivative, and a sample whose level of detail comes from derivatives, compares neighbouring lanes: in divergent
//! control flow its value is undefined. The values that it compares are computed at the start of the function
//! instead, if they depend on inputs and uniforms only.

use super::walk::Event;
use crate::{Options, Program, hoist::Hoisted};
use shisa_diag::Diagnostic;
use shisa_ir::{Class, Cond, FileKind, Op, Stage, TexKind, Value};

/// The result of the convergence analysis.
pub(super) struct Convergence {
    /// Values to compute at the start.
    pub(super) hoisted: Hoisted,
    /// Samples that use derivatives of their coordinates taken at the start, in ascending order.
    pub(super) gradients: Vec<Value>,
    /// Derivatives whose values stay undefined.
    pub(super) warnings: Vec<Diagnostic>,
    /// Whether the stage has quads at all.
    quads: bool,
    /// Whether each value is the same in all lanes.
    uniform: Vec<bool>,
    /// Whether lanes may have diverged at the current position.
    diverged: bool,
    /// Whether some lanes may have ended while others continue.
    exited: bool,
    /// [`Self::diverged`] outside of each open construct.
    outside: Vec<bool>,
    /// Convergent operations in divergent control flow.
    apart: Vec<Value>,
}

impl Convergence {
    pub(super) fn new(program: &Program, quads: bool) -> Self {
        let count = if quads { program.func.nodes.list.len() } else { 0 };
        Convergence {
            hoisted: Hoisted::new(count),
            gradients: Vec::new(),
            warnings: Vec::new(),
            quads: quads && program.interface.stage == Stage::Fragment,
            uniform: vec![false; count],
            diverged: false,
            exited: false,
            outside: Vec::new(),
            apart: Vec::new(),
        }
    }

    fn is_uniform(&self, v: Value) -> bool {
        self.uniform.get(v.index()).copied().unwrap_or(false)
    }

    pub(super) fn event(&mut self, event: Event) {
        match event {
            Event::If(cond, ..) => {
                self.outside.push(self.diverged);
                self.diverged |= !matches!(cond, Cond::Value(v) if self.is_uniform(v));
            }
            Event::Loop | Event::Switch(..) => {
                self.outside.push(self.diverged);
                self.diverged = true;
            }
            Event::EndIf | Event::EndLoop | Event::EndSwitch => {
                // Without a list that ends, lanes may have diverged.
                self.diverged = self.outside.pop().unwrap_or(true) || self.exited;
            }
            Event::Exit => self.exited |= self.diverged,
            _ => {}
        }
    }

    pub(super) fn operation(&mut self, program: &Program, v: Value) {
        let nodes = &program.func.nodes;
        let Some(node) = nodes.list.get(v.index()).filter(|_| self.quads) else { return };
        let mut same = match node.op {
            Op::Read { reg, .. } => {
                let file = program.func.files.get(usize::from(reg.file.0));
                file.is_some_and(|f| f.kind == FileKind::Uniform)
            }
            Op::Param
            | Op::Texture(_)
            | Op::Derivative { .. }
            | Op::Lane { .. }
            | Op::Combine { .. }
            | Op::Atomic { .. }
            | Op::TextureAtomic(_)
            | Op::Load { .. } => false,
            _ => true,
        };
        nodes.operands(v, |a| {
            let constant = matches!(nodes.list.get(a.index()).map(|n| n.op), Some(Op::Const(_)));
            same &= constant || self.is_uniform(a);
        });
        if let Some(uniform) = self.uniform.get_mut(v.index()) {
            *uniform = same;
        }
        if self.diverged && nodes.class(v) == Class::Convergent {
            self.apart.push(v);
        }
    }

    /// Decides what is computed at the start.
    pub(super) fn settle(&mut self, program: &Program, options: &Options) {
        let nodes = &program.func.nodes;
        let mut apart = core::mem::take(&mut self.apart);
        apart.sort_unstable();
        apart.dedup();
        for v in apart {
            let Some(node) = nodes.list.get(v.index()) else { continue };
            let texture = match node.op {
                Op::Texture(t) => nodes.textures.get(t as usize),
                _ => None,
            };
            // Without a mip filter the level is 0 anyway.
            if texture.is_some_and(|t| crate::texture::is_level_zero(t, options)) {
                continue;
            }
            // A query of the level cannot use derivatives that were computed elsewhere.
            let asks = texture.is_some_and(|t| t.kind == TexKind::Detail);
            if !asks && self.hoisted.add(nodes, texture.map_or(v, |t| t.coord)) {
                if texture.is_some() {
                    self.gradients.push(v);
                }
                continue;
            }
            let text = "a derivative is taken where the lanes of a quad may be apart";
            self.warnings.push(
                Diagnostic::warning("translate-divergent-derivative", text)
                    .note(format!("instruction {}", node.origin))
                    .help("its value is undefined for quads that diverge there"),
            );
        }
    }
}
