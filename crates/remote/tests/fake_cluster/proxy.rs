//! A proxy between howcome and a cluster that holds bytes back and cuts connections.

use std::io::{Read, Write};
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
    is_over: Arc<AtomicBool>,
}

impl BadProxy {
    /// Each connection is cut after a while: the first one after `first` bytes, later ones after twice as many as the one before. Every
    /// third piece is late, so that answers come in another order than on a good line.
    pub fn start(cluster: SocketAddr, first: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (cuts, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (counted, over) = (Arc::clone(&cuts), Arc::clone(&is_over));
        thread::spawn(move || {
            let mut most = first;
            for client in listener.incoming().map_while(Result::ok) {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(server) = TcpStream::connect(cluster) else { continue };
                let room = Arc::new(AtomicU64::new(most));
                most = most.saturating_mul(2);
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let (room, counted) = (Arc::clone(&room), Arc::clone(&counted));
                    thread::spawn(move || forward(from, to, &room, &counted));
                }
            }
        });
        Self { address, cuts, is_over }
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

fn forward(mut from: TcpStream, mut to: TcpStream, room: &AtomicU64, cuts: &AtomicU64) {
    let mut piece = [0; 1500];
    let mut pieces = 0_u32;
    while let Ok(length @ 1..) = from.read(&mut piece) {
        pieces += 1;
        if pieces.is_multiple_of(3) {
            thread::sleep(Duration::from_millis(2));
        }
        let is_enough =
            room.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(length as u64));
        if is_enough.is_err() {
            cuts.fetch_add(1, Ordering::SeqCst);
            break;
        }
        if to.write_all(&piece[..length]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
