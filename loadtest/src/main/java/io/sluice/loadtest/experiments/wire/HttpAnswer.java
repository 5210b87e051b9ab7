package io.sluice.loadtest.experiments.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;

/**
 * A whole HTTP/1.1 response.
 *
 * @param body not to be changed
 * @param keepAlive whether the connection can be used for another request
 */
public record HttpAnswer(int status, byte[] body, boolean keepAlive) {

    private static final String VERSION = "HTTP/1.1 ";

    /**
     * Reads the response to a request other than HEAD.
     *
     * @throws IOException if the connection ends before the response does, or the response is malformed
     */
    public static HttpAnswer read(Wire wire) throws IOException {
        int status = status(wire.line());
        int length = 0;
        boolean chunked = false;
        boolean keepAlive = true;
        for (String line; !(line = wire.line()).isEmpty();) {
            var field = line.toLowerCase(Locale.ROOT);
            if (field.startsWith("content-length:")) {
                length = Integer.parseInt(field.substring(field.indexOf(':') + 1).strip());
            } else if (field.startsWith("transfer-encoding:")) {
                chunked = true;
            } else if (field.startsWith("connection:")) {
                keepAlive = !field.endsWith("close");
            }
        }
        return new HttpAnswer(status, chunked ? chunks(wire) : wire.read(length), keepAlive);
    }

    private static int status(String line) throws IOException {
        if (!line.matches(VERSION + "\\d{3}( .*)?")) {
            throw new IOException("%s (expected: a status line)".formatted(line));
        }
        return Integer.parseInt(line.substring(VERSION.length(), VERSION.length() + 3));
    }

    private static byte[] chunks(Wire wire) throws IOException {
        var body = new ByteArrayOutputStream();
        for (int size; (size = Integer.parseInt(wire.line(), 16)) > 0;) {
            body.writeBytes(wire.read(size));
            wire.line();
        }
        while (!wire.line().isEmpty()) {
            // A trailer.
        }
        return body.toByteArray();
    }
}
