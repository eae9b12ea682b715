# Runs a test under gdb with all that it starts, and tells where the processes were when the signal came.
# What goes before it: LOG is where it tells this, SIGNAL is what it waits for.
import gdb

log = open(LOG, "w", encoding="utf-8", errors="replace")


def tell(line):
    log.write(line + "\n")
    log.flush()


def do(line):
    try:
        gdb.execute(line, to_string=True)
        return True
    except gdb.error:
        return False


def stopped(event):
    if not isinstance(event, gdb.SignalEvent):
        return
    do("sharedlibrary")
    tell("crash %d" % gdb.selected_inferior().pid)
    try:
        frame, left = gdb.newest_frame(), 60
        while frame is not None and left > 0:
            tell("frame " + (frame.name() or "??"))
            frame, left = frame.older(), left - 1
    except gdb.error:
        pass


def exited(event):
    # A process that a signal has ended has no code.
    if hasattr(event, "exit_code"):
        tell("exit %d" % event.inferior.pid)


def go_on():
    selected = gdb.selected_inferior()
    for inferior in gdb.inferiors():
        if not inferior.pid and inferior != selected:
            do("remove-inferiors %d" % inferior.num)
    if selected.pid and do("continue"):
        return True
    living = [inferior.num for inferior in gdb.inferiors() if inferior.pid]
    return any(do("inferior %d" % number) and do("continue") for number in living)


for line in (
    "set pagination off",
    "set confirm off",
    "set debuginfod enabled off",
    "set disable-randomization off",
    # Most processes never crash, and need no symbols of their libraries.
    "set auto-solib-add off",
    "set detach-on-fork off",
    "set schedule-multiple on",
    "handle all nostop noprint pass",
    "handle %s stop print pass" % SIGNAL,
):
    do(line)
gdb.events.stop.connect(stopped)
gdb.events.exited.connect(exited)
on = do("run")
while on:
    on = go_on()
tell("end")
