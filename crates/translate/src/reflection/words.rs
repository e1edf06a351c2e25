//! The words of a reflection's JSON for values of the intermediate representation.

use crate::{Form, Target};
use serde::{Serialize, Serializer};
use shisa_ir::{Filter, Interpolation, Mask, Sampling, Scalar, Shape, Stage, TextureAccess, Topology, Wrap};

/// The names of the components in each mask.
const COMPONENTS: [&str; 16] =
    ["", "x", "y", "xy", "z", "xz", "yz", "xyz", "w", "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"];

/// Defines functions that write a value as a word.
macro_rules! words {
    ($($name:ident($value:ident: $type:ty) = $word:expr;)*) => {
        $(pub(super) fn $name<S: Serializer>($value: &$type, out: S) -> Result<S::Ok, S::Error> {
            out.serialize_str($word)
        })*
    };
}

words! {
    target(value: Target) = value.name();
    stage(value: Stage) = value.name();
    topology(value: Topology) = value.name();
    domain(value: shisa_ir::Domain) = value.name();
    spacing(value: shisa_ir::Spacing) = value.name();
    division_output(value: shisa_ir::DivisionOutput) = value.name();
    scalar(value: Scalar) = value.name();
    shape(value: Shape) = value.name();
    filter(value: Filter) = value.name();
    mip(value: Option<Filter>) = value.map_or("none", Filter::name);
    form(value: Form) = match value {
        Form::Stage => "stage",
        Form::Compute => "compute",
    };
    mask(value: Mask) = COMPONENTS.get(usize::from(value.0)).copied().unwrap_or("xyzw");
    interpolation(value: Interpolation) = match value {
        Interpolation::Perspective => "perspective",
        Interpolation::Linear => "linear",
        Interpolation::Flat => "flat",
    };
    sampling(value: Sampling) = match value {
        Sampling::Centre => "centre",
        Sampling::Centroid => "centroid",
        Sampling::Sample => "sample",
    };
    access(value: TextureAccess) = match value {
        TextureAccess::Sampled => "sampled",
        TextureAccess::Read => "read",
        TextureAccess::Compared => "compared",
        TextureAccess::Written | TextureAccess::Bits(_) => "written",
        TextureAccess::Changed(_) => "changed",
    };
}

pub(super) fn wrap<S: Serializer>(value: &[Wrap; 3], out: S) -> Result<S::Ok, S::Error> {
    value.map(Wrap::name).serialize(out)
}

pub(super) fn scalars<S: Serializer>(value: &[Scalar], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(value.iter().map(|scalar| scalar.name()))
}

pub(super) fn is_perspective(value: &Interpolation) -> bool {
    *value == Interpolation::Perspective
}

pub(super) fn is_centre(value: &Sampling) -> bool {
    *value == Sampling::Centre
}
