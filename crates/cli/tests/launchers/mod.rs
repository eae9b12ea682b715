//! Real launchers on the loopback device: an ssh server and a Slurm cluster of one node. A test that cannot have one is skipped by name.
#![allow(unreachable_pub, clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
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

/// Waits until a server says something on its standard error. If it ends without saying so, it is broken.
fn says(server: &mut Child, text: &str) -> bool {
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    let is_said = lines.any(|line| line.contains(text));
    // Somebody has to read the rest.
    thread::spawn(move || lines.for_each(drop));
    is_said
}

/// A process on "another machine" ends soon after nobody waits for it any more.
pub fn wait_until_gone(pid: &str) {
    let mut gone = Command::new("timeout");
    gone.args(["60", "tail", &format!("--pid={pid}"), "-f", "/dev/null"]);
    assert!(succeeds(&mut gone), "process {pid} is still there");
}

fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Processes that end with the test, and commands that end others.
#[derive(Default)]
struct Servers {
    processes: Vec<Child>,
    stop: Vec<Command>,
}

impl Drop for Servers {
    fn drop(&mut self) {
        for server in self.processes.iter_mut().rev() {
            let _ = server.kill();
            let _ = server.wait();
        }
        for stop in &mut self.stop {
            succeeds(stop);
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
        command.args(["-D", "-e", "-f"]).arg(&configuration);
        let mut server =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let is_up = says(&mut server, "Server listening");
        let servers = Servers { processes: vec![server], stop: Vec::new() };
        let launcher = format!(
            "ssh -F none -p {port} -i {at}/user -o StrictHostKeyChecking=no -o UserKnownHostsFile={at}/known -o BatchMode=yes 127.0.0.1"
        );
        if !is_up || !succeeds(Command::new("sh").args(["-c", &format!("{launcher} true")])) {
            howcome_testing::skip("no ssh server could be started here");
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
        let (_, salloc) = (program("srun")?, program("salloc")?);
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
        let start = |program: &Path| {
            let mut command = Command::new(program);
            command.args(["-D", "-f"]).arg(&configuration).env("SLURM_CONF", &configuration);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let file = |option: &str, name: &str| format!("--{option}={at}/{name}");
        let mut servers = Servers::default();
        // It goes to the background when it is ready.
        let mut munge = Command::new(&munged);
        munge.args(["--force".to_owned(), file("key-file", "key"), file("socket", "munge.sock")]);
        munge.args([
            file("pid-file", "munged.pid"),
            file("log-file", "munged.log"),
            file("seed-file", "munged.seed"),
        ]);
        let mut stop = Command::new(&munged);
        stop.args(["--stop".to_owned(), file("socket", "munge.sock")]);
        let has_munge = succeeds(&mut munge);
        servers.stop.extend(has_munge.then_some(stop));
        let mut has_started = |program: &Path, text: &str| {
            let mut server = start(program);
            let is_up = says(&mut server, text);
            servers.processes.push(server);
            is_up
        };
        let is_up = has_munge
            && has_started(&control, "Running as primary controller")
            && has_started(&node, "slurmd started")
            && {
                // It waits until the node has made itself known.
                let mut first = Command::new(&salloc);
                first.args(["-Q", "--immediate=60", "-n1", "true"]).env("SLURM_CONF", &configuration);
                succeeds(&mut first)
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
