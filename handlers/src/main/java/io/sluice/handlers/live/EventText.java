package io.sluice.handlers.live;

import java.nio.charset.StandardCharsets;

/** Parts of server-sent events (HTML, section 9.2.6). */
final class EventText {
    static final byte[] DATA = bytes("data: ");
    static final byte[] ID = bytes("\nid: ");
    static final byte[] TRUNCATED = bytes("event: truncated\ndata: ");
    /** Clears the id: a client that comes back gets the result again, which ends the problem for it. */
    static final byte[] PROBLEM = bytes("event: problem\nid:\ndata: ");
    static final byte[] END = bytes("\n\n");

    private EventText() {
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
