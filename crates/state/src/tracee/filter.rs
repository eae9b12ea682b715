//! Which system calls a traced program makes as they are, at which it stops, and which fail.
//!
//! A filter of the kernel (seccomp) decides, so only the few calls at which the program stops cost time.

use libc::{sock_filter, sock_fprog};
use std::io;

/// Calls at which the program stops: see [`super::calls`].
const LOOKED_AT: &[i64] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_access,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_unlink,
    libc::SYS_unlinkat,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_truncate,
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_pipe,
    libc::SYS_pipe2,
    libc::SYS_epoll_create1,
    libc::SYS_eventfd2,
    libc::SYS_timerfd_create,
    libc::SYS_signalfd4,
    libc::SYS_inotify_init1,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_prlimit64,
    libc::SYS_exit_group,
];

/// Calls that seem to succeed and do nothing: they would change a file of the user, or the limits that we set.
const PRETENDED: &[i64] = &[
    libc::SYS_setrlimit,
    libc::SYS_mkdir,
    libc::SYS_mkdirat,
    libc::SYS_rmdir,
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_chown,
    libc::SYS_fchown,
    libc::SYS_lchown,
    libc::SYS_fchownat,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_utimensat,
    libc::SYS_futimesat,
    libc::SYS_sync,
    libc::SYS_syncfs,
];

/// Calls that fail: their effect would be visible outside, or the program would escape the tracer.
const FORBIDDEN: &[i64] = &[
    libc::SYS_link,
    libc::SYS_linkat,
    libc::SYS_symlink,
    libc::SYS_symlinkat,
    libc::SYS_mknod,
    libc::SYS_mknodat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_ptrace,
    libc::SYS_process_vm_writev,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_open_by_handle_at,
    libc::SYS_setpriority,
    libc::SYS_shmctl,
    libc::SYS_msgsnd,
    libc::SYS_msgctl,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_unlink,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_pidfd_getfd,
    libc::SYS_fanotify_init,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
];

/// Calls that this kernel seems not to have: programs then use another call, at which they stop.
const UNKNOWN: &[i64] = &[libc::SYS_io_uring_setup, libc::SYS_clone3];

/// Calls of newer kernels.
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

/// From here on the numbers belong to another table (x32), with the same calls.
const OTHER_TABLE: u32 = 0x4000_0000;

const X86_64: u32 = 0xc000_003e;
/// The offsets of the call's number and of the machine in the data of the filter.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;

/// The program of the filter.
pub(super) fn program() -> Vec<sock_filter> {
    let load = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    let jump = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    let jump_from = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    let give = (libc::BPF_RET | libc::BPF_K) as u16;
    let instruction = |code, k, yes| sock_filter { code, jt: yes, jf: 1 - yes, k };
    let fails_with = |error: i32| libc::SECCOMP_RET_ERRNO | error as u32;
    let mut program = vec![
        sock_filter { code: load, jt: 0, jf: 0, k: MACHINE },
        instruction(jump, X86_64, 1),
        sock_filter { code: give, jt: 0, jf: 0, k: libc::SECCOMP_RET_KILL_PROCESS },
        sock_filter { code: load, jt: 0, jf: 0, k: NUMBER },
        instruction(jump_from, OTHER_TABLE, 0),
        sock_filter { code: give, jt: 0, jf: 0, k: fails_with(libc::ENOSYS) },
    ];
    let groups = [
        (LOOKED_AT, libc::SECCOMP_RET_TRACE),
        (PRETENDED, fails_with(0)),
        (FORBIDDEN, fails_with(libc::EPERM)),
        (UNKNOWN, fails_with(libc::ENOSYS)),
    ];
    for (calls, action) in groups {
        for call in calls {
            program.push(instruction(jump, *call as u32, 0));
            program.push(sock_filter { code: give, jt: 0, jf: 0, k: action });
        }
    }
    program.push(sock_filter { code: give, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW });
    program
}

/// Installs the filter for this process, for good. Makes only calls that are safe between fork and exec.
pub(super) fn install(program: &mut [sock_filter]) -> io::Result<()> {
    let filter = sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: prctl only reads the filter, which outlives the call, and the length is right.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            | libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, std::ptr::from_ref(&filter))
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
