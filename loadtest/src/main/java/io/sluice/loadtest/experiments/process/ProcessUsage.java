package io.sluice.loadtest.experiments.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The resources that a process and its children use, as the kernel counts them. Children are the worker
 * processes of some servers.
 *
 * @param root the process
 */
public record ProcessUsage(ProcessHandle root) {

    private static final long KIB = 1_024;

    private Stream<ProcessHandle> all() {
        return Stream.concat(Stream.of(root), root.children());
    }

    /** The CPU time of all threads so far; empty if a process has ended. */
    public Optional<Duration> processorTime() {
        return all().map(process -> process.info().totalCpuDuration())
                .reduce((one, other) -> one.flatMap(time -> other.map(time::plus)))
                .orElseThrow();
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
