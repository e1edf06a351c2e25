//! `shisa lsp`

use crate::conversation::Place;
use crate::options::Global;
use crate::stop::{Status, Stop};
use shisa::Settings;
use shisa::data::debug::framing::{read, write};
use shisa_lsp::{Server, message, message_bytes};
use std::io::{BufRead, Write};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Help an editor with assembly text: speak the Language Server Protocol over standard input and output, or over a port
///
/// The languages are AGAL, its macro language, picasso for PICA200, Maxwell and AGX. The identifier of a document's language
/// (`agal`, `pica200`, `maxwell`, `agx`), its file name or its first lines state which. The initialization options, and the
/// section `shisa` of the configuration, have `hints` with `live`, `cost` and `bytes`: false hides these hints.
#[derive(Debug, clap::Args)]
pub(crate) struct Lsp {
    #[command(flatten)]
    place: Place,
}

/// The largest number of messages that wait for an answer.
const WAITING: usize = 64;

impl Lsp {
    /// Talks to a client until it ends the conversation.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = global.settings()?;
        self.place.meet(|input, output| talk(settings, input, output))?;
        Ok(Status::Fine)
    }
}

/// Answers messages. Another thread reads them, so that findings are made only when no message waits.
fn talk(
    settings: Settings,
    mut input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> Result<(), Stop> {
    let most = message_bytes(&settings.limits);
    let mut server = Server::new(settings);
    let (to, messages) = sync_channel(WAITING);
    thread::spawn(move || {
        loop {
            let bytes = read(&mut input, most);
            let last = !matches!(bytes, Ok(Some(_)));
            if to.send(bytes).is_err() || last {
                return;
            }
        }
    });
    while server.ended().is_none() {
        let Ok(bytes) = (match messages.try_recv() {
            Ok(bytes) => Ok(bytes),
            Err(_) => {
                if let Some(findings) = server.idle() {
                    write(&mut output, &findings)?;
                    continue;
                }
                messages.recv()
            }
        }) else {
            break;
        };
        let bytes = bytes.map_err(|e| Stop::File(format!("cannot read a message: {e}")))?;
        let Some(bytes) = bytes else { break };
        let answers = match message(&bytes) {
            Ok(message) => server.handle(&message),
            Err(response) => vec![response],
        };
        for answer in answers {
            write(&mut output, &answer)?;
        }
    }
    match server.ended() {
        Some(true) => Ok(()),
        _ => Err(Stop::File("the client ended the conversation without \"shutdown\" and \"exit\"".into())),
    }
}
