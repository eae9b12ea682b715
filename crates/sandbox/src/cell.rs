//! What a program sees, as the words of a command.

use crate::rules::{CellLimits, CellRules};
use crate::walls::Walls;
use crate::{CONFINED, INIT, OUTSIDE};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// How much of the machine a program sees. It can write to none of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellView {
    /// All that its user sees: for tests of one's own.
    Everything,
    /// Programs and libraries only: for what others send.
    System,
}

/// A place for one program.
#[derive(Clone, Debug)]
pub struct Cell {
    view: CellView,
    folder: PathBuf,
    /// The folder outside, and its name inside.
    writable: Vec<(PathBuf, PathBuf)>,
    readable: Vec<(PathBuf, PathBuf)>,
    limits: CellLimits,
    user: Option<u32>,
    is_measured: bool,
}

/// What programs need of `/etc`. The rest of it is nobody's business.
const SETTINGS: &[&str] = &[
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "nsswitch.conf",
    "ssl/certs",
    "java",
    "java-17-openjdk",
    "java-21-openjdk",
    "perl",
    "python3",
    "mime.types",
    "fonts",
];

/// Programs and libraries.
const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"];

/// Bytes in `/tmp` and in `/dev/shm`.
const TEMPORARY_FILES: &str = "268435456";
const SHARED_MEMORY: &str = "67108864";

/// Where howcome itself is inside.
const HOWCOME: &str = "/run/howcome/howcome";

impl Cell {
    /// A cell whose program starts in a folder, by its name inside.
    #[must_use]
    pub fn new(view: CellView, folder: impl Into<PathBuf>) -> Self {
        Self {
            view,
            folder: folder.into(),
            writable: Vec::new(),
            readable: Vec::new(),
            limits: CellLimits::default(),
            user: None,
            is_measured: false,
        }
    }

    /// A folder that the program can write to, and its name inside.
    #[must_use]
    pub fn writable(mut self, outside: impl Into<PathBuf>, inside: impl Into<PathBuf>) -> Self {
        self.writable.push((outside.into(), inside.into()));
        self
    }

    /// A file or folder that the program can read, and its name inside.
    #[must_use]
    pub fn readable(mut self, outside: impl Into<PathBuf>, inside: impl Into<PathBuf>) -> Self {
        self.readable.push((outside.into(), inside.into()));
        self
    }

