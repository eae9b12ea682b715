//! A real cluster whose workers die: BuildGrid on a PostgreSQL database of its own, with workers that call buildbox-run. All of them are
//! processes of an unprivileged user that listen on this machine only. `./test` installs what is needed; `HOWCOME_BUILDGRID` names the
//! folder with BuildGrid's Python, `HOWCOME_BUILDBOX` the one with buildbox-run.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use tempfile::TempDir;

const BOT: &str = include_str!("bot.py");

/// PostgreSQL refuses to run as root, and an action could write to the folders of root.
const USER: &str = "postgres";

/// The programs of BuildGrid, PostgreSQL and buildbox, in a folder for everything that they write.
pub struct BuildGrid {
    python: PathBuf,
    port: u16,
    server: Child,
    database: Child,
    folder: TempDir,
}

/// What a worker has just done.
pub struct BotStep {
    /// The number of the worker.
    pub bot: usize,
    /// How many workers with this number came before it.
    pub generation: usize,
    /// `ready`, `took` or `executed`; `None` when it has ended.
    pub step: Option<String>,
}

/// Workers that can be killed.
pub struct Bots<'a> {
    grid: &'a BuildGrid,
    processes: Vec<(usize, Child)>,
    sender: Sender<BotStep>,
    steps: Receiver<BotStep>,
}

impl BuildGrid {
    /// `None` if it is not installed, or cannot be started here.
    #[track_caller]
    pub fn start() -> Option<Self> {
        let (Some(grid), Some(buildbox)) = (folder_in("HOWCOME_BUILDGRID"), folder_in("HOWCOME_BUILDBOX"))
        else {
            howcome_testing::skip(
                "BuildGrid is not installed (HOWCOME_BUILDGRID or HOWCOME_BUILDBOX is not set)",
            );
            return None;
        };
        let Some(postgres) = postgres_programs() else {
            howcome_testing::skip("postgresql is not installed");
            return None;
        };
        if !howcome_testing::need_program("bwrap") || (is_root() && !howcome_testing::need_program("setpriv"))
        {
            return None;
        }
        let python = grid.join("bin/python");
        if !unprivileged(&python)
            .arg("-c")
            .arg("import buildgrid")
            .output()
            .is_ok_and(|ran| ran.status.success())
        {
            howcome_testing::skip(format!("an unprivileged user cannot use {}", python.display()));
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        fs::copy(buildbox.join("buildbox-run"), folder.path().join("buildbox-run")).unwrap();
        fs::write(folder.path().join("bot.py"), BOT).unwrap();
        let database = start_database(&postgres, folder.path());
        // The port is free again when the listener is dropped.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let settings = folder.path().join("grid.yml");
        fs::write(&settings, configuration(folder.path(), port)).unwrap();
        let bgd = grid.join("bin/bgd");
        let prepared = unprivileged(&bgd)
            .args(["migrate", "apply", &connection(folder.path())])
            .env("HOME", folder.path())
            .output()
            .unwrap();
        assert!(prepared.status.success(), "{}", String::from_utf8_lossy(&prepared.stderr));
        let server = unprivileged(&bgd)
            .args(["server", "start"])
            .arg(&settings)
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log(folder.path()))
            .spawn()
            .unwrap();
        Some(Self { python, port, server, database, folder })
    }

    pub fn url(&self) -> String {
        format!("grpc://127.0.0.1:{}", self.port)
    }

    /// What the server and its workers have complained about.
    pub fn said(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Starts workers, and waits until the server has accepted them.
    pub fn bots(&self, number: usize) -> Bots<'_> {
        let (sender, steps) = channel();
        let mut bots = Bots { grid: self, processes: Vec::new(), sender, steps };
        for bot in 0..number {
            let process = bots.launch(bot, 0);
            bots.processes.push((0, process));
        }
        let mut ready = 0;
        while ready < number {
            match bots.next().step.as_deref() {
                Some("ready") => ready += 1,
                Some(_) => {}
                None => panic!("a worker cannot reach the server:\n{}", self.said()),
            }
        }
        bots
    }
}

impl Drop for BuildGrid {
    fn drop(&mut self) {
        for (process, signal) in [(&mut self.server, Signal::SIGKILL), (&mut self.database, Signal::SIGQUIT)]
        {
            let _ = kill(pid(process), signal);
            let _ = process.wait();
        }
    }
}

