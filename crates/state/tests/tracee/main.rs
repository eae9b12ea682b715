//! Real processes: stopped, copied and altered, with no effect outside.

#![allow(clippy::unwrap_used)]

mod built;
mod calls;

use built::Built;
use howcome_state::ReadMemory;
use howcome_state::matching::Alterations;
use howcome_state::tracee::{Descriptor, Output, RunEnd, TraceEvent, Unsupported, Watchdog};
use std::fs;
use std::process::Command;
use std::time::Duration;

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

const COUNTS: &str = r#"
#include <stdio.h>
int limit = 3;
void show(int i) { printf("%d\n", i); }
int main(void) { for (int i = 0; i < limit; i++) show(i); return limit; }
"#;

#[test]
fn a_stopped_process_can_be_copied_altered_and_run_to_its_end_many_times() {
    for flags in [&["-pie", "-fPIE"][..], &["-no-pie"], &["-static"]] {
        let built = Built::new(COUNTS, flags);
        let (output, printed) = (Output::new().unwrap(), Output::new().unwrap());
        let mut tracee = built.stopped_at("show", &[], &output);
        let limit = built.symbol(&tracee, "limit");
        assert_eq!(tracee.process().word(limit).unwrap() as u32, 3);
        for value in [1u8, 5, 3, 2] {
            let alterations = Alterations { writes: vec![(limit, vec![value, 0, 0, 0])], files: vec![] };
            let mut copy = tracee.altered(&printed, &alterations).unwrap();
            assert_eq!(copy.go(None), Ok(TraceEvent::Ended(RunEnd::Exited(value.into()))));
            let expected: String = (0..value).map(|i| format!("{i}\n")).collect();
            assert_eq!(text(&printed.printed().unwrap()[0]), expected);
            printed.clear().unwrap();
        }
        assert_eq!(tracee.go(None), Ok(TraceEvent::Ended(RunEnd::Exited(3))));
        assert_eq!(text(&output.printed().unwrap()[0]), "0\n1\n2\n");
    }
}

#[test]
fn a_function_of_the_stopped_program_can_be_called() {
    let built = Built::new("int twice(int n) { return n * 2; } int main(void) { return twice(4); }", &[]);
    let output = Output::new().unwrap();
    let mut tracee = built.stopped_at("main", &[], &output);
    let twice = built.symbol(&tracee, "twice");
    assert_eq!(tracee.call(twice, "twice", 21), Ok(42));
    assert_eq!(tracee.go(None), Ok(TraceEvent::Ended(RunEnd::Exited(8))));
}

