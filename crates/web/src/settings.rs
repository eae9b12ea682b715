//! How the service is set up. The command line reads flags, environment and a file; this is the result.

use crate::job::example::Example;
use crate::job::submission::Submission;
use howcome_sandbox::Walls;
use std::ffi::OsString;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// Receives each line of the log as a JSON object.
pub type LogSink = Arc<dyn Fn(&serde_json::Value) + Send + Sync>;

/// What is wrong with a submission, as a sentence for the one who asks.
pub type SubmissionCheck = fn(&Submission) -> Result<(), String>;

/// The commands that start jobs.
#[derive(Clone, Debug)]
pub struct JobProgram {
    /// The program of howcome itself.
    pub howcome: PathBuf,
    /// How jobs are walled in; `None` if they are not.
    pub sandbox: Option<Walls>,
    /// Folders that jobs can read besides the system's: toolchains, for example.
    pub readable: Vec<PathBuf>,
    /// The cluster on which the tests of jobs run, as after `--remote`.
    pub remote: Option<String>,
    /// Variables for the jobs that run there: how howcome makes itself known to the cluster.
    pub remote_environment: Vec<(String, OsString)>,
}

/// The set-up of the service.
#[derive(Clone)]
pub struct ServeSettings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The folder of jobs and, without PostgreSQL, of the database.
    pub data: PathBuf,
    /// The address of a PostgreSQL database that several nodes share, with the same data folder.
    pub database: Option<String>,
    /// The path below which a reverse proxy shows the service: empty, or `/howcome`.
    pub prefix: String,
    /// The names by which browsers may address the service, besides its own address.
    pub hosts: Vec<String>,
    /// No accounts: everybody who reaches the service may use all of it.
    pub open: bool,
    /// The reverse proxy says who the client is, in `X-Forwarded-For`.
    pub trust_proxy: bool,
    /// Jobs at a time.
    pub slots: usize,
    /// How jobs are started.
    pub program: JobProgram,
    /// The limits.
    pub limits: ServeLimits,
    /// Days after which a job that is over is deleted; 0 keeps everything.
    pub retention_days: u32,
    /// The hosts that webhooks may call.
    pub webhook_hosts: Vec<String>,
    /// Samples.
    pub examples: Vec<Example>,
    /// Reads the texts of a submission as the command line would.
    pub check: SubmissionCheck,
    /// The log.
    pub log: LogSink,
}

impl fmt::Debug for ServeSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address of a database can hold a password.
        f.debug_struct("ServeSettings")
            .field("listen", &self.listen)
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

/// How much everybody may use.
#[derive(Clone, Debug)]
pub struct ServeLimits {
    /// Bytes of a submission with its files.
    pub upload: u64,
    /// Bytes of a submission when its archives are unpacked.
    pub unpacked: u64,
    /// Files of a submission.
    pub files: u64,
    /// Tests at a time in each job.
    pub workers: usize,
    /// Seconds that a job may run.
    pub seconds: u64,
    /// Bytes of memory of a job.
    pub memory: u64,
    /// Processes of a job.
    pub processes: u64,
    /// Bytes of a job on the disk.
    pub job_disk: u64,
    /// Jobs of one user that wait or run.
    pub jobs: u64,
    /// Bytes that the jobs of one user take on the disk.
    pub disk: u64,
    /// Seconds of processor time that one user may use in a day.
    pub cpu: u64,
    /// Submissions of one user in a minute.
    pub submissions: u32,
    /// Requests of one client in a minute.
    pub requests: u32,
    /// Connections at a time.
    pub connections: usize,
}

impl Default for ServeLimits {
    fn default() -> Self {
        Self {
            upload: 100 << 20,
            unpacked: 500 << 20,
            files: 50_000,
            workers: 1,
            seconds: 3_600,
            memory: 4 << 30,
            processes: 512,
            job_disk: 2 << 30,
            jobs: 20,
            disk: 5 << 30,
            cpu: 6 * 3_600,
            submissions: 30,
            requests: 1_200,
            connections: 2_000,
        }
    }
}
