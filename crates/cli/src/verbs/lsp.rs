//! `shisa lsp`

use crate::conversation::Channel;
use crate::options::Global;
use crate::stop::{Status, Stop};
use shisa::Settings;
use shisa::data::debug::framing::{read, write};
use shisa_lsp::{Done, Server, Task, message, message_bytes};
use std::io::{self, BufRead, Write};
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
    channel: Channel,
}

/// The largest number of messages that wait for an answer.
const WAITING: usize = 64;

impl Lsp {
    /// Talks to a client until it ends the conversation.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = global.settings()?;
        self.channel.meet(|input, output| talk(settings, input, output))?;
        Ok(Status::Fine)
    }
}

/// What happens next.
enum Event {
    /// The bytes of a message came, or the end or an error of the input.
    Message(io::Result<Option<Vec<u8>>>),
    /// Work is done.
    Done(Done),
}

/// Answers messages. One thread reads them, another one works on documents.
fn talk(
    settings: Settings,
    mut input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> Result<(), Stop> {
    let most = message_bytes(&settings.limits);
    let mut server = Server::new(settings);
    let (to, events) = sync_channel(WAITING);
    let (give, tasks) = sync_channel::<Task>(1);
    let from_worker = to.clone();
    thread::spawn(move || {
        loop {
            let bytes = read(&mut input, most);
            let last = !matches!(bytes, Ok(Some(_)));
            if to.send(Event::Message(bytes)).is_err() || last {
                return;
            }
        }
    });
    thread::spawn(
        move || while tasks.recv().is_ok_and(|task| from_worker.send(Event::Done(task.run())).is_ok()) {},
    );
    let mut works = false;
    while server.ended().is_none()
        && let Ok(event) = events.recv()
    {
        let messages = match event {
            Event::Message(bytes) => {
                let bytes = bytes.map_err(|e| Stop::File(format!("cannot read a message: {e}")))?;
                let Some(bytes) = bytes else { break };
                message(&bytes).map_or_else(|response| vec![response], |message| server.handle(&message))
            }
            Event::Done(done) => {
                works = false;
                server.finish(done)
            }
        };
        for message in messages {
            write(&mut output, &message)?;
        }
        if !works && let Some(task) = server.task() {
            works = give.send(task).is_ok();
        }
    }
    match server.ended() {
        Some(true) => Ok(()),
        _ => Err(Stop::File("the client ended the conversation without \"shutdown\" and \"exit\"".into())),
    }
}
