# Writes down which lines of the version a program executes. Nothing of this may disturb the program.
def howcome_measures():
    import atexit, os, sys, threading
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(here) + os.sep
    target = os.environ["HOWCOME_LINES"]
    executed = {}

    def is_wanted(code):
        return code.co_filename.startswith(root) and not code.co_filename.startswith(here)

    def lines_with_code(code):
        import dis
        lines = set(line for _, line in dis.findlinestarts(code) if line)
        for inner in code.co_consts:
            if hasattr(inner, "co_code"):
                lines |= lines_with_code(inner)
        return lines

    def write():
        with open("%s.%d" % (target, os.getpid()), "w") as report:
            for name, lines in list(executed.items()):
                try:
                    with open(name, "rb") as source:
                        known = lines_with_code(compile(source.read(), name, "exec"))
                except Exception:
                    continue
                report.write("SF:%s\n" % name)
                for line in sorted(known | lines):
                    report.write("DA:%d,%d\n" % (line, line in lines))
                report.write("end_of_record\n")

    def quietly():
        try:
            write()
        except Exception:
            pass

    atexit.register(quietly)
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is not None and monitoring.get_tool(monitoring.COVERAGE_ID) is None:
        def on_line(code, line):
            if is_wanted(code):
                executed.setdefault(code.co_filename, set()).add(line)
            return monitoring.DISABLE

        monitoring.use_tool_id(monitoring.COVERAGE_ID, "howcome")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, on_line)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)
        return

    def trace(frame, event, _):
        if not is_wanted(frame.f_code):
            return None
        executed.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return trace

    threading.settrace(trace)
    sys.settrace(trace)


def howcome_goes_on():
    # Another module of this name would have been run instead.
    import importlib.machinery, importlib.util, os, sys
    here = os.path.dirname(os.path.abspath(__file__))
    path = [folder for folder in sys.path if os.path.abspath(folder) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


for howcome_step in (howcome_goes_on, howcome_measures):
    try:
        howcome_step()
    except Exception:
        pass
