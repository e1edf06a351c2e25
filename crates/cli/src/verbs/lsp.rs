//! `shisa lsp`

use crate::conversation::Channel;
use crate::options::Global;
use crate::stop::{Status, Stop};
use serde_json::Value;
use shisa::Settings;
use shisa::data::debug::framing::{read, write};
use shisa_lsp::{Done, Server, Task, message, message_bytes};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

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
/// The time without changes of documents after which they are checked: longer than between two keys that are typed quickly.
const QUIET: Duration = Duration::from_millis(100);
/// The time after a message in which the next one comes before requests that wait: editors send several requests after a
/// change, and those at a position, which a person waits for, are not always the first ones.
const PAUSE: Duration = Duration::from_millis(10);

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

/// What the loop does next.
enum Next {
    Event(Event),
    /// The response to a request that waited.
    Answer(Value),
    /// No document has changed for a while.
    Quiet,
    /// Both threads have ended.
    Closed,
}

/// Events come first, then requests that wait, after the pause; then there is time until a work may begin, or until the next
/// event.
fn next(events: &Receiver<Event>, server: &mut Server, pause: Instant, until: Option<Instant>) -> Next {
    let wait = |until: Instant| events.recv_timeout(until.saturating_duration_since(Instant::now()));
    if server.has_answer() {
        match wait(pause) {
            Ok(event) => return Next::Event(event),
            Err(RecvTimeoutError::Disconnected) => return Next::Closed,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(response) = server.proceed() {
            return Next::Answer(response);
        }
    }
    let event = match until {
        Some(until) => wait(until),
        None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match event {
        Ok(event) => Next::Event(event),
        Err(RecvTimeoutError::Timeout) => Next::Quiet,
        Err(RecvTimeoutError::Disconnected) => Next::Closed,
    }
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
    let (mut works, mut edition, mut changed, mut heard) = (false, 0, Instant::now(), Instant::now());
    while server.ended().is_none() {
        if server.edition() != edition {
            (edition, changed) = (server.edition(), Instant::now());
        }
        let until = (!works && server.has_task()).then(|| changed + QUIET);
        let messages = match next(&events, &mut server, heard + PAUSE, until) {
            Next::Event(Event::Message(bytes)) => {
                heard = Instant::now();
                let bytes = bytes.map_err(|e| Stop::File(format!("cannot read a message: {e}")))?;
                let Some(bytes) = bytes else { break };
                message(&bytes).map_or_else(|response| vec![response], |message| server.handle(&message))
            }
            Next::Event(Event::Done(done)) => {
                works = false;
                server.finish(done)
            }
            Next::Answer(response) => vec![response],
            Next::Quiet => {
                works = server.task().is_some_and(|task| give.send(task).is_ok());
                continue;
            }
            Next::Closed => break,
        };
        for message in messages {
            write(&mut output, &message)?;
        }
    }
    match server.ended() {
        Some(true) => Ok(()),
        _ => Err(Stop::File("the client ended the conversation without \"shutdown\" and \"exit\"".into())),
    }
}
