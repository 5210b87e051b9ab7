package io.sluice.config.type;


/**
 * An amount of bytes. In HOCON a number with or without a unit: {@code 512}, {@code 8KiB},
 * {@code 1MiB}.
 */
public record ByteSize(long bytes) {

    /**
     * Returns the bytes as an {@code int}, for APIs that take one.
     *
     * @throws ArithmeticException from 2 GiB on
     */
    public int intBytes() {
        return Math.toIntExact(bytes);
    }

    @Override
    public String toString() {
        return bytes >= 1L << 30 && bytes % (1L << 30) == 0 ? (bytes >> 30) + "GiB"
                : bytes >= 1L << 20 && bytes % (1L << 20) == 0 ? (bytes >> 20) + "MiB"
                : bytes >= 1L << 10 && bytes % (1L << 10) == 0 ? (bytes >> 10) + "KiB"
                : bytes + "B";
    }
}
