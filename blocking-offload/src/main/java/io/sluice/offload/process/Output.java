package io.sluice.offload.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The output of a process, of which the beginning is kept. Reads never block, so a process that keeps the
 * pipe open cannot hold a worker. Not thread-safe.
 */
final class Output {
    /** A process that writes so many times the limit is killed, as it will not stop by itself. */
    private static final int FLOOD = 16;

    private final InputStream in;
    private final int limit;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[16 * 1024];
    private long total;
    private byte first;
    private byte last;

    Output(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    /**
     * Reads the available bytes; once there is a flood, some of them. Does not block, and makes room for a
     * process that waits to write.
     */
    void drain() throws IOException {
        int available = in.available();
        while (available > 0) {
            int read = in.read(buffer, 0, Math.min(available, buffer.length));
            if (read < 0) {
                return;
            }
            kept.write(buffer, 0, Math.min(read, limit - kept.size()));
            first = total == 0 ? buffer[0] : first;
            total += read;
            last = buffer[read - 1];
            available = isFlood() ? 0 : in.available();
        }
    }

    /** Returns whether there is output, and it begins with this byte. */
    boolean startsWith(byte start) {
        return total > 0 && first == start;
    }

    /** Removes the last byte if it is this one, and returns whether it is. To be called when all is read. */
    boolean removeEnd(byte end) {
        boolean removed = total > 0 && last == end;
        total -= removed ? 1 : 0;
        return removed;
    }

    boolean isTruncated() {
        return total > limit;
    }

    /** Returns whether there was so much output that its process has to be killed. */
    boolean isFlood() {
        return total > (long) FLOOD * Math.max(limit, buffer.length);
    }

    /** Returns the kept output as UTF-8, without its first bytes. */
    String text(int skipped) {
        int length = (int) Math.min(total, kept.size());
        return new String(kept.toByteArray(), skipped, length - skipped, StandardCharsets.UTF_8);
    }
}
