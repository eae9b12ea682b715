# Altered runs in one session of gdb: run to the place, set a variable, run to the end, and start again.
# Prints how many runs it made and how long they took.
import gdb
import json
import time

RUNS = 30

gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set startup-with-shell off")
gdb.execute("break shell_sort")
# The first run reads symbols and libraries; it does not count.
gdb.execute("run", to_string=True)
gdb.execute("continue", to_string=True)
begun, worked = time.perf_counter(), time.process_time()
for turn in range(RUNS):
    gdb.execute("run", to_string=True)
    gdb.execute("set var size = 6", to_string=True)
    gdb.execute("continue", to_string=True)
print("FIGURES " + json.dumps([[RUNS, time.perf_counter() - begun, time.process_time() - worked]]))
