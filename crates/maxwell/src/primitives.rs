//! What geometry programs emit: vertices of four streams, and the primitives that they form.

#[cfg(test)]
mod tests;

use crate::container::Sph;
use crate::container::sph::common;
use crate::emitted;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{vec, vec::Vec};

/// How many streams there are.
pub const STREAMS: usize = 4;

/// What one run of a geometry program emitted; a vertex has contents `T`.
#[derive(Clone, Debug)]
pub struct Emitted<T> {
    /// The stream and the contents of each output vertex.
    vertices: BTreeMap<u32, (u32, T)>,
    /// The vertices before which a strip ended.
    ends: BTreeSet<u32>,
}

impl<T> Default for Emitted<T> {
    fn default() -> Emitted<T> {
        Emitted { vertices: BTreeMap::new(), ends: BTreeSet::new() }
    }
}

/// The output of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream<T> {
    /// The vertices, in order.
    pub vertices: Vec<T>,
    /// The indices of the vertices of each primitive.
    pub primitives: Vec<Vec<usize>>,
}

impl<T> Default for Stream<T> {
    fn default() -> Stream<T> {
        Stream { vertices: Vec::new(), primitives: Vec::new() }
    }
}

impl<T: Clone> Emitted<T> {
    /// Takes an output vertex of a number. Vertices that were emitted with this number and the numbers after it are
    /// replaced: the program has taken an older state of emission.
    pub fn vertex(&mut self, number: u32, stream: u32, contents: T) {
        self.vertices.split_off(&number);
        self.ends.split_off(&number.saturating_add(1));
        self.vertices.insert(number, (stream, contents));
    }

    /// Ends the strip before an output vertex.
    pub fn end_strip(&mut self, number: u32) {
        self.ends.insert(number);
    }

    /// Adds the output of the run to that of each stream; returns whether `state`, the contents of `R0` at the end of the
    /// program, is a state of emission. If it is not, the output is lost. The output ends with the vertices that the state
    /// has. A strip also ends where a vertex goes to another stream than the one before it, even if the header does not
    /// enable one of the streams; primitives that lack vertices are discarded. A fast program emits nothing and has no state.
    pub fn finish(&self, state: u32, header: Option<&Sph>, streams: &mut [Stream<T>; STREAMS]) -> bool {
        let field = |field| header.map(|header| header.value(field));
        // A fast program has no state, and no OUT at its end that takes R0.
        if field(const { common("IsFastGs") }) == Some(1) {
            return true;
        }
        let Some(count) = emitted(state, field(const { common("MaxOutputVertexCount") }).unwrap_or(u32::MAX))
        else {
            return false;
        };
        let enabled = field(const { common("StreamOutMask") }).filter(|mask| *mask != 0).unwrap_or(u32::MAX);
        let topology = field(const { common("OutputTopology") }).unwrap_or(0);
        let mut strip: (u32, Vec<usize>) = (0, Vec::new());
        for (number, (stream, contents)) in self.vertices.range(..count) {
            if self.ends.contains(number) || strip.0 != *stream {
                form(topology, &strip, streams);
                strip = (*stream, Vec::new());
            }
            let out = streams.get_mut(*stream as usize).filter(|_| enabled >> stream & 1 != 0);
            if let Some(out) = out {
                strip.1.push(out.vertices.len());
                out.vertices.push(contents.clone());
            }
        }
        form(topology, &strip, streams);
        true
    }
}

/// The values of the header's `OutputTopology`; others are points.
const LINES: u32 = 6;
const TRIANGLES: u32 = 7;

/// Adds the primitives of a strip to its stream.
fn form<T>(topology: u32, (stream, strip): &(u32, Vec<usize>), streams: &mut [Stream<T>; STREAMS]) {
    if let Some(out) = streams.get_mut(*stream as usize) {
        out.primitives.extend(primitives(topology, strip));
    }
}

/// The primitives that a strip forms: every other triangle has its first two vertices exchanged, so that all have one
/// winding. A strip that is too short forms none.
fn primitives(topology: u32, strip: &[usize]) -> Vec<Vec<usize>> {
    match topology {
        LINES => strip.windows(2).map(<[usize]>::to_vec).collect(),
        TRIANGLES => {
            let triangle = |(i, corners): (usize, &[usize])| {
                let mut corners = corners.to_vec();
                if i % 2 == 1 {
                    corners.swap(0, 1);
                }
                corners
            };
            strip.windows(3).enumerate().map(triangle).collect()
        }
        _ => strip.iter().map(|vertex| vec![*vertex]).collect(),
    }
}
