package io.sluice.loadtest.experiments.wire;

import io.sluice.loadtest.experiments.driver.Frames;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A blocking WebSocket client. It does not answer pings, as no server here pings within its lifetime. */
public final class WebSocketWire {

    private static final int LENGTH = 0x7f;
    private static final int OPCODE = 0x0f;
    private static final int SHORT_FORM = 126;
    private static final int NO_CODE = 1005;

    private final Wire wire;

    private WebSocketWire(Wire wire) {
        this.wire = wire;
    }

    /** Signals that the server rejected the handshake or closed the WebSocket. */
    public static final class ClosedException extends IOException {

        private static final long serialVersionUID = 1;
        private final int code;

        ClosedException(int code) {
            super("closed with " + code);
            this.code = code;
        }

        /**
         * The HTTP status of the handshake, or the close code of an open WebSocket (RFC 6455 section 7.4).
         */
        public int code() {
            return code;
        }
    }

    /**
     * Opens a WebSocket on a path; blocks until the server has accepted it.
     *
     * @param deflate whether to offer permessage-deflate (RFC 7692)
     * @throws ClosedException if the server rejects it
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
     * The payload of the next message as it was received, compressed or not; blocks.
     *
     * @throws ClosedException if the server closes the WebSocket
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
                    // a ping, or a continuation of a fragmented message, whose first frame was returned
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
