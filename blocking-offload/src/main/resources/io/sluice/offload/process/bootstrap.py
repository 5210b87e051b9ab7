# Waits for one program on standard input, sets the limits that it gets, and becomes it.
# Arguments: CPU seconds, bytes of address space, processes (0: any number), bytes of a file.


def deny_unbounded(ctypes):
    """Denies memory that no limit counts, the keys of the gateway's session, and other sessions."""
    import os
    import struct

    # shmget, semget, msgget, mq_open, memfd_create, memfd_secret, add_key, request_key, keyctl, setsid
    architecture, numbers = {
        "x86_64": (0xC000003E, [29, 64, 68, 240, 319, 447, 248, 249, 250, 112]),
        "aarch64": (0xC00000B7, [194, 190, 186, 180, 279, 447, 217, 218, 219, 157]),
    }[os.uname().machine]
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    kill, allow, not_permitted = 0x80000000, 0x7FFF0000, 0x00050001
    count = len(numbers)
    steps = [(load, 0, 0, 4), (equal, 1, 0, architecture), (answer, 0, 0, kill), (load, 0, 0, 0),
             (at_least, count + 1, 0, 0x40000000)]  # x32, which has numbers of its own
    steps += [(equal, count - i, 0, number) for i, number in enumerate(numbers)]
    steps += [(answer, 0, 0, allow), (answer, 0, 0, not_permitted)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HL", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(22, 2, program, 0, 0):
        raise OSError(ctypes.get_errno(), "no filter for system calls")


def attend(program, cpu):
    """Waits for the program, ends all that it has left, tells the gateway that, and returns its exit code."""
    import os
    import signal

    ended = 0
    while ended != program:
        ended, status, usage = os.wait3(0)
    try:
        while True:
            kill_children()
            os.wait()
    except ChildProcessError:
        pass
    code = os.waitstatus_to_exitcode(status)
    used = usage.ru_utime + usage.ru_stime
    too_long = code == -signal.SIGXCPU or code == -signal.SIGKILL and used >= cpu
    try:
        os.write(1, b"\x18" if too_long else b"\x04")
    except OSError:
        pass
    return code if code >= 0 else 128 - code


def kill_children():
    """Kills the children of the first process, which gets all that lose their parents; in a sandbox, all."""
    import os
    import signal

    for name in ["-1"] if os.getpid() == 1 else filter(str.isdigit, os.listdir("/proc")):
        try:
            if name == "-1" or parent_of(name) == os.getpid():
                os.kill(int(name), signal.SIGKILL)
        except OSError:
            pass  # it has ended


def parent_of(process):
    with open("/proc/" + process + "/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[1])


def bootstrap():
    import builtins
    import ctypes  # now, as long as nobody waits; the program may find it loaded
    import os
    import resource
    import signal
    import sys

    if os.getpid() == 1:
        os.setpgid(0, 0)  # signals to its group must not reach bubblewrap
    first = os.getpid()
    libc = ctypes.CDLL(None)
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
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

    # For the first process of a sandbox too: the program, which is the same user, can make that do its work.
    os.nice(10)  # the event loops come first

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
    if os.getpid() == 1:
        deny_unbounded(ctypes)

    # The first process does nothing but wait. When that of a sandbox ends, the kernel ends all others first.
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which that of a sandbox does not get, like all others
    program = os.fork()
    if program:
        os._exit(attend(program, cpu))
    libc.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG, for when the first process is killed
    if os.getppid() != first:
        os._exit(0)
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

    os.write(1, b"\x06")  # tells the gateway that what comes now is the program's
    exec(compile(source, "program.py", "exec", dont_inherit=True), main)


bootstrap()
