//! A proxy between howcome and a cluster that holds messages back, lets later ones overtake them, and cuts connections.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// A proxy. When dropped, it takes no further connections.
pub struct BadProxy {
    pub address: SocketAddr,
    /// How many connections it has cut.
    pub cuts: Arc<AtomicU64>,
    /// How many frames have overtaken an earlier one.
    pub overtakings: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

/// What a proxy does to one direction of a connection.
#[derive(Clone)]
struct BadLine {
    /// How many bytes the connection still lets through, in both directions.
    room: Arc<AtomicU64>,
    cuts: Arc<AtomicU64>,
    overtakings: Arc<AtomicU64>,
}

impl BadProxy {
    /// Each connection is cut after a while: the first one after `first` bytes, later ones after twice as many as the one before. Until
    /// then, messages wait for each other, and the last one goes first.
    pub fn start(cluster: SocketAddr, first: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let [cuts, overtakings] = [Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0))];
        let is_over = Arc::new(AtomicBool::new(false));
        let (cut, overtaken, over) = (Arc::clone(&cuts), Arc::clone(&overtakings), Arc::clone(&is_over));
        thread::spawn(move || {
            let mut most = first;
            for client in listener.incoming().map_while(Result::ok) {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(server) = TcpStream::connect(cluster) else { continue };
                let room = Arc::new(AtomicU64::new(most));
                let line = BadLine { room, cuts: Arc::clone(&cut), overtakings: Arc::clone(&overtaken) };
                most = most.saturating_mul(2);
                for (from, to, is_client) in [(&client, &server, true), (&server, &client, false)] {
                    let (from, to, line) = (from.try_clone().unwrap(), to.try_clone().unwrap(), line.clone());
                    thread::spawn(move || {
                        let _ = line.forward(&from, &to, is_client);
                        let _ = from.shutdown(Shutdown::Both);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        Self { address, cuts, overtakings, is_over }
    }

    pub fn url(&self) -> String {
        format!("grpc://{}", self.address)
    }
}

impl Drop for BadProxy {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(self.address);
    }
}

/// Frames wait until nothing has come for this long, and then go in another order.
const SILENCE: Duration = Duration::from_millis(5);

/// At most this many frames wait.
const MOST_WAITING: usize = 32;

impl BadLine {
    fn forward(&self, mut from: &TcpStream, mut to: &TcpStream, is_client: bool) -> io::Result<()> {
        if is_client {
            let mut preface = [0; 24];
            from.read_exact(&mut preface)?;
            to.write_all(&preface)?;
        }
        from.set_read_timeout(Some(SILENCE))?;
        let (mut received, mut waiting) = (Vec::new(), Vec::new());
        let mut piece = [0; 16_384];
        loop {
            let is_silent = match from.read(&mut piece) {
                Ok(0) => return self.send(to, &mut waiting),
                Ok(length) => {
                    self.take_room(length)?;
                    received.extend_from_slice(&piece[..length]);
                    false
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => true,
                Err(error) => return Err(error),
            };
            while let Some(frame) = Frame::take(&mut received) {
                let is_setting = frame.is_setting();
                if is_setting {
                    self.send(to, &mut waiting)?;
                }
                waiting.push(frame);
                if is_setting || waiting.len() == MOST_WAITING {
                    self.send(to, &mut waiting)?;
                }
            }
            if is_silent {
                self.send(to, &mut waiting)?;
            }
        }
    }

    /// Cuts the connection if it has let through enough.
    fn take_room(&self, length: usize) -> io::Result<()> {
        let room = &self.room;
        let is_enough =
            room.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(length as u64));
        is_enough.map(drop).map_err(|_| {
            self.cuts.fetch_add(1, Ordering::SeqCst);
            ErrorKind::ConnectionAborted.into()
        })
    }

    /// Sends all frames: the last message first, as far as the protocol allows. Frames of a stream stay in their order, and so do all
    /// headers, because each depends on those before it.
    fn send(&self, mut to: &TcpStream, waiting: &mut Vec<Frame>) -> io::Result<()> {
        while !waiting.is_empty() {
            let first_header = waiting.iter().position(|frame| frame.has_headers);
            let can_go = |place: &usize| {
                let frame = &waiting[*place];
                let is_first_of_stream =
                    waiting[..*place].iter().all(|earlier| earlier.stream != frame.stream);
                is_first_of_stream && (!frame.has_headers || first_header == Some(*place))
            };
            let place = (0..waiting.len()).rev().find(can_go).unwrap_or(0);
            self.overtakings.fetch_add(u64::from(place > 0), Ordering::SeqCst);
            to.write_all(&waiting.remove(place).bytes)?;
        }
        Ok(())
    }
}

/// A frame of HTTP/2; headers in several frames count as one.
struct Frame {
    bytes: Vec<u8>,
    kind: u8,
    stream: u32,
    has_headers: bool,
}

const LENGTH_OF_START: usize = 9;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const GO_AWAY: u8 = 7;
const END_OF_HEADERS: u8 = 4;

impl Frame {
    /// The first frame of what was received, if all of it is there.
    fn take(received: &mut Vec<u8>) -> Option<Self> {
        let kind = *received.get(3)?;
        let mut end = 0;
        loop {
            let start = received.get(end..end + LENGTH_OF_START)?;
            let length = u32::from_be_bytes([0, start[0], start[1], start[2]]) as usize;
            let is_whole = kind != HEADERS || start[4] & END_OF_HEADERS != 0;
            end += LENGTH_OF_START + length;
            if is_whole {
                break;
            }
        }
        if received.len() < end {
            return None;
        }
        let rest = received.split_off(end);
        let bytes = std::mem::replace(received, rest);
        let stream = u32::from_be_bytes([bytes[5], bytes[6], bytes[7], bytes[8]]);
        Some(Self { bytes, kind, stream, has_headers: kind == HEADERS })
    }

    /// Whether it changes the meaning of those after it.
    fn is_setting(&self) -> bool {
        matches!(self.kind, SETTINGS | GO_AWAY)
    }
}
