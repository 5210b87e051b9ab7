package io.sluice.offload.process;

import java.time.Duration;

/**
 * How a program ended.
 *
 * @param exitCode the program's; 128 and the signal's number where a signal ended it
 * @param stdout as UTF-8; what is none has become U+FFFD
 * @param stderr the same of its standard error
 * @param timedOut whether it was ended because its wall time or its CPU time was over
 * @param truncated whether it wrote more than is here
 * @param duration from when it was handed over to its interpreter to when it had ended
 */
public record ProgramResult(int exitCode, String stdout, String stderr, boolean timedOut, boolean truncated,
                            Duration duration) {
}
