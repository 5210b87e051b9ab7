package io.sluice.loadtest.experiments.driver;

import java.nio.charset.StandardCharsets;

/**
 * A client that makes a server wait for as long as possible.
 *
 * @param first what it sends at once; not to be changed
 * @param more what it sends repeatedly; if empty, it repeatedly reads a few bytes of its response instead;
 *     not to be changed
 */
public record SlowClient(byte[] first, byte[] more) {

    /** A client that sends a request head that never ends, one field at a time. */
    public static SlowClient head(String path) {
        return of("GET %s HTTP/1.1\r\nHost: localhost\r\n".formatted(path), "X-Slow: still\r\n");
    }

    /** A client that sends a body of a megabyte, a few bytes at a time. */
    public static SlowClient body(String path) {
        return of("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n".formatted(path),
                "0123456789");
    }

    /** A client that reads a response a few bytes at a time. */
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
