package io.sluice.offload.process;

/**
 * A program to be run; its arrays are not to be changed any more.
 *
 * @param code Python
 * @param input its standard input
 */
public record Program(byte[] code, byte[] input) {
}
