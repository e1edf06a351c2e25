//! Constants and textures of pictures.

use crate::convert;
use crate::failure::Failure;
use crate::glue::{self, Texture};
use crate::opened::Opened;
use serde::de::DeserializeOwned;
use shisa::data::pictures::Image;
use shisa::diag::Limits;
use shisa_verbs::NamedNumbers;
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;

/// The images of textures in the options of a picture, and the other options.
///
/// # Errors
/// `usage` for options that do not exist, and for textures that are no images.
pub(crate) fn options<T: DeserializeOwned + Default>(
    options: &JsValue,
    file: &Opened,
) -> Result<(T, Vec<(String, Image)>), Failure> {
    let wrong = |_| Failure::usage("textures are images, each with `width`, `height` and `rgba`");
    let limits = &file.settings().limits;
    let textures = glue::textures(options).map_err(wrong)?;
    let textures =
        textures.iter().map(|one| Ok((one.name(), image(one, limits).map_err(|e| file.failed(e))?)));
    let textures = textures.collect::<Result<_, Failure>>()?;
    Ok((convert::options(&glue::without_textures(options).map_err(wrong)?)?, textures))
}

/// The values of constants, each with a name: `X,Y,Z,W`.
///
/// # Errors
/// `usage` for a value of another form.
pub(crate) fn constants(list: &BTreeMap<String, String>) -> Result<Vec<NamedNumbers>, Failure> {
    let constants = list.iter().map(|(name, list)| format!("{name}={list}").parse());
    constants.collect::<Result<_, _>>().map_err(Failure::usage)
}

/// The image of a texture.
fn image(texture: &Texture, limits: &Limits) -> shisa::Result<Image> {
    // A number that is no size has as little bytes as no image.
    let size = [texture.width(), texture.height()].map(|size| size as usize);
    Ok(Image::new(size[0], size[1], texture.rgba(), limits)?)
}
