package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.sluice.handlers.TunnelConnection;

/** The receiving half of a socket: decodes what comes, and keeps it back while nobody wants it. */
final class SocketReader {
    private final FrameDecoder decoder;
    private final MessageAssembler assembler;
    private final TunnelConnection connection;
    private boolean decoding;
    private boolean over;
    /** What could not be decoded yet, as nobody wanted more messages, or null. */
    private ByteBuf rest;

    SocketReader(FrameDecoder decoder, MessageAssembler assembler, TunnelConnection connection) {
        this.decoder = decoder;
        this.assembler = assembler;
        this.connection = connection;
    }

    /**
     * Decodes.
     *
     * @param bytes owned by the reader from here on
     * @throws ProtocolException where they are not what they should be
     */
    void read(ByteBuf bytes) {
        boolean kept = false;
        decoding = true;
        try {
            if (!over) {
                kept = !decoder.decode(bytes) && !over;
            }
        } finally {
            decoding = false;
            if (!kept) {
                bytes.release();
            }
            if (over) {
                assembler.release();
            }
        }
        if (kept) {
            rest = bytes;
            connection.pause();
        }
    }

    /** Whether something is kept back that the client has sent. */
    boolean keepsBack() {
        return rest != null;
    }

    /** Whether this is called from within a read. */
    boolean isReading() {
        return decoding;
    }

    /** Decodes what was kept back, as far as it is wanted now. Not from within a read. */
    void goOn() {
        if (rest != null) {
            ByteBuf bytes = rest;
            rest = null;
            read(bytes);
        }
        if (rest == null) {
            connection.resume();
        }
    }

    /** Forgets what was kept back; what still comes is dropped. */
    void end() {
        over = true;
        if (rest != null) {
            rest.release();
            rest = null;
        }
        if (!decoding) {
            assembler.release();
        }
    }
}
