//! The smallest program that is a warden, for the tests of this crate.

fn main() -> std::process::ExitCode {
    howcome_lab::warden::serve()
}
