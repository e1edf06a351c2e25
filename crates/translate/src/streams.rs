//! The streams of a geometry stage.
//!
//! A variable belongs to one stream. The outputs of stream 0 have the bindings of the interface, and only they are
//! drawn. Every other stream has its own variable for each output, at a location after those of the interface, from
//! where transform feedback takes them.

use crate::{GlslVersion, Program, StreamOutput, Target};
use shisa_ir::{Binding, Op, Topology};

/// Streams of a geometry stage.
const STREAMS: u8 = 4;
/// Locations that every device has for outputs: 128 components.
const LOCATIONS: u32 = 32;

/// The streams of a program whose vertices do not all go to stream 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Streams {
    /// The streams that vertices may go to, one bit each.
    used: u8,
    /// The streams that are enabled, one bit each.
    enabled: u8,
    pub(crate) topology: Topology,
    pub(crate) outputs: Vec<StreamOutput>,
}

impl Streams {
    /// The streams of a program; `None` if all vertices go to stream 0, and it is enabled.
    pub(crate) fn of(program: &Program) -> Option<Streams> {
        let strips = program.interface.geometry.and_then(|g| g.strips)?;
        let nodes = &program.func.nodes.list;
        let used = nodes.iter().fold(0, |used, node| match node.op {
            Op::EmitVertex { stream, .. } => match nodes.get(stream.index()).map(|n| n.op) {
                Some(Op::Const(n)) if n < STREAMS.into() => used | 1 << n,
                _ => (1 << STREAMS) - 1,
            },
            _ => used,
        });
        if used & !(strips.streams & 1) == 0 {
            return None;
        }
        let outputs = &program.interface.outputs;
        let after = outputs.iter().map(|io| match io.binding {
            Binding::Location(n) => n + 1,
            _ => 0,
        });
        let first = after.max().unwrap_or(0);
        let others = (1..STREAMS).filter(|stream| used & strips.streams & 1 << stream != 0);
        let each = others.flat_map(|stream| (0..outputs.len()).map(move |output| (stream, output)));
        let outputs =
            (first..).zip(each).map(|(location, (stream, output))| StreamOutput { stream, output, location });
        Some(Streams { used, enabled: strips.streams, topology: strips.topology, outputs: outputs.collect() })
    }

    /// Why a language's geometry stage cannot have these streams; `None` if it can.
    pub(crate) fn refusal(&self, target: Target) -> Option<String> {
        let locations = self.outputs.iter().map(|output| output.location + 1).fold(0, u32::max);
        match target {
            Target::Glsl(GlslVersion::Core450) if self.topology != Topology::Points => {
                Some("vertices go to several streams, which GLSL has for points only".to_owned())
            }
            Target::Glsl(GlslVersion::Core450) | Target::Spirv(_) if locations <= LOCATIONS => None,
            Target::Glsl(GlslVersion::Core450) | Target::Spirv(_) => Some(format!(
                "outputs of several streams need {locations} locations; a geometry stage has {LOCATIONS}"
            )),
            _ => Some("vertices go to other streams than the first, which the language lacks".to_owned()),
        }
    }

    /// The streams that vertices may go to.
    pub(crate) fn used(&self) -> impl Iterator<Item = u8> + use<> {
        let used = self.used;
        (0..STREAMS).filter(move |stream| used & 1 << stream != 0)
    }

    /// Whether vertices of a stream are output.
    pub(crate) fn outputs_to(&self, stream: u8) -> bool {
        self.enabled & 1 << stream != 0
    }

    /// The streams whose strip must end where a vertex goes to a stream (or, without one, where a strip ends). Points
    /// form no strips.
    pub(crate) fn ended(&self, by: Option<u8>) -> impl Iterator<Item = u8> + use<> {
        let strips = if self.topology == Topology::Points { 0 } else { self.used & self.enabled };
        (0..STREAMS).filter(move |stream| strips & 1 << stream != 0 && Some(*stream) != by)
    }
}
