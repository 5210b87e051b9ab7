package io.sluice.loadtest.experiments.driver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;

/** Encodes WebSocket messages of a client (RFC 6455). */
public final class Frames {

    /** The length of a short frame's header in bytes: two, and the mask. */
    static final int HEAD = 6;

    /** Opcodes. */
    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    private static final int LAST_FRAGMENT = 0x80;
    /** RSV1: the message is compressed by permessage-deflate. */
    private static final int COMPRESSED = 0x40;
    private static final int MASKED = 0x80;
    /** The longest payload whose length fits into 7 bits. */
    private static final int SHORT = 125;
    private static final int MEDIUM = 0xffff;
    /**
     * The length of the empty block at the end of a flush, which permessage-deflate leaves out (RFC 7692
     * section 7.2.1).
     */
    private static final int END_OF_FLUSH = 4;
    /** A constant: masks protect proxies from web pages, and there are neither here. */
    private static final byte[] MASK = {0x37, (byte) 0xfa, 0x21, 0x3d};
    private static final String KEY =
            Base64.getEncoder().encodeToString("sixteen bytes...".getBytes(StandardCharsets.US_ASCII));

    private Frames() {}

    /** A handshake for a path that starts with a slash. */
    public static byte[] handshake(String path) {
        return handshake(path, "");
    }

    /** A handshake that offers permessage-deflate (RFC 7692). */
    public static byte[] deflatingHandshake(String path) {
        return handshake(path, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
    }

    private static byte[] handshake(String path, String more) {
        return """
                GET %s HTTP/1.1\r
                Host: localhost\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: %s\r
                Sec-WebSocket-Version: 13\r
                %s\r
                """.formatted(path, KEY, more).getBytes(StandardCharsets.US_ASCII);
    }

    /** A text message of at most 125 bytes, with a header of {@link #HEAD} bytes. */
    static byte[] text(String text) {
        var payload = text.getBytes(StandardCharsets.UTF_8);
        if (payload.length > SHORT) {
            throw new IllegalArgumentException(
                    "payload: %d bytes (expected: 0..%d)".formatted(payload.length, SHORT));
        }
        return frame(TEXT, payload);
    }

    /** A whole message of any length, or a control frame. */
    public static byte[] frame(int opcode, byte[] payload) {
        return masked(LAST_FRAGMENT | opcode, payload);
    }

    /** A part of a message that another one follows. */
    public static byte[] fragment(int opcode, byte[] payload) {
        return masked(opcode, payload);
    }

    /** A text message of any length, compressed with permessage-deflate. */
    public static byte[] deflated(String text) {
        var plain = text.getBytes(StandardCharsets.UTF_8);
        var compressed = new byte[plain.length + SHORT];
        try (var deflater = new Deflater(Deflater.BEST_COMPRESSION, true)) {
            deflater.setInput(plain);
            int length = deflater.deflate(compressed, 0, compressed.length, Deflater.SYNC_FLUSH);
            return masked(LAST_FRAGMENT | COMPRESSED | TEXT,
                    Arrays.copyOf(compressed, length - END_OF_FLUSH));
        }
    }

    private static byte[] masked(int first, byte[] payload) {
        var frame = ByteBuffer.allocate(HEAD + Long.BYTES + payload.length).put((byte) first);
        if (payload.length <= SHORT) {
            frame.put((byte) (MASKED | payload.length));
        } else if (payload.length <= MEDIUM) {
            frame.put((byte) (MASKED | SHORT + 1)).putShort((short) payload.length);
        } else {
            frame.put((byte) (MASKED | SHORT + 2)).putLong(payload.length);
        }
        frame.put(MASK);
        for (int n = 0; n < payload.length; n++) {
            frame.put((byte) (payload[n] ^ MASK[n % MASK.length]));
        }
        return Arrays.copyOf(frame.array(), frame.position());
    }
}
