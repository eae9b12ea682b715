//! Real launchers on the loopback device: an ssh server and a Slurm cluster of one node. A test that cannot have one is skipped by name.
#![allow(unreachable_pub, clippy::unwrap_used)]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Programs of servers are not in the `PATH` of every user.
fn program(name: &str) -> Option<PathBuf> {
    let folders = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
    let found = folders.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file());
    if found.is_none() {
        howcome_testing::skip(format!("{name} is not installed"));
    }
    found
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Whether something comes true before a server can be taken for broken.
fn comes_true(mut is_so: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + Duration::from_secs(60);
    while Instant::now() < until {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(100));
    }
    false
}

/// A process on "another machine" ends soon after nobody waits for it any more.
pub fn wait_until_gone(pid: &str) {
    let is_gone = || {
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        state.is_empty() || state.contains(") Z ")
    };
    assert!(comes_true(is_gone), "process {pid} is still there");
}

fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Processes that end with the test.
struct Servers(Vec<Child>);

impl Drop for Servers {
    fn drop(&mut self) {
        for server in self.0.iter_mut().rev() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// An ssh server for the user of the test.
pub struct LoopbackSsh {
    launcher: String,
    _servers: Servers,
    _folder: TempDir,
}

impl LoopbackSsh {
    pub fn start() -> Option<Self> {
        let (sshd, keygen, _) = (program("sshd")?, program("ssh-keygen")?, program("ssh")?);
        let folder = TempDir::new().unwrap();
        let (port, at) = (free_port(), folder.path().display());
        for key in ["host", "user"] {
            let path = folder.path().join(key);
            assert!(succeeds(Command::new(&keygen).args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(path)));
        }
        let settings = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {at}/host\nAuthorizedKeysFile {at}/user.pub\nPidFile none\n\
             StrictModes no\nUsePAM no\nPasswordAuthentication no\nMaxStartups 100\n"
        );
        let configuration = folder.path().join("configuration");
        fs::write(&configuration, settings).unwrap();
        // A server of root needs a folder that its service would make. Here it is in a file system of its own.
        let is_root = nix_is_root();
        let mut command = if is_root && !Path::new("/run/sshd").exists() {
            let mut command = Command::new("unshare");
            command.args([
                "-m",
                "sh",
                "-c",
                "mount -t tmpfs none /run && mkdir /run/sshd && exec \"$@\"",
                "sh",
            ]);
            command.arg(&sshd);
            command
        } else {
            Command::new(&sshd)
        };
        command.args(["-D", "-f"]).arg(&configuration).arg("-E").arg(folder.path().join("log"));
        let server =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let servers = Servers(vec![server]);
        let launcher = format!(
            "ssh -F none -p {port} -i {at}/user -o StrictHostKeyChecking=no -o UserKnownHostsFile={at}/known -o BatchMode=yes 127.0.0.1"
        );
        let is_up = comes_true(|| succeeds(Command::new("sh").args(["-c", &format!("{launcher} true")])));
        if !is_up {
            let log = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
            howcome_testing::skip(format!("no ssh server could be started here: {}", log.trim()));
            return None;
        }
        Some(Self { launcher, _servers: servers, _folder: folder })
    }

    /// The command in front of a test.
    pub fn launcher(&self) -> &str {
        &self.launcher
    }
}

fn nix_is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

/// A Slurm cluster of one node.
pub struct LoopbackSlurm {
    configuration: PathBuf,
    _servers: Servers,
    _folder: TempDir,
}

impl LoopbackSlurm {
    pub fn start() -> Option<Self> {
        let (munged, control, node) = (program("munged")?, program("slurmctld")?, program("slurmd")?);
        let (_, _, sinfo) = (program("srun")?, program("salloc")?, program("sinfo")?);
        let folder = TempDir::new().unwrap();
        let at = folder.path().display().to_string();
        let said = |program: &str, argument: &str| {
            let output = Command::new(program).arg(argument).output().unwrap();
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        };
        let (host, user) = (said("hostname", "-s"), said("id", "-un"));
        let key = folder.path().join("key");
        fs::write(&key, (0..1024).map(|byte| (byte * 7 % 251) as u8).collect::<Vec<_>>()).unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).unwrap();
        for name in ["state", "spool"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let (control_port, node_port) = (free_port(), free_port());
        let cpus = thread::available_parallelism().map_or(1, |cores| cores.get());
        let settings = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\nAuthType=auth/munge\n\
             AuthInfo=socket={at}/munge.sock\nCredType=cred/munge\nSlurmctldPort={control_port}\nSlurmdPort={node_port}\n\
             StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\nSlurmctldPidFile={at}/control.pid\n\
             SlurmdPidFile={at}/node.pid\nSlurmctldLogFile={at}/control.log\nSlurmdLogFile={at}/node.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\nSelectType=select/cons_tres\n\
             ReturnToService=2\nNodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN\n\
             PartitionName=all Nodes={host} Default=YES State=UP\n"
        );
        let configuration = folder.path().join("slurm.conf");
        fs::write(&configuration, settings).unwrap();
        let start = |program: &Path, arguments: &[String]| {
            let mut command = Command::new(program);
            command.args(arguments).env("SLURM_CONF", &configuration);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let file = |option: &str, name: &str| format!("--{option}={at}/{name}");
        let munge = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            file("key-file", "key"),
            file("socket", "munge.sock"),
            file("pid-file", "munged.pid"),
            file("log-file", "munged.log"),
            file("seed-file", "munged.seed"),
        ];
        let mut servers = Servers(vec![start(&munged, &munge)]);
        let socket = folder.path().join("munge.sock");
        let foreground = ["-D".to_owned(), "-f".to_owned(), configuration.display().to_string()];
        let is_idle = || {
            let mut command = Command::new(&sinfo);
            command.args(["-h", "-o", "%t"]).env("SLURM_CONF", &configuration);
            command.output().is_ok_and(|output| output.stdout.trim_ascii() == b"idle")
        };
        let is_up = comes_true(|| socket.exists()) && {
            servers.0.extend([start(&control, &foreground), start(&node, &foreground)]);
            comes_true(is_idle)
        };
        if !is_up {
            howcome_testing::skip("no Slurm cluster could be started here");
            return None;
        }
        Some(Self { configuration, _servers: servers, _folder: folder })
    }

    /// The file that its programs read.
    pub fn configuration(&self) -> &Path {
        &self.configuration
    }
}
