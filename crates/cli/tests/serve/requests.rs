//! Requests as any client sends them, without a library that might be too polite.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let line =
            |line: &&str| line.split_once(':').is_some_and(|(given, _)| given.eq_ignore_ascii_case(name));
        self.headers.lines().find(line).and_then(|line| line.split_once(": ")).map(|(_, value)| value.trim())
    }
}

/// Sends a request with these headers, each ended by a line break.
pub(crate) fn send(to: SocketAddr, method: &str, path: &str, headers: &str, body: &[u8]) -> Reply {
    try_send(to, method, path, headers, body)
        .unwrap_or_else(|| panic!("{to} does not answer {method} {path}"))
}

/// The same to a server that may be gone.
pub(crate) fn try_send(
    to: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &[u8],
) -> Option<Reply> {
    let mut stream = TcpStream::connect(to).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(120))).ok()?;
    let host =
        if headers.to_lowercase().contains("host:") { String::new() } else { format!("Host: {to}\r\n") };
    let head = format!(
        "{method} {path} HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    // A server that refuses need not read everything.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    let (mut bytes, mut buffer) = (Vec::new(), [0; 1 << 16]);
    // Not every server closes the connection when it is asked to.
    while !is_complete(&bytes) {
        match stream.read(&mut buffer) {
            Ok(read) if read > 0 => bytes.extend_from_slice(&buffer[..read]),
            _ => break,
        }
    }
    (!bytes.is_empty()).then(|| parse(&bytes))
}

/// Whether an answer is as long as its head says.
fn is_complete(bytes: &[u8]) -> bool {
    let Some(head) = bytes.windows(4).position(|end| end == b"\r\n\r\n") else { return false };
    let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
    let length =
        text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    length.is_some_and(|length| bytes.len() >= head + 4 + length)
}

fn parse(bytes: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(bytes);
    let (headers, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = headers.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let is_chunked = headers.to_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { without_chunks(body) } else { body.to_owned() };
    Reply { status, headers: headers.to_owned(), body }
}

fn without_chunks(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        let Some(chunk) = rest.get(..size).filter(|_| size > 0) else { break };
        text.push_str(chunk);
        body = rest[size..].trim_start_matches("\r\n");
    }
    text
}

/// A form with files: name, file name if it is a file, content.
pub(crate) fn form(parts: &[(&str, Option<&str>, &[u8])]) -> (String, Vec<u8>) {
    let mut body = Vec::new();
    for (name, file, content) in parts {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        body.extend(
            format!("--limit\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").bytes(),
        );
        body.extend_from_slice(content);
        body.extend(b"\r\n");
    }
    body.extend(b"--limit--\r\n");
    ("Content-Type: multipart/form-data; boundary=limit\r\n".to_owned(), body)
}
