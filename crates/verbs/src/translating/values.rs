//! Values of options of translations, which have the same text on a command line and in JSON.

use serde::Deserialize;
use shisa::agx::Imageblock;
use shisa::ir::{Dim, Division, DivisionOutput, Domain, Shape, Spacing};
use shisa::maxwell::TextureKind;
use std::str::FromStr;

/// Declares types that are read from a text by a function.
macro_rules! texts {
    ($($(#[$doc:meta])* $Name:ident($Inner:ty) = $read:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $Name(pub(super) $Inner);

        impl FromStr for $Name {
            type Err = String;

            fn from_str(text: &str) -> Result<$Name, String> {
                $read(text).map($Name)
            }
        }

        impl TryFrom<String> for $Name {
            type Error = String;

            fn try_from(text: String) -> Result<$Name, String> {
                text.parse()
            }
        }
    )*};
}

texts! {
    /// Threads of a workgroup: `X,Y,Z`.
    Workgroup([u32; 3]) = workgroup;
    /// A tile of a workgroup: `WIDTH,HEIGHT,SAMPLES,BYTES`.
    Tile(Imageblock) = imageblock;
    /// How patches are divided: `DOMAIN,SPACING,OUTPUT`.
    PatchDivision(Division) = division;
    /// The shape of a texture: `HANDLE=SHAPE`.
    TextureShape((u16, TextureKind)) = texture;
    /// Samples of a pixel: 1, 2 or 4.
    Samples(u16) = samples;
}

/// Parses three numbers from 1 to 1024, for no more than 1024 threads.
fn workgroup(text: &str) -> Result<[u32; 3], String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if (1..=1024).contains(&[x, y, z].into_iter().fold(1, u32::saturating_mul)) => {
            Ok([x, y, z])
        }
        _ => Err("three numbers such as 32,1,1, of at most 1024 threads in all".into()),
    }
}

fn imageblock(text: &str) -> Result<Imageblock, String> {
    let numbers: Option<Vec<u16>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[width, height, samples, bytes]) => {
            Imageblock::new([width, height], samples, bytes).map_err(|d| d.message)
        }
        _ => Err("four numbers such as 32,32,1,16".into()),
    }
}

/// Parses how patches are divided.
fn division(text: &str) -> Result<Division, String> {
    let mut words = text.split(',').map(str::trim);
    let mut next = || words.next().unwrap_or_default();
    let (domain, spacing, output) = (Domain::ALL, Spacing::ALL, DivisionOutput::ALL);
    let (first, second, third) = (next(), next(), next());
    let found = || {
        Some(Division {
            domain: domain.into_iter().find(|d| d.name() == first)?,
            spacing: spacing.into_iter().find(|s| s.name() == second)?,
            output: output.into_iter().find(|o| o.name() == third)?,
        })
    };
    found().filter(|_| words.next().is_none()).ok_or_else(|| {
        let [domain, spacing, output] = [
            domain.map(Domain::name).join(", "),
            spacing.map(Spacing::name).join(", "),
            output.map(DivisionOutput::name).join(", "),
        ];
        format!("one word of each: {domain}; {spacing}; {output}")
    })
}

/// Parses a handle with a shape.
fn texture(text: &str) -> Result<(u16, TextureKind), String> {
    let (number, rest) = text.split_once('=').ok_or("HANDLE=SHAPE, such as 0x28=3d")?;
    let number = match number.trim().strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16),
        None => number.trim().parse(),
    };
    let (name, integers) = rest.strip_suffix(",int").map_or((rest, false), |name| (name, true));
    let all = [Dim::D1, Dim::D2, Dim::D3, Dim::Cube].into_iter().flat_map(|dim| {
        let each = [(false, false), (true, false), (false, true), (true, true)];
        each.map(|(arrayed, multisampled)| Shape { dim, arrayed, multisampled })
    });
    let names: Vec<Shape> = all.filter(|shape| shape.exists()).collect();
    let known = names.iter().find(|shape| shape.name() == name.trim()).copied();
    let shape = known.ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|shape| shape.name()).collect();
        format!("a shape: {}", names.join(", "))
    })?;
    Ok((number.map_err(|_| "the number of a handle, such as 0x28")?, TextureKind { shape, integers }))
}

fn samples(text: &str) -> Result<u16, String> {
    let number = text.trim().parse().ok().filter(|n| matches!(n, 1 | 2 | 4));
    number.ok_or_else(|| "1, 2 or 4".into())
}
