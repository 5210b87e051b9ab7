# Tries what a program must not be able to do. Writes one line for each: its name, and what was found.
# Standard input: a file of the host that nobody in here may see, and the number of processes.
import ctypes
import os
import resource
import signal
import socket

canary = input()
processes = int(input())


def status(key):
    with open("/proc/self/status") as lines:
        return next(line.split()[1] for line in lines if line.startswith(key))


def writable(folder):
    name = os.path.join(folder, "self-test")
    try:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
        os.unlink(name)
        return True
    except OSError:
        return False


def folders():
    yield "/"
    for name in sorted(os.listdir("/")):
        folder = "/" + name
        yield folder
        if name != "proc" and not os.path.islink(folder) and os.path.isdir(folder):
            yield from (entry.path for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))


def limits():
    names = ["CPU", "AS", "NPROC", "FSIZE", "NOFILE", "CORE"]
    return " ".join(str(resource.getrlimit(getattr(resource, "RLIMIT_" + name))[0]) for name in names)


def first_limits():
    """Whether the sandbox's first process, which is the same user, can do more than its program."""
    with open("/proc/1/limits") as first, open("/proc/self/limits") as own:
        return "the same" if first.read() == own.read() else "others"


def unbounded():
    """What takes memory of the kernel that no limit counts, and keys that the gateway may have."""
    libc = ctypes.CDLL(None)
    keyctl, memfd_create = {"x86_64": (250, 319), "aarch64": (219, 279)}[os.uname().machine]
    found = {"shared memory": libc.shmget(0, 4096, 0o1600), "messages": libc.msgget(0, 0o1600),
             "files in memory": libc.syscall(memfd_create, b"self-test", 0),
             "secret files in memory": libc.syscall(447, 0), "keys": libc.syscall(keyctl, 0, -3, 0)}
    return " ".join(name for name, id in found.items() if id != -1)


def precedence():
    """What it can take back of its rank behind the gateway; a session can have the processors for itself."""
    found = []
    for name in ["oom_score_adj", "autogroup"]:
        try:
            with open("/proc/self/" + name, "w") as file:
                file.write("0")
            found.append(name)
        except OSError:
            pass
    try:
        os.setsid()
        found.append("session")
    except OSError:
        pass
    return " ".join(found)


def forks():
    """Whether processes are bounded in fact; hundreds are not tried."""
    children = []
    try:
        while len(children) < min(processes, 256):
            child = os.fork()
            if not child:
                signal.pause()
            children.append(child)
        return "unbounded" if len(children) == processes else "bounded"
    except OSError:
        return "bounded"
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def strangers():
    """Processes that are neither the sandbox's first nor this one."""
    return " ".join(name for name in os.listdir("/proc") if name.isdigit() and name not in ("1", "2"))


def probe(name, find):
    try:
        found = find()
    except Exception as e:
        found = repr(e)
    print(name, found, sep="=")


probe("user", lambda: f"{os.getuid()}:{os.getgid()}")
probe("capabilities", lambda: (status("CapEff") + status("CapBnd")).strip("0"))
probe("new privileges", lambda: "" if status("NoNewPrivs") == "1" else "possible")
probe("network", lambda: " ".join(name for _, name in socket.if_nameindex()))
probe("visible files of the host", lambda: " ".join(
    name for name in [canary, "/etc/passwd", "/root", "/home", "/sys"] if os.path.exists(name)))
probe("writable folders", lambda: " ".join(folder for folder in folders() if writable(folder)))
probe("environment", lambda: " ".join(sorted(os.environ)))
probe("other processes", strangers)
probe("limits", limits)
probe("limits of the first process", first_limits)
probe("precedence", precedence)
probe("processes", forks)
probe("unbounded memory and keys", unbounded)
