package io.sluice.offload.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a process writes, of which the beginning is kept. Never waits for more: whoever holds the other end
 * open cannot hold a worker. Not safe for threads.
 */
final class Output {
    /** Somebody who writes so many times what is kept will not stop by himself. */
    private static final int FLOOD = 16;

    private final InputStream in;
    private final int limit;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[16 * 1024];
    private long total;

    Output(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    /** Takes what is there. */
    void drain() throws IOException {
        int available;
        while ((available = in.available()) > 0 && !isFlood()) {
            int read = in.read(buffer, 0, Math.min(available, buffer.length));
            if (read < 0) {
                return;
            }
            kept.write(buffer, 0, Math.min(read, limit - kept.size()));
            total += read;
        }
    }

    boolean isEmpty() {
        return total == 0;
    }

    boolean isTruncated() {
        return total > limit;
    }

    /** Whether so much came that no more is taken. */
    boolean isFlood() {
        return total > (long) FLOOD * Math.max(limit, buffer.length);
    }

    /** What was kept, but for its first bytes. */
    String text(int skipped) {
        byte[] bytes = kept.toByteArray();
        return new String(bytes, skipped, bytes.length - skipped, StandardCharsets.UTF_8);
    }
}
