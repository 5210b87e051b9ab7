package io.sluice.loadtest.experiments.driver;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** What a client sends on a WebSocket (RFC 6455), as bytes that are ready to be sent. */
final class Frames {

    /** Bytes of a short frame before its payload: two, and the mask. */
    static final int HEAD = 6;

    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int LAST_FRAGMENT = 0x80;
    private static final int MASKED = 0x80;
    /** The longest payload whose length stands in seven bits. */
    private static final int SHORT = 125;
    /** Always the same: masks protect proxies from pages, and here is neither. */
    private static final byte[] MASK = {0x37, (byte) 0xfa, 0x21, 0x3d};
    private static final String KEY =
            Base64.getEncoder().encodeToString("sixteen bytes...".getBytes(StandardCharsets.US_ASCII));

    private Frames() {}

    /** A request to open a socket on a path that starts with a slash. */
    static byte[] handshake(String path) {
        return """
                GET %s HTTP/1.1\r
                Host: localhost\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: %s\r
                Sec-WebSocket-Version: 13\r
                \r
                """.formatted(path, KEY).getBytes(StandardCharsets.US_ASCII);
    }

    /** A whole text. */
    static byte[] text(String text) {
        return frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A whole message, or a control frame, of at most 125 bytes. */
    static byte[] frame(int opcode, byte[] payload) {
        if (payload.length > SHORT) {
            throw new IllegalArgumentException(
                    "payload: %d bytes (expected: 0..%d)".formatted(payload.length, SHORT));
        }
        var frame = new byte[HEAD + payload.length];
        frame[0] = (byte) (LAST_FRAGMENT | opcode);
        frame[1] = (byte) (MASKED | payload.length);
        System.arraycopy(MASK, 0, frame, 2, MASK.length);
        for (int n = 0; n < payload.length; n++) {
            frame[HEAD + n] = (byte) (payload[n] ^ MASK[n % MASK.length]);
        }
        return frame;
    }
}
