//! `--remote`: tests run on a cluster.

use crate::streams::talk;
use clap::{Args, ValueHint};
use howcome_lab::{Condition, TestSite};
use howcome_remote::{Certificates, NotAnAddress, Remote, RemoteAddress, RemoteError, RemoteOptions};
use howcome_run::{Problem, RunFile, plain_error};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// The variable with the address. It is a default: a flag that says otherwise counts more.
const ADDRESS: &str = "HOWCOME_REMOTE";

/// The variable with the bearer token.
const TOKEN: &str = "HOWCOME_REMOTE_TOKEN";

/// The variable with headers, one a line.
const HEADERS: &str = "HOWCOME_REMOTE_HEADERS";

/// The variable with properties of the platform, one a line.
const PROPERTIES: &str = "HOWCOME_REMOTE_PROPERTIES";

/// The variables with the files for TLS: the authority, the certificate of the user, and its key.
const TLS: [&str; 3] = ["HOWCOME_REMOTE_TLS_CA", "HOWCOME_REMOTE_TLS_CERT", "HOWCOME_REMOTE_TLS_KEY"];

/// The variables of this process that say how to use a cluster, for others that use the same one.
pub(crate) fn variables() -> Vec<(String, OsString)> {
    let names = [TOKEN, HEADERS, PROPERTIES].into_iter().chain(TLS);
    names.filter_map(|name| Some((name.to_owned(), std::env::var_os(name)?))).collect()
}

/// Where the candidate's coverage is written: see `--coverage`.
const COVERAGE_REPORT: &str = ".howcome-coverage";

/// The cluster on which tests run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "A cluster")]
pub(crate) struct RemoteArgs {
    /// Run tests on a cluster that speaks the Remote Execution API: grpc://HOST:PORT[/INSTANCE], or grpcs:// with TLS. Everything
    /// else stays on this machine. Set --jobs to the number of tests that the cluster can run at a time
    #[arg(
        long,
        value_name = "URL",
        env = ADDRESS,
        hide_env = true,
        value_parser = cluster,
        value_hint = ValueHint::Url
    )]
    remote: Option<Cluster>,
    /// A header of each call to the cluster, such as x-api-key=SECRET (repeatable; HOWCOME_REMOTE_HEADERS has one a line)
    #[arg(long, value_name = "NAME=VALUE", requires = "remote", value_parser = pair)]
    remote_header: Vec<(String, String)>,
    /// A file with the bearer token for the cluster (the variable HOWCOME_REMOTE_TOKEN)
    #[arg(long, value_name = "FILE", requires = "remote", value_hint = ValueHint::FilePath)]
    remote_token_file: Option<PathBuf>,
    /// With grpcs://, the certificate of the authority that signs for the cluster (those that the system trusts;
    /// HOWCOME_REMOTE_TLS_CA)
    #[arg(long, value_name = "FILE", requires = "remote", value_hint = ValueHint::FilePath)]
    remote_tls_ca: Option<PathBuf>,
    /// With grpcs://, your own certificate (HOWCOME_REMOTE_TLS_CERT)
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_tls_key"], value_hint = ValueHint::FilePath)]
    remote_tls_cert: Option<PathBuf>,
    /// With grpcs://, the private key of your certificate (HOWCOME_REMOTE_TLS_KEY)
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_tls_cert"], value_hint = ValueHint::FilePath)]
    remote_tls_key: Option<PathBuf>,
    /// A property of the platform on which tests run, such as container-image=docker://debian:12 (repeatable;
    /// HOWCOME_REMOTE_PROPERTIES has one a line)
    #[arg(long, value_name = "NAME=VALUE", requires = "remote", value_parser = pair)]
    remote_property: Vec<(String, String)>,
    /// A variable of the environment of tests on the cluster; without a value, that of this machine (repeatable)
    #[arg(long, value_name = "NAME[=VALUE]", requires = "remote", value_parser = variable)]
    remote_env: Vec<(String, String)>,
    /// With --build, start each build with what the previous build has made, as on this machine
    #[arg(long, requires = "remote")]
    remote_warm: bool,
    /// Take the baseline and the proofs from the action cache of the cluster, too
    #[arg(long, requires = "remote")]
    trust_cache: bool,
    /// If the cluster is lost, continue on this machine
    #[arg(long, requires = "remote")]
    or_local: bool,
}

/// A cluster; none if the address is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cluster(Option<RemoteAddress>);

fn cluster(text: &str) -> Result<Cluster, NotAnAddress> {
    Ok(Cluster(if text.is_empty() { None } else { Some(text.parse()?) }))
}

impl RemoteArgs {
    fn address(&self) -> Option<&RemoteAddress> {
        self.remote.as_ref()?.0.as_ref()
    }

    /// Whether the cluster is only a default, which a flag for another place overrules.
    fn is_default(&self) -> bool {
        std::env::var(ADDRESS).is_ok_and(|text| text.parse().ok().as_ref() == self.address())
    }

    /// Refuses to run a question on a cluster that runs on this machine only.
    pub(crate) fn refuse(&self) -> Result<(), Problem> {
        match self.address() {
            Some(_) if !self.is_default() => Err(Problem::new(
                "`howcome state` stops and compares processes on this machine, so it cannot use --remote",
            )
            .hint("leave out --remote")),
            _ => Ok(()),
        }
    }

