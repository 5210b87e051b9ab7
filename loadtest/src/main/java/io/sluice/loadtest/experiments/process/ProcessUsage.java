package io.sluice.loadtest.experiments.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources that a process and its children use, as the kernel counts them. Children are the worker
 * processes of some servers.
 *
 * @param root the process
 */
public record ProcessUsage(ProcessHandle root) {

    /** The user and system time of a compiler's thread, the fields 14 and 15 of its {@code stat}. */
    private static final Pattern COMPILER =
            Pattern.compile("^\\d+ \\(C[12] CompilerThre\\w*\\)(?: \\S+){11} (\\d+) (\\d+) ");
    private static final long KIB = 1_024;
    /** The unit of CPU times in {@code /proc} (USER_HZ), the same on all architectures of today. */
    private static final Duration TICK = Duration.ofMillis(10);

    private Stream<ProcessHandle> all() {
        return Stream.concat(Stream.of(root), root.children());
    }

    /** The CPU time of all threads so far; empty if a process has ended. */
    public Optional<Duration> processorTime() {
        return all().map(process -> process.info().totalCpuDuration())
                .reduce((one, other) -> one.flatMap(time -> other.map(time::plus)))
                .orElseThrow();
    }

    /**
     * The CPU time of the threads that compile in a JVM, as long as they live; 0 for another process. They
     * end when they are idle.
     */
    public Duration compilerTime() throws IOException {
        long ticks = 0;
        try (var threads = Files.list(proc(root.pid(), "task"))) {
            for (var thread : threads.toList()) {
                ticks += compilerTicks(thread.resolve("stat"));
            }
        }
        return TICK.multipliedBy(ticks);
    }

    private static long compilerTicks(Path stat) throws IOException {
        String line;
        try {
            line = Files.readString(stat);
        } catch (NoSuchFileException _) { // the thread has ended
            return 0;
        }
        var matcher = COMPILER.matcher(line);
        return matcher.find() ? Long.parseLong(matcher.group(1)) + Long.parseLong(matcher.group(2)) : 0;
    }

    /** The memory in bytes (RSS). */
    public long residentBytes() throws IOException {
        long bytes = 0;
        for (var process : all().toList()) {
            bytes += status(process.pid(), "VmRSS:") * KIB;
        }
        return bytes;
    }

    /** The open descriptors. */
    public long openDescriptors() throws IOException {
        long count = 0;
        for (var process : all().toList()) {
            try (var descriptors = Files.list(proc(process.pid(), "fd"))) {
                count += descriptors.count();
            }
        }
        return count;
    }

    /** The most that {@link #residentBytes} has been since {@link #forgetPeak}, without children. */
    public long peakResidentBytes() throws IOException {
        return status(root.pid(), "VmHWM:") * KIB;
    }

    /** Resets {@link #peakResidentBytes}. */
    public void forgetPeak() throws IOException {
        Files.writeString(proc(root.pid(), "clear_refs"), "5");
    }

    /** The threads, without those of children. */
    public long threads() throws IOException {
        return status(root.pid(), "Threads:");
    }

    private static long status(long pid, String what) throws IOException {
        var status = proc(pid, "status");
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(what))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow(() -> new IOException("%s: no %s".formatted(status, what)));
        }
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc/%d/%s".formatted(pid, file));
    }
}
