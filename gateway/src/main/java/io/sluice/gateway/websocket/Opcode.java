package io.sluice.gateway.websocket;

/** The opcodes of frames (RFC 6455 section 11.8). */
final class Opcode {
    static final int CONTINUATION = 0x0;
    static final int TEXT = 0x1;
    static final int BINARY = 0x2;
    static final int CLOSE = 0x8;
    static final int PING = 0x9;
    static final int PONG = 0xA;

    private Opcode() {
    }

    static boolean isControl(int opcode) {
        return opcode >= CLOSE;
    }

    static boolean isKnown(int opcode) {
        return opcode >= CONTINUATION && opcode <= BINARY || opcode >= CLOSE && opcode <= PONG;
    }
}
