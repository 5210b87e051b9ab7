package io.sluice.gateway.http2;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** An HTTP/2 frame (RFC 9113 section 4.1). */
record Frame(int type, int flags, int stream, byte[] payload) {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;

    static final int NO_ERROR = 0;
    static final int PROTOCOL_ERROR = 1;
    static final int INTERNAL_ERROR = 2;
    static final int FLOW_CONTROL_ERROR = 3;
    static final int STREAM_CLOSED = 5;
    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;
    static final int ENHANCE_YOUR_CALM = 11;

    static Frame of(int type, int flags, int stream, int number) {
        return new Frame(type, flags, stream, ByteBuffer.allocate(4).putInt(number).array());
    }

    static Frame rst(int stream, int error) {
        return of(RST_STREAM, 0, stream, error);
    }

    static Frame windowUpdate(int stream, int more) {
        return of(WINDOW_UPDATE, 0, stream, more);
    }

    static Frame ping() {
        return new Frame(PING, 0, 0, new byte[8]);
    }

    static Frame settings(int... idsAndValues) {
        ByteBuffer payload = ByteBuffer.allocate(idsAndValues.length * 3);
        for (int i = 0; i < idsAndValues.length; i += 2) {
            payload.putShort((short) idsAndValues[i]).putInt(idsAndValues[i + 1]);
        }
        return new Frame(SETTINGS, 0, 0, payload.array());
    }

    byte[] bytes() {
        return ByteBuffer.allocate(9 + payload.length).putInt(payload.length << 8 | type).put((byte) flags)
                .putInt(stream).put(payload).array();
    }

    static Frame read(DataInputStream in) throws IOException {
        int lengthAndType = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        return new Frame(lengthAndType & 0xFF, flags, stream, in.readNBytes(lengthAndType >>> 8));
    }

    boolean is(int expected) {
        return type == expected;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Returns the error code of RST_STREAM, or the increment of WINDOW_UPDATE. */
    int number() {
        return ByteBuffer.wrap(payload).getInt();
    }

    /** Returns the last stream id of GOAWAY. */
    int lastStream() {
        return number();
    }

    /** Returns the error code of GOAWAY. */
    int error() {
        return ByteBuffer.wrap(payload).getInt(4);
    }

    @Override
    public String toString() {
        return "type %d, flags %d, stream %d: %s".formatted(type, flags, stream,
                new String(payload, 0, Math.min(payload.length, 200), StandardCharsets.ISO_8859_1));
    }
}
