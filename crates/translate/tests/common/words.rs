//! Programs on a graphics device that load and store words of memory.

use super::{Case, glslang, input, output};
use shisa_ir::{Binary, Builder, Convert, Scalar, Space, Value};
use shisa_translate::execute::{Device, Resources};
use shisa_translate::{Form, Options, Target};
use std::cell::RefCell;

/// The words that each lane loads and stores. Memory begins with what the lanes load, lane after lane; what they store
/// follows.
#[derive(Clone, Copy)]
pub struct Words {
    pub given: usize,
    pub results: usize,
    pub lanes: usize,
}

/// The addresses of a lane's words.
pub struct Own {
    from: Value,
    to: Value,
}

impl Own {
    /// Loads words from the one with a number on.
    pub fn load(&self, b: &mut Builder, word: usize, count: u8) -> Value {
        let address = at(b, self.from, word);
        b.load(Space::Global, address, Scalar::I32.by(count))
    }

    /// Stores words from the one with a number on.
    pub fn store(&self, b: &mut Builder, word: usize, value: Value) {
        let address = at(b, self.to, word);
        b.store(Space::Global, address, value);
    }
}

fn at(b: &mut Builder, base: Value, word: usize) -> Value {
    let offset = b.i32(4 * word as i32);
    b.iadd(base, offset)
}

impl Words {
    /// A program that computes with the words of its lane.
    pub fn case(self, body: impl FnOnce(&mut Builder, &Own)) -> Case {
        let mut case = Case::vertex(|b| {
            // The first component of the first input is the number of the lane.
            let position = input(b, 0);
            let lane = b.component(position, 0);
            let lane = b.convert(Convert::FloatToUnsigned, lane, Scalar::I32);
            let (own, theirs) = (b.i32(4 * self.given as i32), b.i32(4 * self.results as i32));
            let from = b.binary(Binary::IMul, lane, own);
            let to = b.binary(Binary::IMul, lane, theirs);
            let start = b.i32((4 * self.given * self.lanes) as i32);
            let to = b.iadd(to, start);
            body(b, &Own { from, to });
            output(b, 2, position);
            output(b, 3, position);
        });
        case.interface.uniforms.clear();
        case
    }

    /// The words that each lane stores in a language. `given` are the words that each loads. `name` is that of the test.
    pub fn run(
        self,
        device: &Device,
        case: &Case,
        target: Target,
        name: &str,
        given: &[Vec<u32>],
    ) -> Vec<Vec<u32>> {
        assert_eq!(given.len(), self.lanes);
        // What is native is decided before.
        let options = Options { form: Form::Compute, float16: true, ..Options::default() };
        let output = case.translate(target, &options).unwrap_or_else(|e| panic!("{target:?}: {e:#?}"));
        let output = match target {
            Target::Spirv(_) | Target::Wgsl => output,
            _ => glslang::compiled(&output, target, name),
        };
        let mut words = given.concat();
        let start = words.len();
        words.resize(start + self.results * self.lanes, 0);
        let memory = RefCell::new(words);
        let resources = Resources { memory: Some(&memory), ..Resources::default() };
        let lanes: Vec<Vec<[u32; 4]>> =
            (0..self.lanes).map(|n| vec![[n as f32, 0.0, 0.0, 0.0].map(f32::to_bits); 2]).collect();
        device.lanes(&output, resources, &lanes).unwrap_or_else(|e| panic!("{target:?}: {e}"));
        memory.into_inner()[start..].chunks(self.results).map(<[u32]>::to_vec).collect()
    }
}

/// The two words of a number of 64 bits.
pub fn halves(n: u64) -> [u32; 2] {
    [n as u32, (n >> 32) as u32]
}

/// A number of 64 bits by its two words.
pub fn whole(words: &[u32]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}
