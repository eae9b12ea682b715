# A second reader of states, on gdb: walks from the variables along the pointers, and says what it saw, a line for each
# value: bit address, bits, kind, value, target. Then it evaluates expressions that it is given, in the innermost frame.
import gdb
import json
import os

SOURCE = os.environ["WALK_SOURCE"]
EXPRESSIONS = os.environ["WALK_EXPRESSIONS"]
OUTPUT = os.environ["WALK_OUTPUT"]

# Pointers of containers to behind what they hold.
ENDS = ("_M_finish", "_M_end_of_storage", "_M_first", "_M_last", "_M_cur", "_M_node")
NUMBERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM)
seen = set()
lines = []


def plain(kind):
    return kind.strip_typedefs().unqualified().strip_typedefs()


def is_character(kind):
    kind = plain(kind)
    return kind.sizeof == 1 and kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR) and "char" in str(kind)


def text_at(address, most):
    memory = gdb.selected_inferior().read_memory(address, most).tobytes()
    return memory.split(b"\0")[0]


def note(bits, count, kind, value, target=None):
    lines.append(json.dumps([bits, count, kind, value, target]))


def number(value, kind):
    if kind.code == gdb.TYPE_CODE_ENUM:
        for field in kind.fields():
            if field.enumval == int(value):
                return field.name.split("::")[-1]
    return str(int(value))


def walk(value):
    queue = [value]
    while queue:
        value = queue.pop(0)
        kind = plain(value.type)
        if value.address is None:
            continue
        at = int(value.address)
        if (at, str(kind)) in seen:
            continue
        seen.add((at, str(kind)))
        try:
            look(value, kind, at, queue)
        except gdb.error:
            pass


def look(value, kind, at, queue):
    if kind.sizeof == 0:
        return
    if kind.code in NUMBERS:
        is_letter = is_character(kind) or kind.code == gdb.TYPE_CODE_CHAR
        name = "character" if is_letter else "number"
        note(at * 8, kind.sizeof * 8, name, number(value, kind))
    elif kind.code == gdb.TYPE_CODE_FLT:
        note(at * 8, kind.sizeof * 8, "float", repr(float(value)))
    elif kind.code == gdb.TYPE_CODE_STRUCT:
        if kind.name in ("_IO_FILE", "FILE"):
            return
        for field in kind.fields():
            is_discriminant = field.artificial and not (field.name or "").startswith("_vptr")
            if not hasattr(field, "bitpos") or is_discriminant:
                continue
            if field.bitsize:
                note(at * 8 + field.bitpos, field.bitsize, "number", number(value[field], plain(field.type)))
            elif field.name in ENDS and plain(field.type).code == gdb.TYPE_CODE_PTR:
                note(at * 8 + field.bitpos, 64, "pointer", str(int(value[field])))
            else:
                queue.append(value[field])
    elif kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        if is_character(kind.target()):
            note(at * 8, 0, "text", text_at(at, kind.sizeof).decode("latin-1"))
        else:
            for index in range(low, min(high, low + 2000) + 1):
                queue.append(value[index])
    elif kind.code == gdb.TYPE_CODE_PTR:
        look_behind(value, kind, at, queue)
    elif kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        queue.append(value.referenced_value())


def look_behind(value, kind, at, queue):
    to = int(value)
    target = plain(kind.target())
    if target.code == gdb.TYPE_CODE_STRUCT and to and not value.is_optimized_out:
        try:
            value = value.cast(value.dynamic_type)
            to_whole, target = int(value), plain(value.type.target() if value.type.code == gdb.TYPE_CODE_PTR else target)
        except gdb.error:
            to_whole = to
    else:
        to_whole = to
    followed = (
        to != 0
        and not is_character(target)
        and target.sizeof > 0
        # Containers of Rust keep anything behind pointers to bytes.
        and str(target) != "u8"
        and target.code in NUMBERS + (gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY)
    )
    if followed:
        try:
            gdb.selected_inferior().read_memory(to_whole, 1)
        except gdb.MemoryError:
            followed = False
    note(at * 8, 64, "pointer", str(to), to_whole if followed else None)
    if followed:
        queue.append(value.dereference())
    elif to and is_character(target):
        note(to * 8, 0, "pointed text", text_at(to, 64).decode("latin-1"))


def variables():
    frame = gdb.newest_frame()
    blocks = []
    while frame is not None:
        table = frame.find_sal().symtab
        if table is not None and table.filename.endswith(SOURCE):
            frame.select()
            block = frame.block()
            while block is not None and not block.is_global and not block.is_static:
                for symbol in block:
                    if symbol.is_variable or symbol.is_argument:
                        yield symbol.value(frame)
                if block.function is not None:
                    break
                block = block.superblock
            blocks = [table.global_block(), table.static_block()]
        frame = frame.older()
    for block in blocks:
        for symbol in block:
            # Tables of virtual functions are not variables of the source.
            if symbol.is_variable and "{vtable" not in symbol.name:
                try:
                    yield symbol.value()
                except gdb.error:
                    pass


for variable in list(variables()):
    if not variable.is_optimized_out:
        walk(variable)

gdb.newest_frame().select()
checked = []
with open(EXPRESSIONS) as given:
    for expression in given.read().splitlines():
        try:
            value = gdb.parse_and_eval(expression)
            checked.append([expression, int(value.address) if value.address is not None else None])
        except (gdb.error, RuntimeError) as error:
            checked.append([expression, str(error)])

with open(OUTPUT, "w") as output:
    output.write(json.dumps({"values": [json.loads(line) for line in lines], "expressions": checked}))
