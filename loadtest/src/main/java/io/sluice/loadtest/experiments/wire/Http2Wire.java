package io.sluice.loadtest.experiments.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A blocking HTTP/2 client (RFC 9113) that encodes frames; the caller chooses which to send and when. */
public final class Http2Wire {

    /** Frame types. */
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PING = 6;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;
    /** Flags. */
    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;
    private static final int ACK = 1;

    private static final int HEAD = 9;
    private static final int INITIAL_WINDOW_SIZE = 4;
    /** The largest length in one byte, of which further bytes follow (RFC 7541 section 5.1). */
    private static final int LENGTH_PREFIX = 0x7F;
    private static final int STATIC_FIELDS = 61;
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final Wire wire;

    private Http2Wire(Wire wire) {
        this.wire = wire;
    }

    /** Opens a connection and exchanges the settings; {@code window} is the initial window of each stream. */
    public static Http2Wire open(Wire wire, int window) throws IOException {
        wire.send(PREFACE);
        wire.send(frame(SETTINGS, 0, 0, ByteBuffer.allocate(6)
                .putShort((short) INITIAL_WINDOW_SIZE).putInt(window).array()));
        var http2 = new Http2Wire(wire);
        while (http2.skipFrame() != SETTINGS) {
            // the server's settings come first
        }
        wire.send(frame(SETTINGS, ACK, 0));
        return http2;
    }

    /** Reads and drops a frame; returns its type. */
    private int skipFrame() throws IOException {
        var head = wire.read(HEAD);
        wire.read(ByteBuffer.wrap(head).getInt() >>> 8);
        return head[3];
    }

    /** Sends one frame or several. */
    public void send(byte[] frames) throws IOException {
        wire.send(frames);
    }

    /** A frame's bytes. */
    public static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(HEAD + payload.length)
                .putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload).array();
    }

    /** A header block (RFC 7541) of a GET, without the dynamic table. */
    public static byte[] get(String path) {
        var block = new ByteArrayOutputStream();
        block.write(0x82); // :method GET
        block.write(0x86); // :scheme http
        literal(block, 0x01, "localhost"); // :authority
        literal(block, 0x04, path); // :path
        return block.toByteArray();
    }

    /**
     * A field that enters the dynamic table (RFC 7541 section 6.2.1).
     *
     * @param name its index in the static table
     * @param value of 127 bytes or more
     */
    public static byte[] tabled(int name, String value) {
        var field = new ByteArrayOutputStream();
        field.write(0x40 | name);
        field.write(LENGTH_PREFIX);
        int rest = value.length() - LENGTH_PREFIX; // two bytes, as the table holds no more
        field.write(rest & 0x7F | 0x80);
        field.write(rest >>> 7);
        field.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
        return field.toByteArray();
    }

    /** The field that entered the dynamic table last, several times. */
    public static byte[] fromTable(int times) {
        var fields = new byte[times];
        Arrays.fill(fields, (byte) (0x80 | STATIC_FIELDS + 1));
        return fields;
    }

    private static void literal(ByteArrayOutputStream block, int name, String value) {
        block.write(name);
        block.write(value.length()); // as one byte: shorter than 127
        block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }
}
