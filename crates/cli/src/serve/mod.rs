//! `howcome serve`: the web service. The library `howcome-web` does the work; here are its flags, file and samples.
//!
//! | file | idea |
//! |---|---|
//! | `asking` | a question for a service elsewhere |
//! | `checks` | what can be said about a submission at once |
//! | `delivered` | the report of a service without its paths |
//! | `examples` | the samples of `howcome demo`, one click away |
//! | `named_files` | the files that a question to a service names |
//! | `settings_file` | the flags as a file |

mod asking;
mod checks;
mod delivered;
mod examples;
mod named_files;
mod settings_file;

pub(crate) use asking::ask_service;

use crate::exit::Exit;
use crate::quantity;
use crate::streams::{answer, talk};
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use howcome_run::words::moment;
use howcome_run::{Problem, plain_error};
use howcome_sandbox::Walls;
use howcome_web::{JobProgram, RunningService, ServeError, ServeLimits, ServeSettings};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// Answer questions through a browser: submit a failure, watch, read how it came to be
///
/// Everything is kept in one folder. Each job runs in a sandbox; if this machine cannot build one, the service does not start without
/// --no-sandbox. Without accounts it listens on this machine only, unless you say --open; `howcome serve token add NAME` makes an
/// account, and then everybody needs a token.
///
/// Each flag can also be given in the environment (HOWCOME_SERVE_LISTEN for --listen), or in a file (`listen = "…"` for --listen). Flags
/// win over the environment, and the environment over the file. A service that is stopped or killed continues its jobs when it is
/// started again.
#[derive(Args, Clone, Debug)]
#[command(args_override_self = true)]
pub(crate) struct ServeArgs {
    /// Where to listen
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1:8410",
        env = "HOWCOME_SERVE_LISTEN",
        hide_env = true,
        value_parser = socket_address
    )]
    listen: SocketAddr,
    /// The folder in which everything is kept
    #[arg(
        long,
        value_name = "DIR",
        default_value = "howcome.serve",
        env = "HOWCOME_SERVE_DATA",
        hide_env = true,
        global = true
    )]
    data: PathBuf,
    /// A PostgreSQL database that several nodes share, instead of a file; they share the data folder, too
    #[arg(long, value_name = "URL", env = "HOWCOME_SERVE_DATABASE", hide_env = true, global = true)]
    database: Option<String>,
    /// Read flags from a TOML file
    #[arg(long, value_name = "FILE", env = "HOWCOME_SERVE_CONFIG", hide_env = true, global = true)]
    config: Option<PathBuf>,
    /// The path below which a reverse proxy shows the service, such as /howcome
    #[arg(
        long,
        value_name = "PATH",
        default_value = "",
        hide_default_value = true,
        env = "HOWCOME_SERVE_PREFIX",
        hide_env = true
    )]
    prefix: String,
    /// A host name by which browsers reach the service (repeatable; requests for other hosts are refused)
    #[arg(long, value_name = "NAME", env = "HOWCOME_SERVE_HOST", hide_env = true, value_delimiter = ',')]
    host: Vec<String>,
    /// No accounts: everybody who reaches the service may use all of it
    #[arg(long, env = "HOWCOME_SERVE_OPEN", hide_env = true)]
    open: bool,
    /// Believe a reverse proxy about who the client is (X-Forwarded-For)
    #[arg(long, env = "HOWCOME_SERVE_TRUST_PROXY", hide_env = true)]
    trust_proxy: bool,
    /// Run jobs without a sandbox: they can do whatever you can do
    #[arg(long, env = "HOWCOME_SERVE_NO_SANDBOX", hide_env = true)]
    no_sandbox: bool,
    /// A folder that jobs can read, such as a toolchain; its `bin` is in their PATH (repeatable)
    #[arg(long, value_name = "DIR", env = "HOWCOME_SERVE_READ", hide_env = true, value_delimiter = ':')]
    read: Vec<PathBuf>,
    /// Run the tests of jobs on a cluster that speaks the Remote Execution API (with --no-sandbox: jobs need the network for it)
    #[arg(long, value_name = "URL", env = "HOWCOME_SERVE_REMOTE", hide_env = true, requires = "no_sandbox")]
    remote: Option<String>,
    /// Tests that a job runs at a time (the cores, shared by the slots); with --remote, a part of what the cluster can run
    #[arg(long, short, value_name = "N", env = "HOWCOME_SERVE_JOBS", hide_env = true, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Jobs at a time (half of the cores)
    #[arg(long, value_name = "N", env = "HOWCOME_SERVE_SLOTS", hide_env = true, value_parser = quantity::number(1..=256u16))]
    slots: Option<u16>,
    /// A host that webhooks may call (repeatable; default: none)
    #[arg(
        long,
        value_name = "HOST",
        env = "HOWCOME_SERVE_WEBHOOK_HOST",
        hide_env = true,
        value_delimiter = ','
    )]
    webhook_host: Vec<String>,
    /// Delete jobs this long after they ended; 0 keeps them
    #[arg(long, value_name = "DAYS", default_value_t = 30, env = "HOWCOME_SERVE_KEEP_DAYS", hide_env = true)]
    keep_days: u32,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(subcommand)]
    command: Option<ServeCommand>,
}