#[test]
fn what_a_program_writes_it_can_read_again_but_the_disk_is_as_it_was() {
    let source = r#"
        #include <stdio.h>
        #include <unistd.h>
        #include <sys/stat.h>
        int main(void) {
            FILE *f = fopen("old.txt", "a"); fputs(" and new", f); fclose(f);
            f = fopen("made.txt", "w"); fputs("made", f); fclose(f);
            rename("made.txt", "renamed.txt"); mkdir("folder", 0777); chmod("old.txt", 0); unlink("gone.txt");
            char line[99]; f = fopen("old.txt", "r"); puts(fgets(line, 99, f)); fclose(f);
            f = fopen("renamed.txt", "r"); puts(fgets(line, 99, f)); fclose(f);
            struct stat s; printf("%d %d %ld\n", stat("gone.txt", &s), access("made.txt", 0), (long)(stat("renamed.txt", &s), s.st_size));
            return 0; }"#;
    let built = Built::new(source, &[]);
    fs::write(built.folder.path().join("old.txt"), "old").unwrap();
    fs::write(built.folder.path().join("gone.txt"), "here").unwrap();
    let listing = || {
        let mut names: Vec<_> =
            fs::read_dir(built.folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        (names, fs::read(built.folder.path().join("old.txt")).unwrap())
    };
    let before = listing();
    let output = Output::new().unwrap();
    let mut tracee = built.start(&[], &output);
    assert_eq!(tracee.go(None), Ok(TraceEvent::Ended(RunEnd::Exited(0))));
    assert_eq!(text(&output.printed().unwrap()[0]), "old and new\nmade\n-1 -1 4\n");
    assert_eq!(listing(), before);
}

#[test]
fn copies_do_not_share_how_far_a_file_is_read_or_written() {
    let source = r#"
        #include <stdio.h>
        #include <unistd.h>
        #include <fcntl.h>
        int in, out; void rest(void) {}
        int main(void) { char c, all[9] = ""; in = open("in.txt", O_RDONLY); out = open("out.txt", O_RDWR | O_CREAT, 0600);
            read(in, &c, 1); write(out, &c, 1); rest();
            while (read(in, &c, 1) == 1) write(out, &c, 1);
            lseek(out, 0, SEEK_SET); read(out, all, 8); puts(all); return 0; }"#;
    let built = Built::new(source, &[]);
    fs::write(built.folder.path().join("in.txt"), "abcd").unwrap();
    let (output, printed) = (Output::new().unwrap(), Output::new().unwrap());
    let mut tracee = built.stopped_at("rest", &[], &output);
    for _ in 0..3 {
        let mut copy = tracee.altered(&printed, &Alterations::default()).unwrap();
        assert_eq!(copy.go(None), Ok(TraceEvent::Ended(RunEnd::Exited(0))));
        assert_eq!(text(&printed.printed().unwrap()[0]), "abcd\n");
        printed.clear().unwrap();
    }
    assert!(!built.folder.path().join("out.txt").exists());
}

#[test]
fn programs_whose_copies_would_be_seen_outside_are_refused_with_the_reason() {
    let refused = |body: &str, flags: &[&str]| {
        let includes = "#include <sys/socket.h>\n#include <unistd.h>\n#include <fcntl.h>\n#include <pthread.h>\n#include <sys/eventfd.h>\n";
        let built = Built::new(
            &format!("{includes} void *f(void *p) {{ return p; }} int main(void) {{ {body} return 0; }}"),
            flags,
        );
        built.run(&[]).unwrap_err()
    };
    assert_eq!(refused("socket(AF_INET, SOCK_STREAM, 0);", &[]), Unsupported::Socket.into());
    assert_eq!(refused("if (fork() == 0) _exit(1);", &[]), Unsupported::Process.into());
    assert_eq!(refused("execl(\"/bin/true\", \"true\", (char *)0);", &[]), Unsupported::Exec.into());
    assert_eq!(refused("open(\"/dev/tty\", O_RDWR);", &[]), Unsupported::Terminal.into());
    assert_eq!(
        refused("int p[2]; if (pipe(p)) return 1;", &[]),
        Unsupported::Shared(Descriptor::Pipe).into()
    );
    assert_eq!(refused("eventfd(0, 0);", &[]), Unsupported::Shared(Descriptor::Events).into());
    assert_eq!(
        refused("pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);", &["-pthread"]),
        Unsupported::Thread.into()
    );
}

#[test]
fn a_program_cannot_lift_its_limits_or_reach_other_processes() {
    let source = r#"
        #include <sys/resource.h>
        #include <signal.h>
        #include <unistd.h>
        int deep(int n) { volatile char room[4096]; room[n % 4096] = 1; return n + deep(n + 1) + room[0]; }
        int main(int argc, char **argv) {
            struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
            if (setrlimit(RLIMIT_STACK, &all) || setrlimit(RLIMIT_AS, &all)) return 1;
            if (kill(getppid(), 0) == 0 || kill(getpid(), 0) != 0) return 2;
            return argc > 1 ? deep(0) : 7; }"#;
    let built = Built::new(source, &[]);
    assert_eq!(built.run(&[]), Ok(TraceEvent::Ended(RunEnd::Exited(7))));
    let Ok(TraceEvent::Ended(RunEnd::Killed(crash))) = built.run(&["deep"]) else {
        panic!("it goes on for ever")
    };
    assert_eq!(crash.signal, 11);
}

#[test]
fn random_numbers_are_the_same_in_all_runs_but_not_the_same_each_time() {
    let source = r#"
        #include <stdio.h>
        #include <string.h>
        #include <sys/auxv.h>
        #include <sys/random.h>
        #include <sys/sysinfo.h>
        static unsigned char numbers[5][16];
        static void show(FILE *device) {
            fread(numbers[4], 16, 1, device);
            for (int i = 0; i < 80; i++) printf("%02x", numbers[i / 16][i % 16]);
        }
        int main(void) {
            memcpy(numbers[0], (void *)getauxval(AT_RANDOM), 16);
            if (getrandom(numbers[1], 16, 0) != 16 || getrandom(numbers[2], 16, 0) != 16) return 1;
            if (memcmp(numbers[1], numbers[2], 16) == 0) return 2;
            FILE *first = fopen("/dev/random", "r"), *second = fopen("/dev/urandom", "r");
            setbuf(second, NULL);
            if (fread(numbers[3], 16, 1, first) != 1 || fread(numbers[4], 16, 1, second) != 1) return 3;
            if (memcmp(numbers[3], numbers[4], 16) == 0) return 4;
            struct sysinfo machine;
            if (sysinfo(&machine) || machine.freeram * machine.mem_unit < 1 << 20) return 5;
            printf("%ld %lu %lu %d ", machine.uptime, machine.loads[0], machine.freeram, machine.procs);
            show(second);
            return 0; }"#;
    let built = Built::new(source, &[]);
    let printed = || {
        let output = Output::new().unwrap();
        assert_eq!(built.start(&[], &output).go(None), Ok(TraceEvent::Ended(RunEnd::Exited(0))));
        output.printed().unwrap()[0].clone()
    };
    let whole = printed();
    assert_eq!(text(&whole), text(&printed()));
    let (own, copied) = (Output::new().unwrap(), Output::new().unwrap());
    let mut stopped = built.stopped_at("show", &[], &own);
    let mut copy = stopped.altered(&copied, &Alterations::default()).unwrap();
    assert_eq!(copy.go(None), Ok(TraceEvent::Ended(RunEnd::Exited(0))));
    assert_eq!(text(&copied.printed().unwrap()[0]), text(&whole), "a copy reads on from the same device");
}

#[test]
fn a_run_that_does_not_end_is_ended() {
    let built = Built::new("int main(void) { for (;;); }", &[]);
    let output = Output::new().unwrap();
    let watchdog = Watchdog::new();
    let mut tracee = built.start(&[], &output);
    tracee.limit(&watchdog, Duration::from_millis(20)).unwrap();
    assert_eq!(tracee.go(None), Ok(TraceEvent::Ended(RunEnd::TimedOut)));
}

#[test]
fn signals_that_a_program_handles_do_not_end_it() {
    let source = r#"
        #include <signal.h>
        #include <setjmp.h>
        #include <stdlib.h>
        static sigjmp_buf back; static void caught(int s) { siglongjmp(back, s); }
        int main(int argc, char **argv) { signal(SIGSEGV, caught); if (argc > 1) abort();
            int s = sigsetjmp(back, 1); if (s) return s; *(volatile int *)0 = 1; return 0; }"#;
    let built = Built::new(source, &[]);
    assert_eq!(built.run(&[]), Ok(TraceEvent::Ended(RunEnd::Exited(11))));
    assert!(
        matches!(built.run(&["abort"]), Ok(TraceEvent::Ended(RunEnd::Killed(crash))) if crash.signal == 6)
    );
}

#[test]
fn a_file_that_is_open_for_reading_can_not_be_opened_for_writing_by_its_number() {
    let source = r#"
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdio.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int main(void) {
            char path[64];
            int read_only = open("data", O_RDONLY);
            sprintf(path, "/proc/self/fd/%d", read_only);
            int again = open(path, O_WRONLY);
            if (again < 0 || write(again, "NEW", 3) != 3) return 1;
            if (open("/dev/fd/../../etc/hostname", O_WRONLY) >= 0) return 2;
            if (syscall(452, AT_FDCWD, "data", 0, 0) != 0) return 3;
            FILE *out = fopen("/dev/stdout", "w");
            return !out || fputs("x", out) < 0;
        }
    "#;
    let built = Built::new(source, &[]);
    let data = built.folder.path().join("data");
    fs::write(&data, "old text").unwrap();
    let rights = fs::metadata(&data).unwrap().permissions();
    assert_eq!(built.run(&[]), Ok(TraceEvent::Ended(RunEnd::Exited(0))));
    assert_eq!(fs::read_to_string(&data).unwrap(), "old text");
    assert_eq!(fs::metadata(&data).unwrap().permissions(), rights);
}

const SIGNALS: &str = r#"
    #include <signal.h>
    #include <stdlib.h>
    #include <sys/time.h>
    volatile int alarms, others;
    void on_alarm(int s) { alarms++; }
    void on_other(int s) { others++; }
    int twice(int n) { return n * 2; }
    void each(void) {}
    int main(int argc, char **argv) {
        signal(SIGALRM, on_alarm);
        signal(SIGRTMIN + 3, on_other);
        raise(SIGRTMIN + 3);
        struct itimerval often = {{0, 200}, {0, 200}};
        setitimer(ITIMER_REAL, &often, 0);
        for (int i = 0; i < 300; i++) { each(); while (!alarms) {} alarms = 0; }
        return others;
    }
"#;

#[test]
fn signals_without_a_name_and_those_of_timers_reach_the_program_and_stop_nothing_of_ours() {
    let built = Built::new(SIGNALS, &[]);
    let (output, printed) = (Output::new().unwrap(), Output::new().unwrap());
    let mut tracee = built.stopped_at("each", &[], &output);
    let (each, twice) = (built.symbol(&tracee, "each"), built.symbol(&tracee, "twice"));
    for _ in 1..300 {
        assert_eq!(tracee.go(None), Ok(TraceEvent::Breakpoint(each)));
        assert_eq!(tracee.call(twice, "twice", 4), Ok(8));
        drop(tracee.altered(&printed, &Alterations::default()).unwrap());
        tracee.step().unwrap();
        tracee.set_breakpoints(&[each]).unwrap();
    }
    assert_eq!(tracee.go(None), Ok(TraceEvent::Ended(RunEnd::Exited(1))));
}

#[test]
fn copies_do_not_share_memory_that_is_mapped_as_shared() {
    let source = r#"
        #include <sys/mman.h>
        int *counter;
        void count(void) { ++*counter; }
        int main(void) {
            counter = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            *counter = 5;
            count();
            return *counter;
        }
    "#;
    let built = Built::new(source, &[]);
    let (output, printed) = (Output::new().unwrap(), Output::new().unwrap());
    let mut tracee = built.stopped_at("count", &[], &output);
    for _ in 0..3 {
        let mut copy = tracee.altered(&printed, &Alterations::default()).unwrap();
        assert_eq!(copy.go(None), Ok(TraceEvent::Ended(RunEnd::Exited(6))));
    }
}

#[test]
fn a_named_pipe_is_refused_before_anybody_waits_for_the_other_end() {
    let source = r#"
        #include <fcntl.h>
        int main(void) { return open("pipe", O_RDONLY) < 0; }
    "#;
    let built = Built::new(source, &[]);
    let made = Command::new("mkfifo").arg(built.folder.path().join("pipe")).status().unwrap();
    assert!(made.success());
    assert_eq!(built.run(&[]), Err(Unsupported::Shared(Descriptor::Pipe).into()));
}

#[test]
fn a_run_that_only_waits_is_ended_long_before_it_has_worked_too_long() {
    let built = Built::new("#include <unistd.h>\nint main(void) { for (;;) pause(); }", &[]);
    let mut tracee = built.start(&[], &Output::new().unwrap());
    let watchdog = Watchdog::new();
    tracee.limit(&watchdog, Duration::from_millis(50)).unwrap();
    assert_eq!(tracee.go(None), Ok(TraceEvent::Ended(RunEnd::TimedOut)));
}

#[test]
fn a_process_can_be_copied_wherever_its_stack_ends_in_a_page() {
    let source = r#"
        int twice(int n) { return n * 2; }
        void deepest(void) {}
        void down(int n) { if (n) down(n - 1); else deepest(); }
        int main(void) { for (int n = 5000; n < 5150; n++) down(n); return 3; }
    "#;
    let built = Built::new(source, &[]);
    let (output, printed) = (Output::new().unwrap(), Output::new().unwrap());
    let mut tracee = built.stopped_at("deepest", &[], &output);
    let (deepest, twice) = (built.symbol(&tracee, "deepest"), built.symbol(&tracee, "twice"));
    for _ in 5001..5150 {
        tracee.altered(&printed, &Alterations::default()).unwrap();
        assert_eq!(tracee.call(twice, "twice", 4), Ok(8));
        tracee.step().unwrap();
        tracee.set_breakpoints(&[deepest]).unwrap();
        assert_eq!(tracee.go(None), Ok(TraceEvent::Breakpoint(deepest)));
    }
}

/// Prints everything that differs from run to run if it is real, sleeps for an hour, and sends itself a signal.
const CLOCKS: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static void end(void) { if (raise(SIGUSR1)) _exit(3); kill(getpid(), SIGTERM); }
int main(void) {
    struct timespec now[3];
    struct timeval day;
    signal(SIGUSR1, SIG_IGN);
    for (int i = 0; i < 3; i++) clock_gettime(i, &now[i]);
    gettimeofday(&day, NULL);
    for (int i = 0; i < 3; i++) printf("%ld.%09ld ", now[i].tv_sec, now[i].tv_nsec);
    printf("%ld.%06ld %ld %d %d\n", day.tv_sec, day.tv_usec, (long)clock(), getpid(), getppid());
    time_t before = time(NULL);
    sleep(3600);
    printf("%d\n", time(NULL) - before >= 3600);
    while (time(NULL) - before < 3610) usleep(10000);
    fflush(stdout);
    end();
    return 0;
}
"#;

#[test]
fn time_and_process_numbers_are_the_same_in_all_runs_and_copies() {
    if !howcome_testing::need_program("gcc") {
        return;
    }
    let built = Built::new(CLOCKS, &[]);
    let ends_by = |end: RunEnd| matches!(end, RunEnd::Killed(crash) if crash.signal == libc::SIGTERM);
    let mut printed = Vec::new();
    for _ in 0..2 {
        let output = Output::new().unwrap();
        let mut tracee = built.start(&[], &output);
        let Ok(TraceEvent::Ended(end)) = tracee.go(None) else { panic!() };
        assert!(ends_by(end));
        printed.push(output.printed().unwrap()[0].clone());
    }
    assert_eq!(String::from_utf8_lossy(&printed[0]), String::from_utf8_lossy(&printed[1]));
    assert!(printed[0].ends_with(b"\n1\n"));
    let (own, copied) = (Output::new().unwrap(), Output::new().unwrap());
    let mut tracee = built.stopped_at("end", &[], &own);
    let mut copy = tracee.altered(&copied, &Alterations::default()).unwrap();
    let Ok(TraceEvent::Ended(end)) = copy.go(None) else { panic!() };
    assert!(ends_by(end), "a copy sends itself signals too");
}