    /// What the program may use.
    #[must_use]
    pub fn limits(mut self, limits: CellLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The user that the program becomes, if this process runs as root.
    #[must_use]
    pub fn user(mut self, user: u32) -> Self {
        self.user = nix::unistd::geteuid().is_root().then_some(user);
        self
    }

    /// Whoever waits for the command learns how much processor time everything inside has used.
    #[must_use]
    pub fn measured(mut self) -> Self {
        self.is_measured = true;
        self
    }

    /// The words of a command that runs a program inside. `howcome` is a program that calls [`crate::enter`] for [`CONFINED`].
    /// Without bubblewrap, names inside are those outside.
    #[must_use]
    pub fn command(&self, walls: &Walls, howcome: &Path, program: &[OsString]) -> Vec<OsString> {
        let rules = serde_json::to_string(&self.rules(walls, howcome)).unwrap_or_default();
        let mut words: Vec<OsString> = Vec::new();
        let howcome = match (walls.bubblewrap(), self.view) {
            (None, _) => howcome.as_os_str().to_owned(),
            (Some(bubblewrap), view) => {
                words.push(bubblewrap.into());
                words.extend(self.bubblewrap_words(howcome));
                if view == CellView::System { HOWCOME.into() } else { howcome.as_os_str().to_owned() }
            }
        };
        if self.is_measured && walls.bubblewrap().is_some() {
            words.extend([howcome.clone(), CONFINED.into(), INIT.into()]);
        }
        words.extend([howcome.clone(), CONFINED.into(), rules.into()]);
        // A program that is howcome itself has another name inside.
        words.extend(
            program.iter().map(|word| if word == Self::ITSELF { howcome.clone() } else { word.clone() }),
        );
        words
    }

    /// The same for a command in a terminal: Ctrl-C reaches the program and not the walls.
    #[must_use]
    pub fn foreground_command(&self, walls: &Walls, howcome: &Path, program: &[OsString]) -> Vec<OsString> {
        let command = self.command(walls, howcome, program);
        // In the terminal's session; the program may make one of its own.
        let command = command.into_iter().filter(|word| word != "--new-session");
        [howcome.as_os_str().to_owned(), CONFINED.into(), OUTSIDE.into()].into_iter().chain(command).collect()
    }

    /// A word of the program that stands for howcome itself.
    pub const ITSELF: &'static str = "\u{1}howcome";

    fn bubblewrap_words(&self, howcome: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let mut add = |these: &[&dyn AsRef<std::ffi::OsStr>]| {
            words.extend(these.iter().map(|word| word.as_ref().to_owned()));
        };
        add(&[&"--die-with-parent", &"--new-session", &"--unshare-ipc", &"--unshare-pid", &"--unshare-net"]);
        add(&[&"--unshare-uts", &"--unshare-cgroup-try", &"--hostname", &"howcome"]);
        if self.is_measured {
            add(&[&"--as-pid-1"]);
        }
        match self.user {
            // Root needs no user namespace to begin with; the program makes one after it has become another user.
            Some(_) => {
                add(&[&"--cap-drop", &"ALL", &"--cap-add", &"CAP_SETUID", &"--cap-add", &"CAP_SETGID"])
            }
            None => add(&[&"--unshare-user", &"--cap-drop", &"ALL"]),
        }
        match self.view {
            CellView::Everything => add(&[&"--ro-bind", &"/", &"/", &"--dev", &"/dev", &"--proc", &"/proc"]),
            CellView::System => {
                for path in SYSTEM {
                    match fs::read_link(path) {
                        Ok(target) => add(&[&"--symlink", &target, path]),
                        Err(_) => add(&[&"--ro-bind-try", path, path]),
                    }
                }
                // Folders that bubblewrap makes by itself can be entered by root only.
                add(&[&"--dir", &"/etc", &"--dir", &"/etc/ssl"]);
                for name in SETTINGS {
                    let path = format!("/etc/{name}");
                    add(&[&"--ro-bind-try", &path, &path]);
                }
                // What is written to file systems in memory is counted nowhere, so they are small.
                add(&[
                    &"--dev",
                    &"/dev",
                    &"--perms",
                    &"1777",
                    &"--size",
                    &SHARED_MEMORY,
                    &"--tmpfs",
                    &"/dev/shm",
                ]);
                add(&[&"--remount-ro", &"/dev", &"--proc", &"/proc"]);
                add(&[&"--perms", &"1777", &"--size", &TEMPORARY_FILES, &"--tmpfs", &"/tmp"]);
                add(&[&"--dir", &"/run/howcome", &"--ro-bind", &howcome, &HOWCOME]);
            }
        }
        for (outside, inside) in &self.readable {
            add(&[&"--ro-bind", outside, inside]);
        }
        for (outside, inside) in &self.writable {
            add(&[&"--bind", outside, inside]);
        }
        add(&[&"--chdir", &self.folder, &"--"]);
        words
    }

    fn rules(&self, walls: &Walls, howcome: &Path) -> CellRules {
        let has_bubblewrap = walls.bubblewrap().is_some();
        let name = |(outside, inside): &(PathBuf, PathBuf)| match has_bubblewrap {
            true => inside.clone(),
            false => outside.clone(),
        };
        let mut writable: Vec<PathBuf> = self.writable.iter().map(name).collect();
        // /proc/self/uid_map, terminals and /dev/null.
        writable.extend(["/proc", "/dev"].map(PathBuf::from));
        let mut readable = Vec::new();
        if has_bubblewrap {
            writable.push("/tmp".into());
        } else if self.view == CellView::System {
            readable.extend(SYSTEM.iter().map(PathBuf::from));
            readable.extend(SETTINGS.iter().map(|name| Path::new("/etc").join(name)));
            readable.extend(self.readable.iter().map(name));
            readable.push(howcome.to_owned());
        }
        CellRules {
            user: self.user,
            unshare_user: self.user.is_some() && walls.has_user_namespaces(),
            folder: (!has_bubblewrap).then(|| self.folder.clone()),
            has_own_network: has_bubblewrap,
            writable,
            readable,
            landlock: walls.has_landlock(),
            limits: self.limits,
        }
    }
}
