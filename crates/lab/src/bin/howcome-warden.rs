//! A warden and nothing else, for the tests of this crate.

fn main() -> std::process::ExitCode {
    howcome_lab::warden::serve()
}
