package io.sluice.loadtest.experiments.driver;

import java.nio.charset.StandardCharsets;

/**
 * An encoded request.
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

    /** A POST of a text in ASCII to a path that starts with a slash. */
    public static Request post(String kind, String path, String text) {
        return post(kind, path, "text/plain", text);
    }

    /** A POST of JSON in ASCII to a path that starts with a slash. */
    public static Request postJson(String kind, String path, String json) {
        return post(kind, path, "application/json", json);
    }

    private static Request post(String kind, String path, String type, String text) {
        return new Request(kind, """
                POST %s HTTP/1.1\r
                Host: localhost\r
                Content-Type: %s\r
                Content-Length: %d\r
                \r
                %s""".formatted(path, type, text.length(), text).getBytes(StandardCharsets.US_ASCII));
    }
}
