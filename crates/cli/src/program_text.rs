//! The text that a debugger shows for a program of files.

use crate::input::Input;
use shisa::Settings;
use shisa::data::debug::Session;
use shisa_verbs::text_of;

/// Makes a session show the text of its program, which is one of these files. Without a text that assembles to the program, it
/// goes on to show the instructions alone.
pub(crate) fn show_text<'i>(
    session: &mut Session,
    files: impl IntoIterator<Item = &'i Input>,
    settings: &Settings,
) {
    let found =
        files.into_iter().find_map(|file| text_of(session.lines(), &file.name, &file.bytes, settings));
    if let Some(text) = found {
        session.set_text(text);
    }
}
