//! Outputs that the runs of a tessellation control program for a patch share.

use super::state::{Body, Part};
use crate::syntax::Expr;
use shisa_ir::{Binding, Io, PatchPlace, PatchVertex, Scalar, Space, Stage, Type, Value, patch_place};

impl Body<'_, '_> {
    /// Whether a space of memory is the outputs of a control program.
    pub(super) fn is_patch(&self, space: Space) -> bool {
        space == Space::Shared && self.program.interface.stage == Stage::TessellationControl
    }

    /// Loads outputs.
    pub(super) fn load_patch(&mut self, address: Value, ty: Type) -> Expr {
        let Some(place) = patch_place(&self.program.func.nodes, address) else {
            return self.nothing("an output of a patch has a computed number");
        };
        let mut parts = [None; 4];
        for (i, part) in (0..ty.count.min(4)).zip(&mut parts) {
            let Some(pointer) = self.patch_component(place, i, false) else {
                return self.nothing("an output of a patch is loaded that does not exist");
            };
            *part = Some(Part { base: self.draft.load(pointer), index: 0, count: 1 });
        }
        let whole = self.assemble(Scalar::F32.by(ty.count), &parts[..usize::from(ty.count.clamp(1, 4))]);
        self.reinterpret(whole, Scalar::F32, ty.scalar)
    }

    /// Stores outputs.
    pub(super) fn store_patch(&mut self, address: Value, value: Value) {
        let Some(place) = patch_place(&self.program.func.nodes, address) else {
            return self.impossible("an output of a patch has a computed number");
        };
        let ty = self.ty(value);
        for i in 0..ty.count {
            let part = self.component_of(value, i);
            let part = self.component(part);
            let part = self.reinterpret(part, ty.scalar, Scalar::F32);
            match self.patch_component(place, i, true) {
                Some(pointer) => self.store(pointer, part),
                None => self.impossible("an output of a patch is stored that does not exist"),
            }
        }
    }

    /// A pointer to a component. Of the vertex that the program runs for it is one of the own variable.
    fn patch_component(&mut self, place: PatchPlace, after: u8, stored: bool) -> Option<Expr> {
        let interface = self.program.interface;
        let control = self.globals.control.as_ref()?;
        let find = |list: &[Io], unit: u16| {
            let unit = unit + u16::from(after);
            let holds = |io: &Io| unit.checked_sub(io.reg.unit).is_some_and(|n| n < u16::from(io.count));
            let number = list.iter().position(holds)?;
            Some((number, u32::from(unit - list.get(number)?.reg.unit), list.get(number)?.clone()))
        };
        let (whole, component, io) = match place {
            PatchPlace::Patch(unit) => {
                let (number, component, io) = find(&interface.patch_outputs, unit)?;
                let variable = *control.patch.get(number)?;
                (self.draft.global(variable), component, io)
            }
            PatchPlace::Vertex(vertex, unit) => {
                let (number, component, io) = find(&interface.vertex_outputs, unit)?;
                let [own, all] = *control.vertex.get(number)?;
                let whole = match vertex {
                    _ if stored || crate::patch::is_own(self.program, vertex) => self.draft.global(own),
                    PatchVertex::Fixed(n) => {
                        let all = self.draft.global(all);
                        self.member(all, n)
                    }
                    PatchVertex::Computed(v) => {
                        let (all, index) = (self.draft.global(all), self.get(v));
                        self.element(all, index)
                    }
                };
                (whole, component, io)
            }
        };
        let array = matches!(io.binding, Binding::OuterLevel | Binding::InnerLevel);
        Some(if io.count > 1 || array { self.member(whole, component) } else { whole })
    }
}
