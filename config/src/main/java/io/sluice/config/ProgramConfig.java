package io.sluice.config;

import io.sluice.config.type.ByteSize;
import java.time.Duration;

/**
 * How programs run that strangers send: each in an interpreter of its own, in a sandbox of its own, once.
 *
 * @param python the interpreter; with a sandbox it is looked for in there, which has of the host's folders
 *     {@code /usr} and what belongs to it
 * @param wallTime after which the program and all it has started are killed
 * @param cpuTime that the program, and each process that it starts, may compute; whole seconds, rounded up
 * @param memory the address space of one process
 * @param processes that may be there at once, threads included; without a sandbox they are not counted
 * @param fileSize the largest file; all files together may be four times that
 * @param output what is kept of its standard output, and as much of its standard error; the rest is cut off
 * @param warm interpreters that are started already and wait for a program
 */
public record ProgramConfig(
        String python,
        Sandbox sandbox,
        @Range(min = 10, max = Range.HOUR) Duration wallTime,
        @Range(min = 10, max = Range.HOUR) Duration cpuTime,
        @Range(min = 32 * Range.MIB, max = 64 * Range.GIB) ByteSize memory,
        @Range(min = 1, max = 10_000) int processes,
        @Range(max = Range.GIB) ByteSize fileSize,
        @Range(max = 16 * Range.MIB) ByteSize output,
        @Range(max = 100) int warm) {

    /** What keeps a program from the host: bubblewrap's namespaces, or nothing. */
    public enum Sandbox { BUBBLEWRAP, NONE }
}
