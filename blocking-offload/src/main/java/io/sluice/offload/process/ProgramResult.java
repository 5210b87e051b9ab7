package io.sluice.offload.process;

import java.time.Duration;

/**
 * The result of a program.
 *
 * @param exitCode the program's; 128 + n if signal n ended it
 * @param stdout its standard output as UTF-8; invalid bytes are replaced with U+FFFD
 * @param stderr its standard error, likewise
 * @param timedOut whether it was killed because its wall time or its CPU time was over
 * @param truncated whether it wrote more than was kept
 * @param duration the time from the transfer to its interpreter until its end
 */
public record ProgramResult(int exitCode, String stdout, String stderr, boolean timedOut, boolean truncated,
                            Duration duration) {
}
