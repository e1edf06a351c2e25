//! The textures of a run.

use shisa_eval::Texture;

/// The largest number of texels of a row and of rows that are shown; larger textures are shown in part of their texels.
pub(crate) const MOST_TEXELS: usize = 64;

/// The textures that are bound, and the texels of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bound {
    /// Each texture in words.
    pub(crate) names: Vec<String>,
    /// The texels of the chosen one: rows of red, green and blue.
    pub(crate) rows: Vec<Vec<[u8; 3]>>,
}

/// Looks at textures, and at the texels of one of them.
pub(crate) fn bound(textures: &[(String, &Texture)], chosen: usize) -> Bound {
    let name = |(name, texture): &(String, &Texture)| {
        let (width, height) = texture.size();
        let shape = texture.shape().name();
        format!("{name}: {shape} {} {width}x{height}, levels {}", texture.format().name(), texture.levels())
    };
    let rows = textures.iter().skip(chosen).take(1).flat_map(|(_, texture)| rows(texture)).collect();
    Bound { names: textures.iter().map(name).collect(), rows }
}

/// The texels of level 0.
fn rows(texture: &Texture) -> Vec<Vec<[u8; 3]>> {
    let (width, height) = texture.size();
    let most = width.max(height).clamp(1, MOST_TEXELS);
    let size = |length: usize| (length * most / width.max(height).max(1)).max(1);
    let texel = |x: usize, y: usize| {
        let at = [x * width / size(width), y * height / size(height)];
        let color = texture.texel(0, 0, at).map_or([0.0; 3], |[red, green, blue, _]| [red, green, blue]);
        color.map(|component| (component.clamp(0.0, 1.0) * 255.0).round() as u8)
    };
    (0..size(height)).map(|y| (0..size(width)).map(|x| texel(x, y)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shisa_diag::Limits;
    use shisa_eval::Format;
    use shisa_ir::Dim;

    #[test]
    fn a_large_texture_is_shown_in_every_second_texel() {
        let (width, height) = (2 * MOST_TEXELS, 6);
        let texel = |n: usize| [(n % width) as u8, (n / width) as u8, 0, 255];
        let texels: Vec<u8> = (0..width * height).flat_map(texel).collect();
        let format = Format::from_name("rgba8").unwrap();
        let texture = Texture::new(format, Dim::D2, width, height, &[[texels]], &Limits::default()).unwrap();
        let rows = rows(&texture);
        assert_eq!((rows.len(), rows[0].len()), (3, MOST_TEXELS));
        assert_eq!(
            [rows[0][0], rows[0][1], rows[1][63], rows[2][5]],
            [[0, 0, 0], [2, 0, 0], [126, 2, 0], [10, 4, 0]]
        );
    }
}
