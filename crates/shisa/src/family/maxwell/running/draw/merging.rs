//! The keys of a draw call about its targets: depth, stencil, blending, masks.

use super::super::choices::{COMPARISONS, named};
use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use shisa_eval::Compare;
use shisa_eval::draw::{
    Blend, Combination, DepthTest, Equation, Factor, PixelTests, StencilAction, StencilFace, Stored,
};
use shisa_maxwell::TARGETS;

#[derive(Deserialize)]
pub(super) struct MergingKeys {
    depth: Option<DepthKeys>,
    stencil: Option<StencilKeys>,
    #[serde(default)]
    targets: Vec<TargetKeys>,
    #[serde(default)]
    blend_constant: [f32; 4],
}

#[derive(Deserialize)]
struct DepthKeys {
    test: Option<String>,
    #[serde(default = "held")]
    write: bool,
    #[serde(default = "farthest")]
    clear: f32,
}

fn held() -> bool {
    true
}

fn farthest() -> f32 {
    1.0
}

#[derive(Deserialize)]
struct StencilKeys {
    #[serde(default)]
    front: FaceKeys,
    back: Option<FaceKeys>,
    #[serde(default)]
    clear: u8,
}

#[derive(Deserialize)]
#[serde(default)]
struct FaceKeys {
    test: Option<String>,
    reference: u8,
    read_mask: u8,
    write_mask: u8,
    fail: Option<String>,
    depth_fail: Option<String>,
    pass: Option<String>,
}

impl Default for FaceKeys {
    fn default() -> FaceKeys {
        let (test, fail, depth_fail, pass) = (None, None, None, None);
        FaceKeys { test, reference: 0, read_mask: u8::MAX, write_mask: u8::MAX, fail, depth_fail, pass }
    }
}

impl FaceKeys {
    fn read(&self) -> Result<StencilFace> {
        let action = |name: &Option<String>| match name {
            Some(name) => named(&StencilAction::ALL, name, "stencil action"),
            None => Ok(StencilAction::Keep),
        };
        Ok(StencilFace {
            compare: comparison(self.test.as_deref(), Compare::Always)?,
            reference: self.reference,
            read_mask: self.read_mask,
            write_mask: self.write_mask,
            fail: action(&self.fail)?,
            depth_fail: action(&self.depth_fail)?,
            pass: action(&self.pass)?,
        })
    }
}

fn comparison(name: Option<&str>, without: Compare) -> Result<Compare> {
    name.map_or(Ok(without), |name| named(&COMPARISONS, name, "comparison"))
}

#[derive(Deserialize)]
struct TargetKeys {
    mask: Option<String>,
    clear: Option<[f32; 4]>,
    blend: Option<BlendKeys>,
}

#[derive(Deserialize)]
struct BlendKeys {
    #[serde(default)]
    color: EquationKeys,
    alpha: Option<EquationKeys>,
}

#[derive(Default, Deserialize)]
struct EquationKeys {
    source: Option<String>,
    destination: Option<String>,
    combination: Option<String>,
}

impl EquationKeys {
    fn read(&self) -> Result<Equation> {
        let factor = |name: &Option<String>, without| match name {
            Some(name) => named(&Factor::ALL, name, "factor of blending"),
            None => Ok(without),
        };
        let combination = match &self.combination {
            Some(name) => named(&Combination::ALL, name, "combination of blending")?,
            None => Combination::Add,
        };
        Ok(Equation {
            source: factor(&self.source, Factor::One)?,
            destination: factor(&self.destination, Factor::Zero)?,
            combination,
        })
    }
}

impl TargetKeys {
    fn read(&self) -> Result<Target> {
        let blend = |keys: &BlendKeys| {
            let color = keys.color.read()?;
            let alpha = keys.alpha.as_ref().map_or(Ok(color), EquationKeys::read)?;
            Ok::<_, crate::Error>(Blend { color, alpha })
        };
        let mask = match &self.mask {
            Some(text) => mask(text)?,
            None => [true; 4],
        };
        Ok(Target { mask, clear: self.clear, blend: self.blend.as_ref().map(blend).transpose()? })
    }
}

/// The components whose letters a text has.
fn mask(text: &str) -> Result<[bool; 4]> {
    let letters = ['r', 'g', 'b', 'a'];
    if let Some(letter) = text.chars().find(|letter| !letters.contains(letter)) {
        let letter = shisa_diag::escape(letter.encode_utf8(&mut [0; 4])).to_string();
        return Err(wrong(format!("\"{letter}\" is not a component of a mask; known are r, g, b, a")));
    }
    Ok(letters.map(|letter| text.contains(letter)))
}

/// What becomes of the outputs of a fragment program.
pub(super) struct Merging {
    pub(super) tests: PixelTests,
    /// What is stored for each pixel before the draw call.
    pub(super) cleared: Stored,
    targets: [Target; TARGETS as usize],
    pub(super) constant: [f32; 4],
}

/// A render target.
#[derive(Clone, Copy)]
pub(super) struct Target {
    /// The components that are written.
    pub(super) mask: [bool; 4],
    /// Its colour before the draw call.
    pub(super) clear: Option<[f32; 4]>,
    pub(super) blend: Option<Blend>,
}

impl Target {
    /// A target that nothing is stated about.
    const PLAIN: Target = Target { mask: [true; 4], clear: None, blend: None };

    /// Whether the outputs of programs replace what it has.
    pub(super) fn is_replaced(&self) -> bool {
        self.mask == [true; 4] && self.blend.is_none()
    }
}

impl Merging {
    /// A target by its number.
    pub(super) fn target(&self, number: usize) -> Option<Target> {
        self.targets.get(number).copied()
    }

    /// The targets that have a colour before the draw call, with their numbers.
    pub(super) fn clears(&self) -> impl Iterator<Item = (usize, [f32; 4])> + '_ {
        self.targets.iter().enumerate().filter_map(|(number, target)| Some((number, target.clear?)))
    }
}

impl MergingKeys {
    /// The state that the keys describe.
    ///
    /// # Errors
    /// `run-input` for names that are not known, and for too many targets.
    pub(super) fn read(&self) -> Result<Merging> {
        if self.targets.len() > TARGETS.into() {
            return Err(wrong(format!("{} targets; there are {TARGETS}", self.targets.len())));
        }
        let depth = |keys: &DepthKeys| {
            let compare = comparison(keys.test.as_deref(), Compare::Less)?;
            Ok::<_, crate::Error>(DepthTest { compare, writes: keys.write })
        };
        let stencil = |keys: &StencilKeys| {
            let front = keys.front.read()?;
            Ok::<_, crate::Error>([front, keys.back.as_ref().map_or(Ok(front), FaceKeys::read)?])
        };
        let mut targets = [Target::PLAIN; TARGETS as usize];
        for (target, keys) in targets.iter_mut().zip(&self.targets) {
            *target = keys.read()?;
        }
        Ok(Merging {
            targets,
            tests: PixelTests {
                depth: self.depth.as_ref().map(depth).transpose()?,
                stencil: self.stencil.as_ref().map(stencil).transpose()?,
            },
            cleared: Stored {
                depth: self.depth.as_ref().map_or_else(farthest, |keys| keys.clear),
                stencil: self.stencil.as_ref().map_or(0, |keys| keys.clear),
            },
            constant: self.blend_constant,
        })
    }
}
