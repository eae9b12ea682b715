//! System calls: what becomes of each class of them.

use crate::built::Built;
use howcome_state::tracee::{Output, RunEnd, TraceEvent};
use std::fs;

#[test]
fn a_call_that_could_reach_something_outside_does_nothing() {
    let source = r#"
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <linux/fs.h>
        #include <sched.h>
        #include <sys/file.h>
        #include <sys/prctl.h>
        #include <sys/ioctl.h>
        #include <sys/resource.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int main(void) {
            int flags = 0, file = open("kept", O_RDONLY), unread = -1;
            if (file < 0 || ioctl(file, FIONREAD, &unread) || unread != 4) return 1;
            if (ioctl(file, FS_IOC_SETFLAGS, &flags) == 0 || errno != ENOTTY) return 2;
            cpu_set_t none, now;
            CPU_ZERO(&none);
            if (sched_setaffinity(getppid(), sizeof none, &none)) return 3;
            struct sched_param idle = { 0 };
            if (sched_setscheduler(getppid(), SCHED_IDLE, &idle) || sched_getscheduler(getppid()) == SCHED_IDLE) return 4;
            if (syscall(SYS_ioprio_set, 1, getppid(), 3 << 13) || (syscall(SYS_ioprio_get, 1, getppid()) >> 13) == 3) return 5;
            if (sched_getaffinity(0, sizeof now, &now) || CPU_COUNT(&now) == 0) return 6;
            if (syscall(SYS_userfaultfd, 0) != -1 || errno != ENOSYS) return 7;
            if (syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0) != -1 || errno != ENOSYS) return 8;
            if (syscall(999) != -1 || errno != ENOSYS) return 9;
            long hint = 1;
            struct flock lock = { .l_type = F_RDLCK };
            if (flock(file, LOCK_EX) || fcntl(file, F_SETLK, &lock)) return 10;
            if (fcntl(file, F_SETLEASE, F_RDLCK) != -1 || fcntl(file, F_NOTIFY, DN_ACCESS) != -1) return 11;
            if (fcntl(file, 1036, &hint) != -1 || fcntl(file, F_SETOWN, getppid()) != -1 || errno != EINVAL) return 12;
            if (fcntl(file, F_GETFD) < 0 || fcntl(file, F_DUPFD, 10) < 10) return 13;
            if (prctl(62, 1, 0, 0, 0) != -1 || prctl(PR_SET_NAME, "name")) return 14;
            return 42; }"#;
    let built = Built::new(source, &[]);
    let path = built.folder.path().join("kept");
    std::fs::write(&path, "text").unwrap();
    // Somebody else has locked the file, for which the program would have to wait.
    let held = std::fs::File::open(&path).unwrap();
    held.lock().unwrap();
    assert_eq!(built.run(&[]), Ok(TraceEvent::Ended(RunEnd::Exited(42))));
}

