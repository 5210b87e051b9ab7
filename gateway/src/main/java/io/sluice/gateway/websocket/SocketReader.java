package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.sluice.config.SocketConfig;
import io.sluice.gateway.net.ReadingTurn;
import io.sluice.handlers.TunnelConnection;

/** The receiving half of a socket: decodes what comes, and keeps it back while nobody wants it. */
final class SocketReader {
    private final FrameDecoder decoder;
    private final MessageAssembler assembler;
    private final TunnelConnection connection;
    private final ReadingTurn turn;
    private boolean decoding;
    private boolean over;
    /** What could not be decoded yet, as nobody wanted more messages, or null. */
    private ByteBuf rest;

    /**
     * A reader for a receiver.
     *
     * @param nextTurn is to go on with what was kept back when the turn was over
     * @param compression whether permessage-deflate was agreed on
     */
    SocketReader(TunnelConnection connection, MessageAssembler.Receiver receiver, Runnable nextTurn,
                 boolean compression, SocketConfig config) {
        this.connection = connection;
        turn = new ReadingTurn(connection.eventLoop(), nextTurn);
        assembler = new MessageAssembler(receiver, connection.alloc(), config.maxMessage().bytes());
        decoder = new FrameDecoder(assembler, compression, config.maxFrame().bytes());
    }

    /** Limits the frames and messages that begin from here on. */
    void limit(SocketConfig config) {
        decoder.limit(config.maxFrame().bytes());
        assembler.limit(config.maxMessage().bytes());
    }

    /**
     * Decodes.
     *
     * @param bytes owned by the reader from here on
     * @throws ProtocolException where they are not what they should be
     */
    void read(ByteBuf bytes) {
        turn.readBegins();
        decode(bytes);
    }

    private void decode(ByteBuf bytes) {
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

    /** The last of a read has been handed over. */
    void readComplete() {
        turn.readEnds();
    }

    /** Whether the event loop's turn for this socket still lasts. */
    boolean turnGoesOn() {
        return turn.goesOn();
    }

    /** Begins a turn outside a read; false within one, or where its time is over. */
    boolean turnBegins() {
        return !decoding && turn.begins();
    }

    /** Whether something is kept back that the client has sent. */
    boolean keepsBack() {
        return rest != null;
    }

    /** Decodes what was kept back, as far as it is wanted now. Not from within a read. */
    void goOn() {
        if (rest != null) {
            ByteBuf bytes = rest;
            rest = null;
            decode(bytes);
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
