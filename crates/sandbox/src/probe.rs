//! Which walls this machine can build. They are tried once, with a program that does nothing: what the settings of a kernel say is often
//! not what a container allows.

use crate::cell::{Cell, CellView};
use crate::walls::Walls;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

impl Walls {
    /// Tries the walls, the strongest first. `howcome` is a program that calls [`crate::enter`] for [`crate::CONFINED`].
    #[must_use]
    pub fn probe(howcome: &Path) -> Self {
        Self::probe_with(howcome, find_bubblewrap())
    }

    /// The walls that remain without bubblewrap.
    #[must_use]
    pub fn probe_without_bubblewrap(howcome: &Path) -> Self {
        Self::probe_with(howcome, None)
    }

    fn probe_with(howcome: &Path, bubblewrap: Option<PathBuf>) -> Self {
        let mut missing = Vec::new();
        if bubblewrap.is_none() {
            missing.push("namespaces: bubblewrap (bwrap) is not installed".to_owned());
        }
        let mut why = String::new();
        for (bubblewrap, user_namespaces) in [(bubblewrap.clone(), true), (bubblewrap, false), (None, false)]
        {
            for landlock in [true, false] {
                let walls = Self {
                    bubblewrap: bubblewrap.clone(),
                    landlock,
                    user_namespaces,
                    missing: Vec::new(),
                    stands: true,
                };
                match walls.try_out(howcome) {
                    Ok(()) => {
                        let mut walls = walls;
                        walls.missing = missing;
                        walls.note_missing(&why);
                        return walls;
                    }
                    Err(said) if why.is_empty() => why = said,
                    Err(_) => {}
                }
            }
        }
        missing.push(format!("all others: {why}"));
        Self { bubblewrap: None, landlock: false, user_namespaces: false, missing, stands: false }
    }

    fn note_missing(&mut self, why: &str) {
        let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
        if self.bubblewrap.is_none() && self.missing.is_empty() {
            self.missing.push(format!("namespaces: bubblewrap does not work here{why}"));
        }
        if self.bubblewrap.is_none() {
            self.missing.push("own process ids: jobs see other processes of their user".to_owned());
        } else if !self.user_namespaces && nix::unistd::geteuid().is_root() {
            self.missing.push(format!("user namespace{why}"));
        }
        if !self.landlock {
            self.missing.push(format!("Landlock: files are guarded by mounts only{why}"));
        }
    }

    fn try_out(&self, howcome: &Path) -> Result<(), String> {
        let cell = Cell::new(CellView::System, "/").user(65_534);
        let words = cell.command(self, howcome, &["/bin/true".into()]);
        let (program, arguments) = words.split_first().ok_or("no command")?;
        let tried = Command::new(program)
            .args(arguments)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&tried.stderr).trim().to_owned();
        if tried.status.success() { Ok(()) } else { Err(said) }
    }
}

/// Where bubblewrap is. Not from `PATH`: a service must not run what a user has put there.
fn find_bubblewrap() -> Option<PathBuf> {
    ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
        .map(PathBuf::from)
        .into_iter()
        .find(|path| path.is_file())
}
