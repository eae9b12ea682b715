//! Which system calls a traced program makes as they are, at which it stops, and which fail.
//!
//! A filter of the kernel (seccomp) decides, so only the few calls at which the program stops cost time. A call that is in no
//! list fails, as if the kernel did not have it: what nobody has thought of must not reach anything outside.

use libc::{sock_filter, sock_fprog};
use std::io;

/// Calls that only concern the process itself, or only read.
const ALLOWED: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_munmap,
    libc::SYS_brk,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_sched_yield,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_madvise,
    libc::SYS_dup,
    libc::SYS_dup2,
    libc::SYS_dup3,
    libc::SYS_pause,
    libc::SYS_getitimer,
    libc::SYS_alarm,
    libc::SYS_setitimer,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_clone,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_uname,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_sync_file_range,
    libc::SYS_getdents,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_readlink,
    libc::SYS_readlinkat,
    libc::SYS_umask,
    libc::SYS_clock_getres,
    libc::SYS_getrlimit,
    libc::SYS_getuid,
    libc::SYS_getgid,
    libc::SYS_geteuid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_capget,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_getpriority,
    libc::SYS_ioprio_get,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_getattr,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval,
    libc::SYS_mlock,
    libc::SYS_munlock,
    libc::SYS_mlockall,
    libc::SYS_munlockall,
    libc::SYS_mlock2,
    libc::SYS_arch_prctl,
    libc::SYS_personality,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_membarrier,
    libc::SYS_getcpu,
    libc::SYS_memfd_create,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    libc::SYS_close_range,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
];

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
    libc::SYS_ioctl,
    libc::SYS_getrandom,
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_select,
    libc::SYS_pselect6,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgrp,
    libc::SYS_gettimeofday,
    libc::SYS_time,
    libc::SYS_times,
    libc::SYS_clock_gettime,
    libc::SYS_getrusage,
    libc::SYS_sysinfo,
    libc::SYS_set_tid_address,
    libc::SYS_fcntl,
    libc::SYS_prctl,
];

/// Calls that seem to succeed and do nothing: they would change or lock a file of the user, or change the limits that we set.
const PRETENDED: &[i64] = &[
    libc::SYS_flock,
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
    libc::SYS_setpriority,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
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
        (ALLOWED, libc::SECCOMP_RET_ALLOW),
        (LOOKED_AT, libc::SECCOMP_RET_TRACE),
        (PRETENDED, fails_with(0)),
        (FORBIDDEN, fails_with(libc::EPERM)),
    ];
    for (calls, action) in groups {
        for call in calls {
            program.push(instruction(jump, *call as u32, 0));
            program.push(sock_filter { code: give, jt: 0, jf: 0, k: action });
        }
    }
    program.push(sock_filter { code: give, jt: 0, jf: 0, k: fails_with(libc::ENOSYS) });
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
