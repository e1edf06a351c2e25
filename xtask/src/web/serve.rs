//! A server of static files, for this computer alone.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;

/// What the page may do: its own files, workers and WebAssembly, and nothing from elsewhere. Any host of the page needs
/// this header.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
                      style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Types of files by extension.
const TYPES: [(&str, &str); 10] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("json", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
];
/// The longest head of a request in bytes.
const HEAD: u64 = 1 << 16;

/// Serves a folder until the process is ended.
pub(super) fn serve(folder: &Path, port: u16) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    println!("http://{}/", listener.local_addr()?);
    for stream in listener.incoming() {
        let folder = folder.to_owned();
        // A connection that ends early concerns no other one.
        thread::spawn(move || stream.and_then(|stream| answer(stream, &folder)));
    }
    Ok(())
}

/// Answers one request.
fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut head = BufReader::new(stream.try_clone()?.take(HEAD)).lines();
    let request = head.next().transpose()?.unwrap_or_default();
    // All of the head is read, or the client may see a reset connection.
    head.map_while(Result::ok).find(String::is_empty);
    let found = path(&request, folder).and_then(|path| Some((fs::read(&path).ok()?, path)));
    let (status, kind, body) = match found {
        Some((body, path)) => ("200 OK", kind(&path), body),
        None => ("404 Not Found", "text/plain", b"not found\n".to_vec()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

/// The file of a request, if it is one in the folder.
fn path(request: &str, folder: &Path) -> Option<PathBuf> {
    let target = request.strip_prefix("GET /")?.split([' ', '?', '#']).next()?;
    let relative = Path::new(if target.is_empty() { "index.html" } else { target });
    let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    let path = folder.join(relative);
    is_inside.then(|| if path.is_dir() { path.join("index.html") } else { path })
}

fn kind(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let found = TYPES.iter().find(|(name, _)| Some(*name) == extension);
    found.map_or("application/octet-stream", |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::path;
    use std::path::Path;

    #[test]
    fn requests_stay_in_the_folder() {
        let folder = Path::new("site");
        assert_eq!(path("GET / HTTP/1.1", folder), Some("site/index.html".into()));
        assert_eq!(path("GET /a/b.js?x HTTP/1.1", folder), Some("site/a/b.js".into()));
        for wrong in
            ["GET /../a HTTP/1.1", "GET //etc HTTP/1.1", "GET /a/../../b HTTP/1.1", "POST / HTTP/1.1", ""]
        {
            assert_eq!(path(wrong, folder), None, "{wrong}");
        }
    }
}
