package io.sluice.loadtest.experiments.wire;

import io.sluice.loadtest.experiments.driver.Frames;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A blocking WebSocket. It answers no pings: no server here asks for longer than it lives. */
public final class WebSocketWire {

    private static final int LENGTH = 0x7f;
    private static final int OPCODE = 0x0f;
    private static final int SHORT_FORM = 126;
    private static final int NO_CODE = 1005;

    private final Wire wire;

    private WebSocketWire(Wire wire) {
        this.wire = wire;
    }

    /** The server has said no, or goodbye. */
    public static final class ClosedException extends IOException {

        private static final long serialVersionUID = 1;
        private final int code;

        ClosedException(int code) {
            super("closed with " + code);
            this.code = code;
        }

        /** Of a handshake its status; of an open socket its close code (RFC 6455 section 7.4). */
        public int code() {
            return code;
        }
    }

    /**
     * Opens one on a path; returns when the server has accepted.
     *
     * @param deflate whether permessage-deflate (RFC 7692) is asked for
     * @throws ClosedException where it is refused
     */
    public static WebSocketWire open(Wire wire, String path, boolean deflate) throws IOException {
        wire.send(deflate ? Frames.deflatingHandshake(path) : Frames.handshake(path));
        var status = wire.line();
        for (String line = status; !line.isEmpty();) {
            line = wire.line();
        }
        if (!status.startsWith("HTTP/1.1 101 ")) {
            throw new ClosedException(status.matches("HTTP/1.1 \\d{3} .*")
                    ? Integer.parseInt(status.substring(9, 12)) : 0);
        }
        return new WebSocketWire(wire);
    }

    /** Sends one frame or several. */
    public void send(byte[] frames) throws IOException {
        wire.send(frames);
    }

    /**
     * The payload of the next message, as it came: compressed or not.
     *
     * @throws ClosedException where the server closes instead
     */
    public byte[] message() throws IOException {
        while (true) {
            var head = wire.read(2);
            var payload = wire.read(length(head[1] & LENGTH));
            switch (head[0] & OPCODE) {
                case Frames.TEXT, Frames.BINARY -> {
                    return payload;
                }
                case Frames.CLOSE -> throw new ClosedException(
                        payload.length < 2 ? NO_CODE : ByteBuffer.wrap(payload).getShort() & 0xffff);
                default -> {
                    // a ping, or what belongs to a message in fragments, of which the first part has counted
                }
            }
        }
    }

    private int length(int form) throws IOException {
        if (form < SHORT_FORM) {
            return form;
        }
        return form == SHORT_FORM
                ? ByteBuffer.wrap(wire.read(2)).getShort() & 0xffff
                : Math.toIntExact(ByteBuffer.wrap(wire.read(8)).getLong());
    }
}