/// What everybody may use
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// The largest submission
    #[arg(long, value_name = "SIZE", default_value = "100M", value_parser = quantity::size, env = "HOWCOME_SERVE_UPLOAD", hide_env = true)]
    upload: u64,
    /// The largest submission when its archives are unpacked
    #[arg(long, value_name = "SIZE", default_value = "500M", value_parser = quantity::size, env = "HOWCOME_SERVE_UNPACKED", hide_env = true)]
    unpacked: u64,
    /// How long a job may run
    #[arg(long, value_name = "D", default_value = "1h", value_parser = quantity::duration, env = "HOWCOME_SERVE_JOB_TIME", hide_env = true)]
    job_time: Duration,
    /// How much memory a job may use
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = quantity::size, env = "HOWCOME_SERVE_JOB_MEMORY", hide_env = true)]
    job_memory: u64,
    /// How many processes a job may have
    #[arg(
        long,
        value_name = "N",
        default_value_t = 512,
        env = "HOWCOME_SERVE_JOB_PROCESSES",
        hide_env = true
    )]
    job_processes: u64,
    /// How much a job may write
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = quantity::size, env = "HOWCOME_SERVE_JOB_DISK", hide_env = true)]
    job_disk: u64,
    /// Jobs of one user that wait or run
    #[arg(long, value_name = "N", default_value_t = 20, env = "HOWCOME_SERVE_USER_JOBS", hide_env = true)]
    user_jobs: u64,
    /// How much the jobs of one user may take on the disk
    #[arg(long, value_name = "SIZE", default_value = "5G", value_parser = quantity::size, env = "HOWCOME_SERVE_USER_DISK", hide_env = true)]
    user_disk: u64,
    /// How much processor time one user may use in a day
    #[arg(long, value_name = "D", default_value = "6h", value_parser = quantity::duration, env = "HOWCOME_SERVE_USER_CPU", hide_env = true)]
    user_cpu: Duration,
    /// Submissions of one user in a minute
    #[arg(long, value_name = "N", default_value_t = 30, env = "HOWCOME_SERVE_SUBMISSIONS", hide_env = true)]
    submissions: u32,
    /// Requests of one client in a minute
    #[arg(long, value_name = "N", default_value_t = 1200, env = "HOWCOME_SERVE_REQUESTS", hide_env = true)]
    requests: u32,
    /// Connections at a time
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2000,
        env = "HOWCOME_SERVE_CONNECTIONS",
        hide_env = true
    )]
    connections: usize,
}

#[derive(Subcommand, Clone, Debug)]
enum ServeCommand {
    /// Accounts
    #[command(subcommand)]
    Token(TokenCommand),
}

#[derive(Subcommand, Clone, Debug)]
enum TokenCommand {
    /// Make an account, or give it another token; the token is printed once
    Add {
        /// The name of the account
        name: String,
    },
    /// Remove an account
    Remove {
        /// The name of the account
        name: String,
    },
    /// List the accounts
    List,
}

pub(crate) fn run(args: ServeArgs, matches: &ArgMatches) -> Result<Exit, Problem> {
    let args = match &args.config {
        Some(path) => {
            let matches = settings_file::with_file(path, matches)?;
            let matches = matches.subcommand_matches("serve").unwrap_or(&matches);
            ServeArgs::from_arg_matches(matches).map_err(|error| Problem::bug(error.to_string()))?
        }
        None => args,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::new(format!("cannot start threads: {}", plain_error(&error))))?;
    match &args.command {
        Some(ServeCommand::Token(command)) => {
            let settings = args.settings(None)?;
            runtime.block_on(change_accounts(&settings, command))
        }
        None => {
            let settings = args.settings(args.walls()?)?;
            runtime.block_on(serve(settings))
        }
    }
}

impl ServeArgs {
    /// The walls of the sandbox; `None` if the operator wants none.
    fn walls(&self) -> Result<Option<Walls>, Problem> {
        if self.no_sandbox {
            talk!("warning: jobs run without a sandbox: whoever can submit one can do whatever you can do");
            return Ok(None);
        }
        let walls = Walls::probe(&program()?);
        let missing = walls.missing().join("\n  ");
        if !walls.stand() {
            return Err(Problem::new(format!("there is no sandbox on this machine; these walls are missing:\n  {missing}"))
                .hint("install bubblewrap and allow user namespaces; or use --no-sandbox among people that you trust"));
        }
        if !missing.is_empty() {
            talk!("warning: the sandbox has walls missing:\n  {missing}");
        }
        Ok(Some(walls))
    }

