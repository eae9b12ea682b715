//! `--remote grpcs://`: certificates, tokens and headers, with a server that is encrypted and wants them.

#![allow(clippy::unwrap_used)]

#[path = "../../remote/tests/fake_cluster/mod.rs"]
mod fake_cluster;
mod howcome;

use fake_cluster::{ClusterOptions, FakeCluster};
use howcome::{Place, finding_of};
use std::process::{Command, Stdio};
use tonic::transport::{Certificate, Identity, ServerTlsConfig};

/// A folder with an authority, and with certificates that it has signed for a server, and for a user.
fn certificates() -> Option<Place> {
    if !howcome_testing::need_program("openssl") {
        return None;
    }
    let place = Place::new();
    let make = |name: &str, extensions: &[&str], signed_by: &[&str]| {
        let subject = format!("/CN={name}");
        let words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj";
        let mut openssl = Command::new("openssl");
        openssl.args(words.split(' ')).arg(subject);
        openssl.args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")]);
        openssl.args(extensions.iter().flat_map(|extension| ["-addext", extension])).args(signed_by);
        let made = openssl.current_dir(place.path("")).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    make("authority", &[], &[]);
    make("stranger", &[], &[]);
    let by_authority = ["-CA", "authority.pem", "-CAkey", "authority.key"];
    make("server", &["subjectAltName=IP:127.0.0.1", "basicConstraints=CA:FALSE"], &by_authority);
    make("user", &["basicConstraints=CA:FALSE", "extendedKeyUsage=clientAuth"], &by_authority);
    Some(place)
}

fn start(place: &Place) -> FakeCluster {
    let pem = |name: &str| place.read(name);
    let tls = ServerTlsConfig::new()
        .identity(Identity::from_pem(pem("server.pem"), pem("server.key")))
        .client_ca_root(Certificate::from_pem(pem("authority.pem")));
    FakeCluster::start(ClusterOptions {
        tls: Some(tls),
        wanted_headers: vec![("authorization", "Bearer s3cret-token"), ("x-api-key", "s3cret-key")],
        ..ClusterOptions::default()
    })
}

const AUTHORITY: [&str; 2] = ["--remote-tls-ca", "authority.pem"];
const USER: [&str; 4] = ["--remote-tls-cert", "user.pem", "--remote-tls-key", "user.key"];
const HEADERS: [&str; 4] = ["--remote-token-file", "token", "--remote-header", "X-Api-Key=s3cret-key"];

#[test]
fn an_encrypted_cluster_gives_the_same_answer_and_no_secret_is_recorded() {
    let Some(place) = certificates() else { return };
    let cluster = start(&place);
    place.write("token", b"s3cret-token\n");
    let ask = |run: &str, flags: &[&str]| {
        let words = ["items", "list.txt", "-q", "--json", "-j2", "--run-dir", run];
        finding_of(&place.json(&[&words[..], flags, &["--", "./test.sh"]].concat()))
    };
    let url = cluster.url();
    assert!(url.starts_with("grpcs://"));
    let remote = ["--remote", &url];
    assert_eq!(ask("there", &[&remote[..], &AUTHORITY, &USER, &HEADERS].concat()), ask("here", &[]));
    assert!(cluster.executed() > 0);
    for file in ["there/run.json", "there/journal.jsonl"] {
        assert!(!String::from_utf8(place.read(file)).unwrap().contains("s3cret"), "{file}");
    }
}

#[test]
fn a_cluster_that_does_not_trust_us_or_that_we_do_not_trust_is_refused() {
    let Some(place) = certificates() else { return };
    let cluster = start(&place);
    place.write("token", b"s3cret-token\n");
    place.write("other-token", b"another\n");
    let url = cluster.url();
    let plain = url.replace("grpcs://", "grpc://");
    let no_key = ["--remote-tls-cert", "user.pem", "--remote-tls-key", "no.key"];
    let stranger = ["--remote-tls-ca", "stranger.pem"];
    let foreign_user = ["--remote-tls-cert", "stranger.pem", "--remote-tls-key", "stranger.key"];
    let other_token = ["--remote-token-file", "other-token", "--remote-header", "x-api-key=s3cret-key"];
    let cases: [(&str, &[&[&str]], i32, &str); 8] = [
        (&url, &[&USER, &HEADERS], 2, "UnknownIssuer"),
        (&url, &[&stranger, &USER, &HEADERS], 2, "certificate"),
        (&url, &[&AUTHORITY, &HEADERS], 2, "cannot be used"),
        (&url, &[&AUTHORITY, &foreign_user, &HEADERS], 2, "cannot be used"),
        (&url, &[&AUTHORITY, &USER, &other_token], 2, "the header authorization is missing or wrong"),
        (&url, &[&AUTHORITY, &USER], 2, "the header authorization is missing or wrong"),
        (&plain, &[&HEADERS], 3, "cannot be used"),
        (&url, &[&AUTHORITY, &no_key], 2, "no.key cannot be read"),
    ];
    let started: Vec<_> = cases
        .iter()
        .enumerate()
        .map(|(number, (url, flags, ..))| {
            let run = format!("run-{number}");
            let words = ["items", "list.txt", "-q", "--run-dir", &run, "--remote", url];
            let mut command = place.howcome(&[&words[..], &flags.concat(), &["--", "./test.sh"]].concat());
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for (number, (process, (_, flags, code, says))) in started.into_iter().zip(cases).enumerate() {
        let run = format!("run-{number}");
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && said.contains(says), "{flags:?}: {said}");
        assert!(!said.contains("s3cret"), "{said}");
        // Only a run that can be continued is left behind. What cannot succeed is not tried again.
        assert_eq!(place.path(&run).exists(), code == 3, "{flags:?}");
        assert!(code == 3 || !said.contains("5 times"), "{said}");
    }
    assert_eq!(cluster.executed(), 0);
}