    /// The cluster for the tests of a run, if the user wants one. `other` is a flag that names another place for tests.
    pub(crate) fn site(
        &self,
        file: &RunFile,
        other: Option<&str>,
    ) -> Result<Option<Arc<dyn TestSite>>, Problem> {
        let Some(address) = self.address() else { return Ok(None) };
        if let Some(other) = other {
            return match self.is_default() {
                true => Ok(None),
                false => Err(Problem::new(format!("--remote cannot be used with {other}"))
                    .hint("tests run in one place: leave out one of the two")),
            };
        }
        check_aspects(file)?;
        let encrypted_only = [
            (self.remote_tls_ca.is_some(), "--remote-tls-ca"),
            (self.remote_tls_cert.is_some(), "--remote-tls-cert"),
        ];
        if let Some((_, flag)) =
            encrypted_only.iter().find(|(is_given, _)| *is_given && !address.is_encrypted)
        {
            return Err(Problem::new(format!("{flag} needs an encrypted connection"))
                .hint("write grpcs:// instead of grpc:// after --remote"));
        }
        let mut options = RemoteOptions::new(address.clone());
        options.token = self.token()?;
        options.headers = with_variable(&self.remote_header, HEADERS)?;
        let [authority, own, key] = TLS.map(|name| std::env::var_os(name).map(PathBuf::from));
        options.certificates = Certificates {
            authority: self.remote_tls_ca.clone().or(authority),
            own: self.remote_tls_cert.clone().or(own),
            key: self.remote_tls_key.clone().or(key),
        };
        options.properties = with_variable(&self.remote_property, PROPERTIES)?;
        options.environment.clone_from(&self.remote_env);
        (options.trusts_cache, options.or_local, options.is_warm) =
            (self.trust_cache, self.or_local, self.remote_warm);
        options.wanted = wanted(file);
        let or_local = self.or_local;
        options.when_lost = Arc::new(move |why| {
            if or_local {
                talk!(
                    "warning: the cluster cannot be used any more ({why}); the run continues on this machine"
                );
            }
        });
        match Remote::connect(options) {
            Ok(remote) => Ok(Some(Arc::new(remote))),
            Err(RemoteError::Unusable { why, .. } | RemoteError::Refused { why, .. }) if or_local => {
                talk!("warning: the cluster cannot be used ({why}); the tests run on this machine");
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The bearer token. It is never recorded.
    fn token(&self) -> Result<Option<String>, Problem> {
        match &self.remote_token_file {
            Some(path) => {
                let text = fs::read_to_string(path).map_err(|error| {
                    Problem::new(format!(
                        "the token {} cannot be read: {}",
                        path.display(),
                        plain_error(&error)
                    ))
                })?;
                match text.trim() {
                    "" => Err(Problem::new(format!("the token {} is empty", path.display()))),
                    token => Ok(Some(token.to_owned())),
                }
            }
            None => Ok(std::env::var(TOKEN).ok().filter(|token| !token.is_empty())),
        }
    }
}

/// The cluster returns what a test prints and how it ends. Everything else that `--same` compares needs a tool on this machine.
fn check_aspects(file: &RunFile) -> Result<(), Problem> {
    let aspects = file.request["alike"]["same"].as_array().into_iter().flatten();
    match aspects.filter_map(|aspect| aspect.as_str()).find(|aspect| *aspect != "output") {
        Some(aspect) => Err(Problem::new(format!(
            "--same {aspect} needs a tool on this machine, so it cannot be used with --remote"
        ))
        .hint("compare what the test prints (--same output), or leave out --remote")),
        None => Ok(()),
    }
}

/// The files that the judge reads after a test.
fn wanted(file: &RunFile) -> Vec<PathBuf> {
    let failure = &file.request["failure"];
    let conditions = ["fails_when", "passes_when"].into_iter().filter_map(|name| failure[name].as_array());
    let conditions = conditions.flatten().filter_map(|text| text.as_str()?.parse::<Condition>().ok());
    let mut files: Vec<PathBuf> =
        conditions.filter_map(|condition| Some(condition.file()?.to_owned())).collect();
    if file.request["coverage"].is_string() {
        files.push(COVERAGE_REPORT.into());
    }
    files.sort();
    files.dedup();
    files
}

/// The pairs of a flag, or else those of a variable.
fn with_variable(flags: &[(String, String)], variable: &str) -> Result<Vec<(String, String)>, Problem> {
    if !flags.is_empty() {
        return Ok(flags.to_owned());
    }
    let text = std::env::var(variable).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    // The value can be a secret.
    lines.map(|line| pair(line).map_err(|why| Problem::new(format!("{variable}: {why}")))).collect()
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

fn variable(text: &str) -> Result<(String, String), String> {
    let name = text.split('=').next().unwrap_or_default();
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if !name.chars().all(is_name) || name.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(format!("`{name}` is not the name of a variable"));
    }
    match text.split_once('=') {
        Some(_) => pair(text),
        None => match std::env::var(text) {
            Ok(value) => Ok((text.to_owned(), value)),
            Err(_) => Err(format!("{text} is not set here, and has no value")),
        },
    }
}
