package io.sluice.offload.process;

/**
 * A program to run. Its arrays are not copied and must not be changed.
 *
 * @param code Python source
 * @param input its standard input
 */
public record Program(byte[] code, byte[] input) {
}
