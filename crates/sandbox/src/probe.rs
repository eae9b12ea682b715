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
        let tried = [(bubblewrap.clone(), true), (bubblewrap, false), (None, false)];
        let is_installed = tried[0].0.is_some();
        let mut refused = RefusedWalls::default();
        for (bubblewrap, user_namespaces) in tried {
            for landlock in [true, false] {
                let mut walls = Self {
                    bubblewrap: bubblewrap.clone(),
                    landlock,
                    user_namespaces,
                    missing: Vec::new(),
                    stands: true,
                };
                match walls.try_out(howcome) {
                    Ok(()) => {
                        walls.missing = walls.list_missing(&refused, is_installed);
                        return walls;
                    }
                    Err(why) => refused.note(&walls, why),
                }
            }
        }
        let mut none = Self {
            bubblewrap: None,
            landlock: false,
            user_namespaces: false,
            missing: Vec::new(),
            stands: false,
        };
        none.missing = none.list_missing(&refused, is_installed);
        none.missing.push("seccomp: system calls and network are not guarded".to_owned());
        none
    }

    fn list_missing(&self, refused: &RefusedWalls, is_installed: bool) -> Vec<String> {
        let because = |why: &str| if why.is_empty() { String::new() } else { format!(" ({why})") };
        let mut missing = Vec::new();
        if self.bubblewrap.is_none() {
            missing.push(match is_installed {
                true => format!("namespaces: bubblewrap does not work here{}", because(&refused.namespaces)),
                false => "namespaces: bubblewrap (bwrap) is not installed".to_owned(),
            });
            missing.push("own process ids: jobs see other processes of their user".to_owned());
        } else if !self.user_namespaces && nix::unistd::geteuid().is_root() {
            missing.push(format!("user namespace{}", because(&refused.user)));
        }
        if !self.landlock {
            let files = if self.bubblewrap.is_some() { "guarded by mounts only" } else { "not guarded" };
            missing.push(format!("Landlock: files are {files}{}", because(&refused.landlock)));
        }
        missing
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

/// What the kernel said about each wall, the last time that it was tried.
#[derive(Debug, Default)]
struct RefusedWalls {
    namespaces: String,
    user: String,
    landlock: String,
}

impl RefusedWalls {
    /// A wall is to blame if all walls below it stand, so the simplest attempt that fails is the one to believe.
    fn note(&mut self, walls: &Walls, why: String) {
        let blamed = match (walls.landlock, walls.bubblewrap.is_some(), walls.user_namespaces) {
            (true, _, _) => &mut self.landlock,
            (false, true, true) => &mut self.user,
            (false, true, false) => &mut self.namespaces,
            (false, false, _) => return,
        };
        *blamed = why;
    }
}

/// Where bubblewrap is. Not from `PATH`: a service must not run what a user has put there.
fn find_bubblewrap() -> Option<PathBuf> {
    ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
        .map(PathBuf::from)
        .into_iter()
        .find(|path| path.is_file())
}
