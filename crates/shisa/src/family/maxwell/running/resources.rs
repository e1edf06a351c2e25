//! The inputs of programs of a DKSH as JSON: what bindings hold.

use super::json::FREE;
use super::textures::Image;
use super::{KernelOutput, KernelRun};
use crate::run::wrong;
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::Value;
use shisa_eval::{Texture, TextureSet};
use shisa_maxwell::launch::{Driver, Kernel, Launch, MOST_BUFFERS, MOST_TEXTURES, handle};
use shisa_run::{from_base64, to_base64};

/// Addresses of storage buffers are multiples of this.
const ALIGN: u64 = 256;
/// The bank of the uniform buffer of binding 0.
const UNIFORMS: u8 = 2;
/// The largest numbers of uniform and of storage buffers.
const MOST: [u8; 2] = [16, MOST_BUFFERS as u8];

/// An input for a compute program of a DKSH.
#[derive(Deserialize)]
pub(super) struct Input {
    workgroups: [u32; 3],
    local_size: [u32; 3],
    #[serde(default)]
    resources: Resources,
}

/// What bindings hold.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Resources(Vec<Resource>);

/// Resources as a program finds them.
pub(super) struct Bound {
    /// The list of storage buffers in bank 0.
    pub(super) storage: Vec<u8>,
    /// The contents of storage buffers with their addresses.
    pub(super) buffers: Vec<(u64, Vec<u8>)>,
    /// Textures and images by number and by handle.
    pub(super) textures: TextureSet,
}

#[derive(Deserialize)]
struct Resource {
    kind: Kind,
    binding: u8,
    data: String,
    expected: Option<String>,
    #[serde(flatten)]
    image: Option<Image>,
}

/// What a resource is.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// A uniform buffer.
    Ubo,
    /// A storage buffer.
    Ssbo,
    Texture,
    /// A texture that is read and written texel by texel.
    Image,
}

impl Kind {
    /// Its name in messages, and how many of it there are.
    fn most(self) -> (&'static str, u8) {
        match self {
            Kind::Ubo => ("uniform buffer", MOST[0]),
            Kind::Ssbo => ("storage buffer", MOST[1]),
            Kind::Texture => ("texture", MOST_TEXTURES[0] as u8),
            Kind::Image => ("image", MOST_TEXTURES[1] as u8),
        }
    }
}

impl Resource {
    fn bytes(&self) -> Result<Vec<u8>> {
        let (name, most) = self.kind.most();
        if self.binding >= most {
            let text = format!("{name} {} does not exist: bindings are 0 to {}", self.binding, most - 1);
            return Err(wrong(text));
        }
        from_base64(&self.data)
            .ok_or_else(|| wrong(format!("the data of {name} {} is not base64", self.binding)))
    }

    /// The number that instructions have for it.
    fn unit(&self, driver: Driver) -> u16 {
        let before = if self.kind == Kind::Image { MOST_TEXTURES[0] } else { 0 };
        driver.textures() + before + u16::from(self.binding)
    }
}

impl Input {
    /// The run of a program.
    ///
    /// # Errors
    /// `run-input` for bindings that do not exist and data of another form; what the texture unit reports about sizes.
    pub(super) fn run(&self, mut kernel: Kernel, settings: &Settings) -> Result<KernelRun> {
        let Bound { storage, buffers, textures } =
            self.resources.bind(&mut kernel, Driver::Deko3d, settings)?;
        Ok(KernelRun {
            launch: Launch {
                driver: Driver::Deko3d,
                grid: self.workgroups,
                block: self.local_size,
                shared: kernel.shared,
                dynamic_shared: 0,
                local: kernel.local,
                stack: kernel.stack.unwrap_or(0),
                registers: kernel.registers,
                parameters: storage,
            },
            buffers,
            textures,
            kernel,
        })
    }

    /// Writes the contents of the resources that changed, or that state what is expected, into an input.
    pub(super) fn fill(&self, filled: &mut Value, run: &KernelRun, output: &KernelOutput) {
        self.resources.fill(filled, run, output);
    }
}

impl Resources {
    /// Puts uniform buffers into banks of the kernel, and returns the others.
    ///
    /// # Errors
    /// Those of [`Input::run`].
    pub(super) fn bind(&self, kernel: &mut Kernel, driver: Driver, settings: &Settings) -> Result<Bound> {
        let mut storage = vec![0; 16 * usize::from(MOST[1])];
        let (mut buffers, mut textures, mut free) = (Vec::new(), TextureSet::new(), FREE);
        for resource in &self.0 {
            let bytes = resource.bytes()?;
            match resource.kind {
                Kind::Ubo => drop(kernel.banks.insert(UNIFORMS + resource.binding, bytes)),
                Kind::Ssbo => {
                    let entry = [free.to_le_bytes(), (bytes.len() as u64).to_le_bytes()].concat();
                    let slot = storage.iter_mut().skip(16 * usize::from(resource.binding));
                    slot.zip(entry).for_each(|(slot, byte)| *slot = byte);
                    let size = bytes.len() as u64;
                    buffers.push((free, bytes));
                    free = free.saturating_add(size).saturating_add(1).next_multiple_of(ALIGN);
                }
                Kind::Texture | Kind::Image => {
                    let (name, unit) = (resource.kind.most().0, resource.unit(driver));
                    let image = resource.image.as_ref();
                    let image = image.ok_or_else(|| {
                        wrong(format!("{name} {} has no dim, format and size", resource.binding))
                    })?;
                    let of = format!("{name} {}", resource.binding);
                    let (texture, sampling) = image.read(&of, &bytes, settings)?;
                    textures.bind(unit, texture, sampling, &settings.limits)?;
                    textures.alias(handle(unit).into(), unit);
                }
            }
        }
        Ok(Bound { storage, buffers, textures })
    }

    /// Writes the contents of the resources that changed, or that state what is expected, into an input.
    pub(super) fn fill(&self, filled: &mut Value, run: &KernelRun, output: &KernelOutput) {
        let mut buffers = run.buffers.iter().zip(&output.buffers);
        let resources = filled.get_mut("resources").and_then(Value::as_array_mut);
        for (json, resource) in resources.into_iter().flatten().zip(&self.0) {
            let (changed, after) = match resource.kind {
                Kind::Ubo => continue,
                Kind::Ssbo => {
                    let Some(((_, before), after)) = buffers.next() else { continue };
                    (before != after, Some(after.clone()))
                }
                Kind::Texture | Kind::Image => {
                    let unit = resource.unit(run.launch.driver);
                    let (before, after) = (run.textures.get(unit), output.textures.get(unit));
                    (before != after, after.and_then(Texture::encoded))
                }
            };
            if let (Some(json), Some(after), true) =
                (json.as_object_mut(), after, changed || resource.expected.is_some())
            {
                json.insert("expected".into(), to_base64(&after).into());
            }
        }
    }
}