    fn settings(&self, sandbox: Option<Walls>) -> Result<ServeSettings, Problem> {
        let prefix = self.prefix.trim_end_matches('/').to_owned();
        if !prefix.is_empty() && !prefix.starts_with('/') {
            return Err(Problem::new("--prefix must begin with /").hint("as in --prefix /howcome"));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let slots = self.slots.map_or((cores / 2).max(1), usize::from);
        let limits = &self.limits;
        Ok(ServeSettings {
            listen: self.listen,
            data: std::path::absolute(&self.data).unwrap_or_else(|_| self.data.clone()),
            database: self.database.clone(),
            prefix,
            hosts: self.host.clone(),
            open: self.open,
            trust_proxy: self.trust_proxy,
            slots,
            program: JobProgram {
                howcome: program()?,
                sandbox,
                readable: self.read.clone(),
                remote: self.remote.clone(),
                #[cfg(feature = "remote")]
                remote_environment: crate::remote::variables(),
                #[cfg(not(feature = "remote"))]
                remote_environment: Vec::new(),
            },
            limits: ServeLimits {
                upload: limits.upload,
                unpacked: limits.unpacked,
                workers: self.jobs.map_or((cores / slots).max(1), usize::from),
                seconds: limits.job_time.as_secs().max(1),
                memory: limits.job_memory,
                processes: limits.job_processes,
                job_disk: limits.job_disk,
                jobs: limits.user_jobs,
                disk: limits.user_disk,
                // Whole seconds are counted, and no quota is nothing.
                cpu: limits.user_cpu.as_millis().div_ceil(1000) as u64,
                submissions: limits.submissions,
                requests: limits.requests,
                connections: limits.connections,
                ..ServeLimits::default()
            },
            retention_days: self.keep_days,
            webhook_hosts: self.webhook_host.clone(),
            examples: examples::examples(),
            check: checks::check,
            log: Arc::new(|line| talk!("{line}")),
        })
    }
}

fn socket_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an IP address and a port, as in 127.0.0.1:8410".to_owned())
}

fn program() -> Result<PathBuf, Problem> {
    std::env::current_exe()
        .map_err(|error| Problem::new(format!("howcome cannot find itself: {}", plain_error(&error))))
}

async fn serve(settings: ServeSettings) -> Result<Exit, Problem> {
    let prefix = settings.prefix.clone();
    let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    let (Ok(mut terminate), Ok(mut interrupt)) = signals else {
        return Err(Problem::new("signals cannot be received"));
    };
    let service = RunningService::start(settings).await.map_err(as_problem)?;
    answer!("howcome listens on http://{}{prefix}/\n", service.address());
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    service.end().await;
    Ok(Exit::Found)
}

fn as_problem(error: ServeError) -> Problem {
    let hint = match &error {
        ServeError::Open(_) => {
            "make an account with `howcome serve token add NAME`; or use --open in a trusted network"
        }
        ServeError::InUse(_) => "name another folder with --data, or share a database with --database",
        ServeError::Store(_) | ServeError::Io { .. } => return Problem::new(error.to_string()),
    };
    Problem::new(error.to_string()).hint(hint)
}

async fn change_accounts(settings: &ServeSettings, command: &TokenCommand) -> Result<Exit, Problem> {
    match command {
        TokenCommand::Add { name } => {
            let is_plain = |c: char| c.is_alphanumeric() || "-_.@".contains(c);
            if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
                return Err(Problem::new(format!("`{name}` is not a name"))
                    .hint("use letters, digits and - _ . @ only, at most 64"));
            }
            let token = howcome_web::add_token(settings, name).await.map_err(as_problem)?;
            answer!("{}\n", token.reveal());
            talk!(
                "this is the token of {name}; it is not shown again. From now on everybody needs a token, in a service that runs, too, unless it has --open"
            );
        }
        TokenCommand::Remove { name } => {
            if !howcome_web::remove_token(settings, name).await.map_err(as_problem)? {
                return Err(Problem::new(format!("there is no account `{name}`"))
                    .hint("`howcome serve token list` lists them"));
            }
        }
        TokenCommand::List => {
            for (name, created) in howcome_web::list_tokens(settings).await.map_err(as_problem)? {
                answer!("{name}  since {}\n", moment(u64::try_from(created / 1_000).unwrap_or(0)));
            }
        }
    }
    Ok(Exit::Found)
}
