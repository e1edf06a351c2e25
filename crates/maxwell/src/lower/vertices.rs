//! Inputs of programs that read the vertices of a primitive: reads by vertex and component become reads of an array.

use super::VERTICES;
use crate::ShaderStage;
use crate::component::{DOMAIN, PRIMITIVE};
use crate::drawing::{COMPONENTS, Drawing, MOST_VERTICES};
use crate::linkage;
use crate::registers::ATTRIBUTES;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Binary, Builder, Func, Io, Nodes, Op, Reg, Scalar, Swizzle, Type, UniformArray, Value};

/// Bits of the number of a component; the number of the vertex is above them.
const BITS: u32 = COMPONENTS.trailing_zeros();
/// How many vertices primitives of geometry stages have.
const PRIMITIVES: [u8; 5] = [1, 2, 3, 4, 6];

/// The vertices of the input primitive, as the program reads them.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    /// How many there are.
    pub(super) count: u8,
    /// The attributes of each of them.
    pub(super) inputs: Vec<Io>,
    /// Whether a vertex has a computed number.
    indirect: bool,
}

impl Vertices {
    /// The array of the attributes of all vertices; `None` if the program reads none.
    pub(super) fn array(&self) -> Option<UniformArray> {
        let registers = u16::from(self.count) * self.inputs.len() as u16;
        (registers > 0).then(|| UniformArray {
            per_lane: true,
            indirect: self.indirect,
            ..UniformArray::new("vertices", VERTICES, registers)
        })
    }
}

/// The vertex that a read names.
#[derive(Clone, Copy)]
enum Vertex {
    Fixed(u16),
    Computed(Value),
    /// The number of the component is computed, too: both are in one index.
    Physical(Value),
}

/// A read of attributes: the vertex and the first component, where it is fixed.
fn access(nodes: &Nodes, op: Op) -> Option<(Vertex, u16, Swizzle)> {
    match op {
        Op::Read { reg, swizzle } if reg.file == ATTRIBUTES => {
            Some((Vertex::Fixed(reg.unit / COMPONENTS), reg.unit % COMPONENTS, swizzle))
        }
        Op::ReadAt { file: ATTRIBUTES, base, index, swizzle, .. } => {
            let vertex = match nodes.op(index) {
                Op::Binary { op: Binary::Shl, a, b, .. } if nodes.op(b) == Op::Const(BITS.into()) => {
                    Vertex::Computed(a)
                }
                Op::Const(at) if at % u64::from(COMPONENTS) == 0 => Vertex::Fixed((at >> BITS) as u16),
                _ => Vertex::Physical(index),
            };
            Some((vertex, base, swizzle))
        }
        _ => None,
    }
}

/// Whether a component belongs to the primitive, or to the point in the domain of a patch, instead of a vertex.
fn is_shared(component: u16) -> bool {
    component == PRIMITIVE || DOMAIN.contains(&component)
}

