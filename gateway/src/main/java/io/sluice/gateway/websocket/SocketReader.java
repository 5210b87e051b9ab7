package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.sluice.config.SocketConfig;
import io.sluice.gateway.net.ReadingTurn;
import io.sluice.handlers.TunnelConnection;
import io.sluice.offload.ClientNetwork;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a WebSocket: decodes input, and keeps the rest back while the receiver accepts no
 * messages.
 */
final class SocketReader {
    private final FrameDecoder decoder;
    private final MessageAssembler assembler;
    private final TunnelConnection connection;
    private final ReadingTurn turn;
    private boolean decoding;
    private boolean over;
    /** Input that is not decoded yet, because the receiver accepts no messages; null if there is none. */
    private @Nullable ByteBuf rest;

    /**
     * A reader that passes messages to a receiver.
     *
     * @param nextTurn continues with the kept input in the next turn, after a turn was over
     * @param client counts for incomplete messages
     * @param compression whether permessage-deflate was negotiated
     */
    SocketReader(TunnelConnection connection, MessageAssembler.Receiver receiver, Runnable nextTurn,
                 InetSocketAddress client, boolean compression, SocketConfig config) {
        this.connection = connection;
        turn = new ReadingTurn(connection.eventLoop(), nextTurn);
        assembler = new MessageAssembler(receiver, connection.alloc(),
                ClientNetwork.of(client.getAddress()), config.maxMessage().bytes());
        decoder = new FrameDecoder(assembler, compression, config.maxFrame().bytes());
    }

    /** Changes the limits of frames and messages that begin from here on. */
    void limit(SocketConfig config) {
        decoder.limit(config.maxFrame().bytes());
        assembler.limit(config.maxMessage().bytes());
    }

    /**
     * Decodes input.
     *
     * @param bytes contiguous in memory; owned by the reader from here on
     * @throws ProtocolException if the client violates the protocol or a limit
     */
    void read(ByteBuf bytes) {
        turn.onReadStart();
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
        if (!over) {
            assembler.count();
        }
    }

    /** Notes that the event loop has read all input that was there. */
    void readComplete() {
        turn.onReadEnd();
    }

    /** Returns whether the event loop's turn for this socket still lasts. */
    boolean turnGoesOn() {
        return turn.tryContinue();
    }

    /** Begins a turn outside a read; false within one, or where its time is over. */
    boolean turnBegins() {
        return !decoding && turn.tryBegin();
    }

    /** Returns whether input from the client is kept back. */
    boolean keepsBack() {
        return rest != null;
    }

    /** Returns the number of the message of which a part has arrived; 0 if there is none. */
    long unfinished() {
        return assembler.unfinished();
    }

    /** Returns how many bytes of this message have arrived, inflated. */
    int collected() {
        return assembler.collected();
    }

    /**
     * Decodes input that was kept back, as far as the receiver accepts it. Must not be called while {@link
     * #read} decodes.
     */
    void decodeKept() {
        if (rest != null) {
            ByteBuf bytes = rest;
            rest = null;
            decode(bytes);
        }
        if (rest == null) {
            connection.resume();
        }
    }

    /** Releases input that was kept back; further input is dropped. */
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
