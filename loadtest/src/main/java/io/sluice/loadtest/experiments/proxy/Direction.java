package io.sluice.loadtest.experiments.proxy;

import io.sluice.loadtest.experiments.server.OriginServer;
import io.sluice.loadtest.experiments.wire.HttpAnswer;
import io.sluice.loadtest.experiments.wire.Traffic;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The direction of a large body, which is sent or received in pieces. */
enum Direction {
    DOWNLOADS {
        @Override
        void transfer(Wire wire, long size) throws IOException {
            wire.send("GET %s%d HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(OriginServer.BYTES, size));
            var status = wire.line();
            if (!status.equals("HTTP/1.1 200 OK")) {
                throw new IOException("%s (expected: 200)".formatted(status));
            }
            while (!wire.line().isEmpty()) {
                // a header field
            }
            for (long left = size; left > 0; left -= PIECE) {
                wire.read((int) Math.min(left, PIECE));
            }
        }
    },
    UPLOADS {
        @Override
        void transfer(Wire wire, long size) throws IOException {
            wire.send("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                    .formatted(OriginServer.UPLOAD, size));
            var piece = new byte[PIECE];
            for (long left = size; left > 0; left -= PIECE) {
                wire.send(left < PIECE ? new byte[(int) left] : piece);
            }
            var answer = new String(HttpAnswer.read(wire).body(), StandardCharsets.US_ASCII);
            if (!answer.equals(Long.toString(size))) {
                throw new IOException("%s (expected: %d, the bytes received)".formatted(answer, size));
            }
        }
    };

    private static final int PIECE = 64 * 1_024;

    /**
     * Sends or receives a body on a fresh connection; blocks.
     *
     * @throws IOException if it does not arrive whole
     */
    abstract void transfer(Wire wire, long size) throws IOException;

    /** The same on a connection of its own; returns the {@link System#nanoTime} of its end. */
    long transfer(int port, long size) throws IOException {
        try (var wire = Wire.open("127.0.0.1", port, 0, new Traffic())) {
            transfer(wire, size);
            return System.nanoTime();
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