/// Replaces reads of attributes of vertices by reads of [`VERTICES`]: attribute a of vertex v is register
/// `v * attributes + a`. `stated` is the number of vertices that the host states; without one it is the smallest primitive
/// with the vertices that the program names, and with triangles at least if it computes the number of one. A patch has
/// the vertices that the program reads.
pub(super) fn resolve(
    func: &mut Func,
    drawing: &Drawing,
    stated: Option<u8>,
) -> (Vertices, Option<Diagnostic>) {
    let mut used = BTreeSet::new();
    let (mut last, mut indirect) = (0, false);
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        let Some((vertex, first, swizzle)) = access(&func.nodes, func.nodes.op(*v)) else { continue };
        let components = (0..func.nodes.ty(*v).count).map(|i| first + u16::from(swizzle.get(i)));
        match vertex {
            Vertex::Physical(_) => {
                indirect = true;
                used.extend((0..COMPONENTS).filter(|component| drawing.reads(*component)));
            }
            Vertex::Computed(_) => {
                indirect = true;
                used.extend(components);
            }
            Vertex::Fixed(vertex) => {
                let of_vertices: Vec<u16> = components.filter(|c| !is_shared(*c)).collect();
                if !of_vertices.is_empty() {
                    last = last.max(vertex);
                }
                used.extend(of_vertices);
            }
        }
    }
    let (inputs, places) = linkage::of_vertices(&used, VERTICES);
    let patches = drawing.stage != ShaderStage::Geometry;
    let count = match (patches, indirect) {
        (true, true) => MOST_VERTICES as u8,
        (true, false) => (last + 1).min(MOST_VERTICES) as u8,
        (false, _) => {
            let needed = if indirect { last.max(2) } else { last } + 1;
            let fitting = PRIMITIVES.into_iter().find(|n| u16::from(*n) >= needed).unwrap_or(PRIMITIVES[4]);
            stated.unwrap_or(fitting)
        }
    };
    let vertices = Vertices { count, inputs, indirect };
    let attributes = vertices.inputs.len() as u16;
    func.rewrite(|b, v| {
        let (vertex, first, swizzle) = access(b.nodes, b.nodes.op(v))?;
        let ty = b.ty(v);
        let components: Vec<u16> = (0..ty.count).map(|i| first + u16::from(swizzle.get(i))).collect();
        let parts: Vec<Value> = match vertex {
            Vertex::Physical(index) => {
                let base = b.i32(i32::from(first));
                let (sum, bits) = (b.iadd(index, base), b.i32(BITS as i32));
                let (vertex, mask) = (b.lshr(sum, bits), b.i32(i32::from(COMPONENTS) - 1));
                let component = b.and(sum, mask);
                let offsets = (0..ty.count).map(|i| u16::from(swizzle.get(i)));
                let choice = |offset: u16| chosen(b, vertex, component, offset, &places, attributes);
                offsets.map(choice).collect()
            }
            Vertex::Computed(vertex) => {
                if let Some(whole) = within(b, vertex, &components, &places, attributes) {
                    return Some(whole);
                }
                let read = |c: &u16| match is_shared(*c) {
                    true => b.read(Reg::new(ATTRIBUTES, *c), Swizzle::IDENTITY, Type::I32),
                    false => computed(b, vertex, places.get(c).copied(), attributes),
                };
                components.iter().map(read).collect()
            }
            Vertex::Fixed(vertex) => {
                let read = |c: &u16| match places.get(c).filter(|_| vertex < count.into()) {
                    Some((a, part)) => {
                        let unit = 4 * (vertex * attributes + a) + u16::from(*part);
                        b.read(Reg::new(VERTICES, unit), Swizzle::IDENTITY, Type::I32)
                    }
                    None if is_shared(*c) => b.read(Reg::new(ATTRIBUTES, *c), Swizzle::IDENTITY, Type::I32),
                    None => b.i32(0),
                };
                components.iter().map(read).collect()
            }
        };
        Some(b.join(&parts))
    });
    let guessed = stated.is_none() && attributes > 0 && !patches;
    let text = format!("nothing states the input primitive: it is taken to have {count} vertices");
    let warning = guessed.then(|| {
        Diagnostic::warning("translate-primitive", text)
            .note("these are the vertices that the program reads; the host sets the primitive when it draws")
    });
    (vertices, warning)
}

/// Components of one attribute of the vertex with a computed number; `None` if they are not of one attribute.
fn within(
    b: &mut Builder<'_>,
    vertex: Value,
    components: &[u16],
    places: &BTreeMap<u16, (u16, u8)>,
    attributes: u16,
) -> Option<Value> {
    let all: Vec<(u16, u8)> = components.iter().map(|c| places.get(c).copied()).collect::<Option<_>>()?;
    let attribute = all.first()?.0;
    let parts: Vec<u8> = all.iter().map(|(_, part)| *part).collect();
    let (base, stride) = (4 * attribute, (4 * attributes) as u8);
    let swizzle = Swizzle::from_slice(&parts);
    let ty = Scalar::I32.by(parts.len() as u8);
    let read = Op::ReadAt { file: VERTICES, base, stride, index: vertex, swizzle };
    all.iter().all(|(of, _)| *of == attribute).then(|| b.push(read, ty))
}

/// The component of an attribute of the vertex with a computed number; 0 if it is none.
fn computed(b: &mut Builder<'_>, vertex: Value, place: Option<(u16, u8)>, attributes: u16) -> Value {
    let Some((attribute, part)) = place else { return b.i32(0) };
    let swizzle = Swizzle::splat(part);
    let (base, stride) = (4 * attribute, (4 * attributes) as u8);
    b.push(Op::ReadAt { file: VERTICES, base, stride, index: vertex, swizzle }, Scalar::I32.by(1))
}

/// The component with a computed number of a vertex; 0 if there is none.
fn chosen(
    b: &mut Builder<'_>,
    vertex: Value,
    component: Value,
    offset: u16,
    places: &BTreeMap<u16, (u16, u8)>,
    attributes: u16,
) -> Value {
    let mut value = b.i32(0);
    for (number, place) in places {
        let at = b.i32(i32::from(*number) - i32::from(offset));
        let here = b.ieq(component, at);
        let found = computed(b, vertex, Some(*place), attributes);
        value = b.select(here, found, value);
    }
    value
}
