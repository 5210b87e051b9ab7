package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Reads a large answer, and compares it byte by byte with the expected one. Holds no more than a piece of it.
 */
final class LargeResponse {
    private final InputStream in;
    private final int rows;
    private final IntUnaryOperator width;
    private byte[] row = new byte[0];
    private int rowsDone = -1;
    private int at;
    private long bytes;

    /**
     * Reads an answer in chunks, from its head on. It has so many rows, whose data are so many characters
     * wide.
     */
    LargeResponse(InputStream in, int rows, int width) {
        this(in, rows, _ -> width);
    }

    /** Reads an answer whose rows have different widths, each by the row's number from 1. */
    LargeResponse(InputStream in, int rows, IntUnaryOperator width) {
        this.in = in;
        this.rows = rows;
        this.width = width;
    }

    /** Reads the next chunk; returns false at the regular end. Fails if a byte is wrong. */
    boolean readChunk() throws IOException {
        int size = Integer.parseInt(line(), 16);
        compare(in.readNBytes(size), size);
        if (size == 0) {
            assertThat(readHead()).as("the trailers").isEqualTo("truncated: false\n");
            return false;
        }
        assertThat(line()).as("what follows a chunk").isEmpty();
        return true;
    }

    private void compare(byte[] chunk, int size) throws IOException {
        if (chunk.length < size) {
            throw new EOFException("the connection ended in a chunk");
        }
        for (int from = 0; from < size; ) {
            if (at == row.length) {
                row = nextRow();
                at = 0;
            }
            int length = Math.min(size - from, row.length - at);
            if (!Arrays.equals(chunk, from, from + length, row, at, at + length)) {
                throw new AssertionError("wrong around byte " + (bytes + from) + ", in row " + rowsDone);
            }
            from += length;
            at += length;
        }
        bytes += size;
    }

    private byte[] nextRow() {
        rowsDone++;
        if (rowsDone >= rows) {
            assertThat(rowsDone).as("rows, the closing bracket behind them").isEqualTo(rows);
            return "]".getBytes(StandardCharsets.US_ASCII);
        }
        return ((rowsDone == 0 ? "[" : ",") + "{\"id\":" + (rowsDone + 1) + ",\"data\":\""
                + "x".repeat(width.applyAsInt(rowsDone + 1)) + "\"}").getBytes(StandardCharsets.US_ASCII);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended after: " + line);
            }
            line.append((char) b);
        }
        return line.toString().stripTrailing();
    }

    /** Reads a head up to its empty line. */
    String readHead() throws IOException {
        var head = new StringBuilder();
        for (String line = line(); !line.isEmpty(); line = line()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    /** Returns the number of bytes of the body so far. */
    long bytes() {
        return bytes;
    }

    /** Returns whether all rows and the end of the array have arrived. */
    boolean isWhole() {
        return rowsDone == rows && at == row.length;
    }
}
