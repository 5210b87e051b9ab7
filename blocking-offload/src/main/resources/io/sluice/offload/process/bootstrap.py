# Waits for one program on standard input, sets the limits that it gets, and becomes it.
# Arguments: CPU seconds, bytes of address space, processes (0: any number), bytes of a file.


def bootstrap():
    import builtins
    import os
    import resource
    import signal
    import sys

    cpu, memory, processes, file_size = map(int, sys.argv[1:])
    with open(0, "rb", closefd=False) as pipe:
        sizes = [int(size) for size in pipe.readline().split()]
        parts = [pipe.read(size) for size in sizes]
    if not sizes or [len(part) for part in parts] != sizes:
        os._exit(0)  # the gateway has no use for this interpreter any more
    source, data = parts

    # Its input is a file in memory: the gateway need not wait for a program that does not read it.
    file = os.memfd_create("input", 0)
    with open(file, "wb", closefd=False) as out:
        out.write(data)
    os.lseek(file, 0, os.SEEK_SET)
    os.dup2(file, 0)
    os.close(file)

    # The first process of a sandbox does nothing but wait: when it ends, the kernel ends all others first.
    if os.getpid() == 1:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # which the first process does not get, like all others
        program = os.fork()
        while program:
            ended, status = os.wait()
            if ended == program:
                code = os.waitstatus_to_exitcode(status)
                os._exit(code if code >= 0 else 128 - code)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def report(kind, error, trace):
        import linecache
        import traceback
        lines = source.decode(errors="replace").splitlines(True)
        linecache.cache["program.py"] = (len(source), None, lines, "program.py")
        traceback.print_exception(kind, error, trace.tb_next.tb_next)  # below these lines

    sys.excepthook = report
    sys.argv = ["program.py"]
    sys.stdout.reconfigure(line_buffering=True)  # what it has printed is there when it is killed
    main = sys.modules["__main__"].__dict__
    main.clear()
    main.update(__name__="__main__", __builtins__=builtins)

    # The event loops come first; and where memory gets scarce, this goes before the gateway.
    os.nice(10)
    try:
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")
    except OSError:
        pass

    def limit(what, soft, hard):
        most = resource.getrlimit(what)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(what, (soft, hard))

    limit(resource.RLIMIT_CPU, cpu, cpu + 1)  # SIGXCPU, and SIGKILL for whoever ignores that
    limit(resource.RLIMIT_AS, memory, memory)
    if processes:
        limit(resource.RLIMIT_NPROC, processes, processes)
    limit(resource.RLIMIT_FSIZE, file_size, file_size)
    limit(resource.RLIMIT_NOFILE, 64, 64)
    limit(resource.RLIMIT_CORE, 0, 0)

    os.write(1, b"\x06")  # tells the gateway that what comes now is the program's
    exec(compile(source, "program.py", "exec", dont_inherit=True), main)


bootstrap()
