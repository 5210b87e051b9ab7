package io.sluice.loadtest.experiments.driver;

import java.nio.charset.StandardCharsets;

/**
 * A client that keeps a server waiting for as long as it is let.
 *
 * @param first what it sends at once; not to be changed
 * @param more what it sends again and again; where that is nothing, it reads some bytes of its answer
 *         instead, and no others; not to be changed
 */
public record SlowClient(byte[] first, byte[] more) {

    /** Sends a head that never ends, one field at a time. */
    public static SlowClient head(String path) {
        return of("GET %s HTTP/1.1\r\nHost: localhost\r\n".formatted(path), "X-Slow: still\r\n");
    }

    /** Sends a body of a megabyte, a few bytes at a time. */
    public static SlowClient body(String path) {
        return of("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n".formatted(path),
                "0123456789");
    }

    /** Reads an answer a few bytes at a time. */
    public static SlowClient reader(String path) {
        return of("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path), "");
    }

    private static SlowClient of(String first, String more) {
        return new SlowClient(
                first.getBytes(StandardCharsets.US_ASCII), more.getBytes(StandardCharsets.US_ASCII));
    }

    boolean reads() {
        return more.length == 0;
    }
}
