//! The service as strangers reach it: bytes of a connection.

use howcome_web::{JobProgram, RunningService, ServeLimits, ServeSettings};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::Duration;

/// No answer takes longer, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Bytes sent to the service are answered or refused, and are no error of the service.
pub fn request(bytes: &[u8]) {
    let Some(address) = running_service() else { return };
    let Ok(mut stream) = TcpStream::connect(address) else { panic!("the service has ended") };
    let _ = stream.set_read_timeout(Some(PATIENCE));
    // The service can refuse the head of a request while the rest is being sent.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer) {
        assert!(error.kind() != std::io::ErrorKind::WouldBlock, "no answer in {PATIENCE:?}");
    }
    assert!(!answer.starts_with(b"HTTP/1.1 500"), "{}", String::from_utf8_lossy(&answer));
}

/// One service for all inputs. It refuses each submission at the end, so it starts no job.
fn running_service() -> Option<SocketAddr> {
    static ADDRESS: OnceLock<Option<SocketAddr>> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let (to, from) = mpsc::channel();
        thread::spawn(move || {
            let Ok(data) = tempfile::tempdir() else { return };
            let settings = ServeSettings {
                listen: SocketAddr::from(([127, 0, 0, 1], 0)),
                data: data.path().to_owned(),
                database: None,
                prefix: String::new(),
                hosts: vec!["howcome.test".to_owned()],
                open: true,
                trust_proxy: true,
                slots: 1,
                program: JobProgram {
                    howcome: "/bin/false".into(),
                    sandbox: None,
                    readable: Vec::new(),
                    remote: None,
                    remote_environment: Vec::new(),
                },
                limits: ServeLimits { requests: u32::MAX, submissions: u32::MAX, ..ServeLimits::default() },
                retention_days: 0,
                webhook_hosts: vec!["howcome.test".to_owned()],
                examples: Vec::new(),
                check: |_| Err("nothing is accepted here".to_owned()),
                log: Arc::new(|_| {}),
            };
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
                return;
            };
            runtime.block_on(async {
                if let Ok(service) = RunningService::start(settings).await {
                    let _ = to.send(service.address());
                    std::future::pending::<()>().await;
                }
            });
        });
        from.recv().ok()
    })
}