impl Bots<'_> {
    /// What a worker does next.
    pub fn next(&self) -> BotStep {
        self.steps.recv().unwrap()
    }

    /// Something that wakes whoever waits for the next step.
    pub fn waker(&self) -> Sender<BotStep> {
        self.sender.clone()
    }

    /// Whether a step is that of a worker that is not dead yet.
    pub fn is_current(&self, step: &BotStep) -> bool {
        self.processes.get(step.bot).is_some_and(|(generation, _)| *generation == step.generation)
    }

    /// Kills a worker with everything that it runs, and starts another one in its place. One that has the name of the dead one makes the
    /// server notice its death at once. Otherwise, the server waits for news of it until its time is up.
    pub fn replace(&mut self, bot: usize, keeps_name: bool) {
        let (generation, process) = &mut self.processes[bot];
        end(process);
        let next = *generation + 1;
        let name = if keeps_name { *generation } else { next };
        let process = self.launch_as(bot, next, name);
        self.processes[bot] = (next, process);
    }

    fn launch(&self, bot: usize, generation: usize) -> Child {
        self.launch_as(bot, generation, generation)
    }

    fn launch_as(&self, bot: usize, generation: usize, name: usize) -> Child {
        let folder = self.grid.folder.path();
        let mut command = unprivileged(&self.grid.python);
        command.arg("-B").arg(folder.join("bot.py"));
        command.args([format!("127.0.0.1:{}", self.grid.port), format!("bot-{bot}-{name}")]);
        command.arg(folder.join("buildbox-run")).arg("--disable-localcas");
        for system in ["/usr", "/bin", "/lib", "/lib64"].iter().filter(|system| Path::new(system).exists()) {
            command.arg(format!("--bind-mount={system}:{system}"));
        }
        command.arg(format!("--workspace-path={}", folder.display()));
        command.env("TMPDIR", folder).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log(folder)).process_group(0);
        let mut process = command.spawn().unwrap();
        let (lines, sender) = (BufReader::new(process.stdout.take().unwrap()).lines(), self.sender.clone());
        thread::spawn(move || {
            let steps = lines.map_while(Result::ok).map(Some).chain([None]);
            for step in steps {
                let _ = sender.send(BotStep { bot, generation, step });
            }
        });
        process
    }
}

impl Drop for Bots<'_> {
    fn drop(&mut self) {
        self.processes.iter_mut().for_each(|(_, process)| end(process));
    }
}

/// The file for the complaints of all processes.
fn log(folder: &Path) -> fs::File {
    fs::File::options().create(true).append(true).open(folder.join("log")).unwrap()
}

/// Ends a process group.
fn end(process: &mut Child) {
    let _ = killpg(pid(process), Signal::SIGKILL);
    let _ = process.wait();
}

fn pid(process: &Child) -> Pid {
    Pid::from_raw(process.id().cast_signed())
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

fn folder_in(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn postgres_programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin")).find(|bin| bin.join("initdb").exists())
}

/// A program of the system, as a user without privileges.
fn unprivileged(program: &Path) -> Command {
    let mut command = match is_root() {
        true => Command::new("setpriv"),
        false => Command::new(program),
    };
    if is_root() {
        let user = format!("--reuid={USER}");
        command.args([user.as_str(), &format!("--regid={USER}"), "--clear-groups"]).arg(program);
    }
    // Other folders of this user are perhaps closed to that user.
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin").current_dir("/");
    command
}

fn connection(folder: &Path) -> String {
    format!("postgresql://howcome@/postgres?host={}", folder.display())
}

/// Starts a database server that is reached through a socket in this folder, and waits until it is ready.
fn start_database(programs: &Path, folder: &Path) -> Child {
    let data = folder.join("data");
    let made = unprivileged(&programs.join("initdb"))
        .args(["-A", "trust", "-U", "howcome", "--no-sync", "-D"])
        .arg(&data)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut process = unprivileged(&programs.join("postgres"))
        .arg("-D")
        .arg(&data)
        .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200", "-k"])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(process.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(said.any(|line| line.contains("ready to accept connections")), "the database does not start");
    // Somebody has to read what it says.
    thread::spawn(move || said.for_each(drop));
    process
}

fn configuration(folder: &Path, port: u16) -> String {
    let (sql, cas) = (connection(folder), folder.join("cas"));
    let cas = cas.display();
    format!(
        r#"
server:
  - !channel
    address: "127.0.0.1:{port}"
    insecure-mode: true
connections:
  - !sql-connection &sql
    connection-string: {sql}
storages:
  - !disk-storage &storage
    path: {cas}
caches:
  - !lru-action-cache &cache
    storage: *storage
    max-cached-refs: 100000
    allow-updates: true
    cache-failed-actions: true
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    action-cache: *cache
    storage: *storage
    poll-interval: 0.1
    bot-poll-interval: 0.1
    bot-session-keepalive-timeout: 5
    session-expiry-timer-interval: 0.5
    assigners:
      - !priority-age-assigner
        count: 1
        interval: 0.05
        priority-assignment-percentage: 100
        bot-assignment-strategy: !assign-by-capacity
instances:
  - name: ""
    services:
      - !action-cache
        cache: *cache
      - !execution
        scheduler: *scheduler
        operation-stream-keepalive-timeout: 10
      - !cas
        storage: *storage
      - !bytestream
        storage: *storage
thread-pool-size: 60
"#
    )
}