/// Calls of each class, one line each: the result of the call, and the error. `victim` is a process outside.
const EACH_CLASS: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#define TRY(call) do { errno = 0; long result = (long)(call); puts(result < 0 ? strerrorname_np(errno) : "done"); } while (0)
#include <string.h>
int main(int argc, char **argv) {
    int victim = atoi(argv[2]), file = open("kept", O_RDONLY);
    struct iovec bytes = { argv[0], 1 };
    struct rlimit none = { 1, 1 };
    siginfo_t sent = { .si_code = SI_QUEUE };
    if (argv[1][0] == 'w') {          // Written: made on a copy.
        int copy = open("kept", O_RDWR);
        char *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, copy, 0);
        shared[0] = 'Z';
        TRY(msync(shared, 4096, MS_SYNC));
        TRY(ftruncate(copy, 2));
        TRY(fallocate(copy, 0, 0, 10));
        TRY(truncate("kept", 0));
        TRY(open("kept", O_RDONLY | O_TRUNC));
        TRY(rename("kept", "gone"));
        TRY(unlink("gone"));
    } else if (argv[1][0] == 'p') {   // Pretended: seems to succeed.
        TRY(chmod("kept", 0)); TRY(fchmod(file, 0)); TRY(chown("kept", 1, 1)); TRY(fchown(file, 1, 1));
        TRY(mkdir("folder", 0700)); TRY(futimens(file, NULL)); TRY(utimensat(AT_FDCWD, "kept", NULL, 0));
        TRY(prlimit(victim, RLIMIT_NOFILE, &none, NULL)); TRY(setpriority(PRIO_PROCESS, victim, 19));
    } else if (argv[1][0] == 'f') {   // Forbidden.
        TRY(link("kept", "linked")); TRY(symlink("kept", "linked")); TRY(mknod("node", S_IFIFO | 0600, 0));
        TRY(setxattr("kept", "user.a", "b", 1, 0)); TRY(fsetxattr(file, "user.a", "b", 1, 0));
        TRY(kill(victim, SIGTERM)); TRY(syscall(SYS_tkill, victim, SIGTERM)); TRY(syscall(SYS_tgkill, victim, victim, SIGTERM));
        TRY(syscall(SYS_rt_sigqueueinfo, victim, SIGTERM, &sent));
        TRY(syscall(SYS_ptrace, 16, victim, 0, 0)); TRY(syscall(SYS_process_vm_writev, victim, &bytes, 1, &bytes, 1, 0));
        TRY(mount("none", "/mnt", "tmpfs", 0, "")); TRY(chroot(".")); TRY(syscall(SYS_unshare, 0x20000));
        TRY(syscall(SYS_shmget, 77, 4096, 01600)); TRY(syscall(SYS_semget, 77, 1, 01600)); TRY(syscall(SYS_msgget, 77, 01600));
        TRY(syscall(SYS_add_key, "user", "a", "b", 1, -3)); TRY(syscall(SYS_bpf, 0, 0, 0));
    } else {                          // In no list.
        TRY(syscall(SYS_io_uring_setup, 4, 0)); TRY(syscall(SYS_pidfd_open, victim, 0)); TRY(syscall(SYS_splice, file, 0, 1, 0, 1, 0));
        TRY(syscall(SYS_vmsplice, 1, &bytes, 1, 0)); TRY(syscall(SYS_clone3, 0, 0)); TRY(syscall(SYS_move_pages, victim, 0, 0, 0, 0, 0));
        TRY(syscall(SYS_name_to_handle_at, -100, "kept", 0, 0, 0)); TRY(syscall(SYS_syslog, 3, argv[0], 1));
        TRY(syscall(SYS_memfd_secret, 0)); TRY(syscall(SYS_process_madvise, victim, &bytes, 1, 4, 0)); TRY(syscall(SYS_vhangup));
    }
    return 0;
}
"#;

#[test]
fn each_class_of_calls_leaves_files_and_processes_as_they_are() {
    let built = Built::new(EACH_CLASS, &[]);
    let folder = built.folder.path();
    fs::write(folder.join("kept"), "text").unwrap();
    let mut victim = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let number = victim.id().to_string();
    let state = || {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        let kept = fs::metadata(folder.join("kept")).unwrap();
        let limits = fs::read_to_string(format!("/proc/{number}/limits")).unwrap();
        let times = (kept.modified().unwrap(), kept.permissions().readonly(), kept.len());
        (names, times, limits, fs::read(folder.join("kept")).unwrap())
    };
    let before = state();
    let results = |class: &str| -> Vec<String> {
        let output = Output::new().unwrap();
        let ended = built.start(&[class, &number], &output).go(None);
        assert_eq!(ended, Ok(TraceEvent::Ended(RunEnd::Exited(0))), "{class}");
        let printed = String::from_utf8(output.printed().unwrap()[0].clone()).unwrap();
        printed.lines().map(str::to_owned).collect()
    };
    for (class, expected) in
        [("written", "done"), ("pretended", "done"), ("forbidden", "EPERM"), ("none", "ENOSYS")]
    {
        let results = results(class);
        assert!(results.len() > 6 && results.iter().all(|result| result == expected), "{class}: {results:?}");
        assert_eq!(state(), before, "{class}");
    }
    assert_eq!(victim.try_wait().unwrap(), None, "it was not ended");
    victim.kill().unwrap();
    victim.wait().unwrap();
}
