package io.sluice.offload.process;

import io.sluice.config.ProgramConfig;
import io.sluice.config.ProgramConfig.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Builds the command that starts an interpreter in its sandbox.
 *
 * <p>Bubblewrap gives the interpreter its own namespaces, in which only {@code /tmp} is writable. The
 * interpreter sets its resource limits by itself, in {@code bootstrap.py}, before the program runs. The
 * program is passed on standard input: so it needs no file on the host, and no argument whose length is
 * limited.
 */
final class SandboxCommand {
    static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
    static final String NOBODY = "65534";
    /** The size of {@code /tmp}, in files of the largest size. */
    private static final int FILES = 4;
    /** The host's directories of programs and libraries, which may be links. */
    private static final List<String> SYSTEM =
            List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");

    /**
     * A shell script that makes itself the first victim when memory gets scarce, lowers the priority of its
     * session, and then becomes the command in its arguments. The priority is that of the session, since
     * with autogroup the kernel compares sessions, not processes. A value above 5 would hardly let programs
     * start beside a busy session. The kernel accepts only ten new priorities a second; a failure is ignored.
     * A program in a sandbox cannot change either value.
     */
    private static final String EXEC_AS_FIRST_VICTIM =
            "{ echo 1000 >/proc/self/oom_score_adj; echo 5 >/proc/self/autogroup; } 2>/dev/null; "
                    + "exec \"$@\"";

    private SandboxCommand() {
    }

    static List<String> of(ProgramConfig config) {
        var command = new ArrayList<String>();
        // Ctrl-C signals all processes of a session: the gateway drains, and its programs must not be killed.
        command.addAll(List.of("setsid", "sh", "-c", EXEC_AS_FIRST_VICTIM, "sh"));
        if (config.sandbox() == Sandbox.BUBBLEWRAP) {
            if (isRoot()) {
                // RLIMIT_NPROC does not apply to root, regardless of the user id in a namespace.
                add(command, "setpriv --reuid " + NOBODY + " --regid " + NOBODY + " --clear-groups --");
            }
            bubblewrap(command, config);
        }
        command.add(config.python());
        add(command, "-I -B -X utf8 -c");
        command.add(resource("bootstrap.py"));
        command.add(Long.toString(cpuSeconds(config)));
        command.add(Long.toString(config.memory().bytes()));
        command.add(Integer.toString(processLimit(config)));
        command.add(Long.toString(config.fileSize().bytes()));
        return List.copyOf(command);
    }

    private static void bubblewrap(List<String> command, ProgramConfig config) {
        add(command, "bwrap --unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts");
        // Without further user namespaces it cannot mount, nor reach much of the kernel's attack surface.
        add(command, "--unshare-cgroup-try --disable-userns --die-with-parent --as-pid-1");
        add(command, "--uid " + NOBODY + " --gid " + NOBODY + " --cap-drop ALL --hostname sandbox");
        add(command, "--clearenv --setenv PATH " + PATH);
        add(command, "--setenv LANG C.UTF-8 --setenv HOME /tmp");
        // Otherwise every thread reserves an arena of 64 MiB of the address space.
        add(command, "--setenv MALLOC_ARENA_MAX 1");
        add(command, "--ro-bind /usr /usr");
        SYSTEM.forEach(folder -> bindSystem(command, Path.of(folder)));
        add(command, "--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache");
        add(command, "--ro-bind-try /etc/alternatives /etc/alternatives");
        add(command, "--proc /proc --dev /dev");
        long size = FILES * Math.max(1, config.fileSize().bytes());
        add(command, "--perms 1777 --size " + size + " --tmpfs /tmp");
        // Files in the first and the last are in memory, without a limit.
        add(command, "--remount-ro /dev --remount-ro /proc --remount-ro / --chdir /tmp --");
    }

    private static void bindSystem(List<String> command, Path folder) {
        if (Files.isSymbolicLink(folder)) {
            try {
                command.addAll(List.of("--symlink", Files.readSymbolicLink(folder).toString(),
                        folder.toString()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else if (Files.isDirectory(folder)) {
            command.addAll(List.of("--ro-bind", folder.toString(), folder.toString()));
        }
    }

    private static void add(List<String> command, String words) {
        command.addAll(List.of(words.split(" ")));
    }

    /** Contains nothing of the gateway's environment, as a sandbox can read what it is started with. */
    static Map<String, String> environment(ProgramConfig config) {
        return config.sandbox() == Sandbox.BUBBLEWRAP ? Map.of("PATH", PATH)
                : Map.of("PATH", System.getenv().getOrDefault("PATH", PATH), "LANG", "C.UTF-8",
                        "HOME", TEMPORARY.toString());
    }

    static long cpuSeconds(ProgramConfig config) {
        return Math.ceilDiv(config.cpuTime().toMillis(), 1000);
    }

    /**
     * Returns the value of RLIMIT_NPROC, or 0 for no limit. It counts the processes of a user in its
     * namespace, so the sandbox's first one, too. Without a sandbox it would count all other processes of the
     * user.
     */
    static int processLimit(ProgramConfig config) {
        return config.sandbox() == Sandbox.BUBBLEWRAP ? config.processes() + 1 : 0;
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException e) {
            return false; // not Linux: the self-test reports that bubblewrap is missing
        }
    }

    static String resource(String name) {
        try (InputStream in = SandboxCommand.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
