package io.sluice.loadtest.experiments.driver;

import java.nio.charset.StandardCharsets;

/**
 * A request whose bytes are ready to be sent.
 *
 * @param kind the name under which its answers are counted
 * @param bytes the whole request; not to be changed
 */
public record Request(String kind, byte[] bytes) {

    /** A GET of a path that starts with a slash. */
    public static Request get(String kind, String path) {
        return new Request(kind, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .formatted(path).getBytes(StandardCharsets.US_ASCII));
    }
}
