//! Conversations with an editor, over standard input and output or over a port.

use crate::stop::Stop;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};

/// How an editor reaches the command.
#[derive(Debug, clap::Args)]
pub(crate) struct Channel {
    /// Wait for one client at this port of the own computer; 0 is any free port, which is written to the error output
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

impl Channel {
    /// Calls `talk` with what the client writes and what it reads.
    pub(crate) fn meet(
        &self,
        talk: impl FnOnce(Box<dyn BufRead + Send>, Box<dyn Write>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Some(port) = self.port else {
            return talk(Box::new(BufReader::new(io::stdin())), Box::new(io::stdout().lock()));
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        writeln!(io::stderr(), "listening at {}", listener.local_addr()?)?;
        let (stream, _) = listener.accept()?;
        talk(Box::new(BufReader::new(stream.try_clone()?)), Box::new(stream))
    }
}
