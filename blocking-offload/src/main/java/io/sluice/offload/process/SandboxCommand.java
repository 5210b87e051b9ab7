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
 * The command that starts an interpreter in its sandbox.
 *
 * <p>Bubblewrap gives it namespaces of its own and nothing to write to but {@code /tmp}. The interpreter sets
 * its resource limits by itself, in {@code bootstrap.py}, before the program runs. The program comes on
 * standard input: there is no file of it on the host, and no argument that would be too long.
 */
final class SandboxCommand {
    static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
    static final String NOBODY = "65534";
    /** Files of the largest size that {@code /tmp} holds. */
    private static final int FILES = 4;
    /** Where a host's folders of programs and libraries are, or links to them. */
    private static final List<String> SYSTEM =
            List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");

    private SandboxCommand() {
    }

    static List<String> of(ProgramConfig config) {
        var command = new ArrayList<String>();
        if (config.sandbox() == Sandbox.BUBBLEWRAP) {
            // Ctrl-C is for all in the gateway's session: it is to drain, and its programs are to end.
            add(command, "setsid");
            if (isRoot()) {
                // The limit of processes does not hold for root, whatever a namespace calls it.
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
        // Without further user namespaces it cannot mount anything, nor reach most of the kernel's holes.
        add(command, "--unshare-cgroup-try --disable-userns --new-session --die-with-parent --as-pid-1");
        add(command, "--uid " + NOBODY + " --gid " + NOBODY + " --cap-drop ALL --hostname sandbox");
        add(command, "--clearenv --setenv PATH " + PATH);
        add(command, "--setenv LANG C.UTF-8 --setenv HOME /tmp");
        // Else every thread takes 64 MiB of the address space for an arena of its own.
        add(command, "--setenv MALLOC_ARENA_MAX 1");
        add(command, "--ro-bind /usr /usr");
        SYSTEM.forEach(folder -> bindSystem(command, Path.of(folder)));
        add(command, "--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache");
        add(command, "--ro-bind-try /etc/alternatives /etc/alternatives");
        add(command, "--proc /proc --dev /dev");
        long size = FILES * Math.max(1, config.fileSize().bytes());
        add(command, "--perms 1777 --size " + size + " --tmpfs /tmp");
        // Both are in memory, without a bound.
        add(command, "--remount-ro /dev --remount-ro / --chdir /tmp --");
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

    /** Nothing of the gateway's: what a sandbox is started with can be read in it. */
    static Map<String, String> environment(ProgramConfig config) {
        return config.sandbox() == Sandbox.BUBBLEWRAP ? Map.of("PATH", PATH)
                : Map.of("PATH", System.getenv().getOrDefault("PATH", PATH), "LANG", "C.UTF-8",
                        "HOME", TEMPORARY.toString());
    }

    static long cpuSeconds(ProgramConfig config) {
        return Math.ceilDiv(config.cpuTime().toMillis(), 1000);
    }

    /**
     * For RLIMIT_NPROC, which counts what a user has in its namespace, so the sandbox's first process too.
     * On the host itself it would count whatever else the user runs: 0 is for no limit.
     */
    static int processLimit(ProgramConfig config) {
        return config.sandbox() == Sandbox.BUBBLEWRAP ? config.processes() + 1 : 0;
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException e) {
            return false; // no Linux: bubblewrap is not there either, and will be missed
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
