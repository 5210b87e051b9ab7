package io.sluice.config;

/**
 * Temporary disk space for answers that clients read too slowly: {@code sluice.offload.spill}.
 *
 * @param directory the JVM's temporary directory where it is empty
 * @param limit of all answers together; 0 for no such space
 */
public record SpillConfig(String directory, @Range(max = 1024 * Range.GIB) ByteSize limit) {
}
