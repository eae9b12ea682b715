# Walks a state with gdb's Python: from the variables of all frames and the globals of the program along the pointers,
# each value once. A pointer to the start of a heap block leads to as many values as the block has room for. Prints for
# each of two walks how many values there were, and how much elapsed and processor time it took. The first walk reads
# only the pointers and keeps nothing; the second makes a graph of addresses, types, values and labelled edges.
import gdb
import json
import time

FLOAT = gdb.TYPE_CODE_FLT
SIMPLE = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM, FLOAT)


def heap():
    for line in open(f"/proc/{gdb.selected_inferior().pid}/maps"):
        if line.rstrip().endswith("[heap]"):
            start, end = line.split()[0].split("-")
            return int(start, 16), int(end, 16)
    return 0, 0


class Walk:
    def __init__(self, makes_graph):
        self.makes_graph = makes_graph
        self.seen = {}
        self.vertices = []
        self.edges = []
        self.count = 0
        self.inferior = gdb.selected_inferior()
        self.heap = heap()

    def from_all(self):
        for name, value in variables():
            self.walk(name, value)

    def add(self, place, kind, value, parent, label):
        number = self.count
        self.seen[place] = number
        self.count += 1
        if self.makes_graph:
            self.vertices.append((place[0], kind, value))
            self.edges.append((parent, label, number))
        return number

    def walk(self, name, value):
        queue = [(None, name, value)]
        while queue:
            parent, label, value = queue.pop()
            if value.address is None:
                continue
            kind = value.type.strip_typedefs()
            code = kind.code
            place = (int(value.address), kind.sizeof, code)
            known = self.seen.get(place)
            if known is not None:
                if self.makes_graph:
                    self.edges.append((parent, label, known))
                continue
            if code in SIMPLE:
                read = None
                if self.makes_graph:
                    read = float(value) if code == FLOAT else int(value)
                self.add(place, kind, read, parent, label)
            elif code == gdb.TYPE_CODE_STRUCT:
                number = self.add(place, kind, None, parent, label)
                for field in kind.fields():
                    if field.bitsize:
                        bits = (place[0], field.bitpos, field.bitsize)
                        self.add(bits, field.type, int(value[field]) if self.makes_graph else None, number, field.name)
                    else:
                        queue.append((number, field.name, value[field]))
            elif code == gdb.TYPE_CODE_ARRAY:
                if kind.target().sizeof == 1:
                    self.add(place, kind, value.string(errors="replace") if self.makes_graph else None, parent, label)
                else:
                    number = self.add(place, kind, None, parent, label)
                    low, high = kind.range()
                    for index in range(low, high + 1):
                        queue.append((number, index, value[index]))
            elif code == gdb.TYPE_CODE_PTR:
                to = int(value)
                number = self.add(place, kind, to, parent, label)
                self.follow(number, value, to, kind.target().strip_typedefs(), queue)

    def follow(self, number, value, to, target, queue):
        if to == 0 or target.sizeof == 0 or target.code == gdb.TYPE_CODE_FUNC:
            return
        if target.sizeof == 1:
            place = (to, 1, gdb.TYPE_CODE_ARRAY)
            if place not in self.seen:
                self.add(place, target, value.string(errors="replace") if self.makes_graph else None, number, "*")
            return
        room = 1
        if self.heap[0] <= to < self.heap[1]:
            chunk = int.from_bytes(self.inferior.read_memory(to - 8, 8).tobytes(), "little")
            room = max(1, ((chunk & ~7) - 8) // target.sizeof)
        if room == 1:
            queue.append((number, "*", value.dereference()))
        else:
            for index in range(room):
                queue.append((number, index, (value + index).dereference()))


def variables():
    frame = gdb.newest_frame()
    table = frame.find_sal().symtab
    while frame is not None:
        block = frame.block()
        while not block.is_global and not block.is_static:
            for symbol in block:
                if symbol.is_variable or symbol.is_argument:
                    yield symbol.name, symbol.value(frame)
            if block.function is not None:
                break
            block = block.superblock
        if frame.name() == "main":
            break
        frame = frame.older()
    for block in (table.global_block(), table.static_block()):
        for symbol in block:
            if symbol.is_variable:
                yield symbol.name, symbol.value()


gdb.execute("set pagination off")
gdb.execute("set startup-with-shell off")
gdb.execute("break look")
gdb.execute("run")
result = []
for makes_graph in (False, True):
    # gdb caches memory until the program runs.
    gdb.execute("maintenance flush dcache", to_string=True)
    begun, worked = time.perf_counter(), time.process_time()
    walk = Walk(makes_graph)
    walk.from_all()
    result.append([walk.count, time.perf_counter() - begun, time.process_time() - worked])
print("FIGURES " + json.dumps(result))
