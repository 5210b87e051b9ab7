package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import java.time.Duration;

/**
 * The execution of untrusted programs: each runs once, in an interpreter and a sandbox of its own.
 *
 * @param python the interpreter; in a sandbox it is searched inside, which has only {@code /usr} and what
 *     belongs to it of the host's directories
 * @param wallTime the time after which the program and all its child processes are killed
 * @param cpuTime the CPU time of each process; whole seconds, rounded up
 * @param memory the address space of each process
 * @param processes the number of concurrent processes, threads included; not limited without a sandbox
 * @param fileSize the largest file; all files together may have four times that
 * @param output the bytes kept of standard output, and of standard error; the rest is truncated
 * @param warm the number of interpreters that are started in advance
 */
public record ProgramConfig(
        String python,
        Sandbox sandbox,
        @Range(min = 10, max = Range.HOUR) Duration wallTime,
        @Range(min = 10, max = Range.HOUR) Duration cpuTime,
        @Range(min = 32 * Range.MIB, max = 64 * Range.GIB) ByteSize memory,
        @Range(min = 1, max = 10_000) int processes,
        @Range(max = Range.GIB) ByteSize fileSize,
        @Range(max = Range.MIB) ByteSize output,
        @Range(max = 100) int warm) {

    /** The isolation of a program from the host: bubblewrap's namespaces, or none. */
    public enum Sandbox { BUBBLEWRAP, NONE }
}
