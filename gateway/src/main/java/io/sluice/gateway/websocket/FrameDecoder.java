package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Decodes a client's bytes into frames (RFC 6455 section 5.2). It unmasks payloads in place and hands them on
 * as they arrive, so that a long frame is never collected here.
 */
final class FrameDecoder {
    private final Sink sink;
    private final boolean compression;
    private long maxFrame;

    private State state = State.FIRST;
    private int first;
    private int opcode;
    /** Bytes that are missing of the length or the mask that is being read. */
    private int bytesLeft;
    private int leastLength;
    private long length;
    private int mask;
    private boolean fragmented;

    private enum State { FIRST, SECOND, LENGTH, MASK, PAYLOAD }

    /** Receives frames, piece by piece. */
    interface Sink {

        /** A frame begins. */
        void begin(int opcode, boolean last, boolean compressed, long length);

        /**
         * Returns the bytes of payload that the sink accepts now. With 0 it accepts nothing, not even an
         * empty piece; the rest stays in the input.
         */
        int takes(int opcode);

        /**
         * A piece of the frame's payload, possibly empty.
         *
         * @param piece stays owned by the decoder's caller
         * @param complete whether this is the last piece of the frame
         */
        void payload(ByteBuf piece, boolean complete);
    }

    /**
     * A decoder that passes frames to a sink.
     *
     * @param compression whether permessage-deflate was negotiated
     * @param maxFrame the longest frame that is accepted, in bytes
     */
    FrameDecoder(Sink sink, boolean compression, long maxFrame) {
        this.sink = sink;
        this.compression = compression;
        this.maxFrame = maxFrame;
    }

    /** Changes the limit, in bytes, for frames whose headers are read from here on. */
    void limit(long max) {
        maxFrame = max;
    }

    /**
     * Decodes the input until it is used up or the sink accepts no more.
     *
     * @param in contiguous in memory; stays the caller's, and its payload is unmasked in place
     * @return false if a frame, possibly one without a payload, waits for the sink: call again then with the
     *     rest of the input
     * @throws ProtocolException if a frame is malformed or too long
     */
    boolean decode(ByteBuf in) {
        // A frame may be complete without a payload: the input need not be readable for it.
        while (in.isReadable() || state == State.PAYLOAD && length == 0) {
            switch (state) {
                case FIRST -> {
                    first = in.readUnsignedByte();
                    state = State.SECOND;
                }
                case SECOND -> second(in.readUnsignedByte());
                case LENGTH -> length(in);
                case MASK -> mask(in);
                case PAYLOAD -> {
                    int most = sink.takes(opcode);
                    if (most == 0) {
                        return false;
                    }
                    payload(in, most);
                }
            }
        }
        return true;
    }

    private void second(int second) {
        opcode = first & 0x0F;
        require(Opcode.isKnown(opcode), "an opcode that is not known");
        require((first & 0x30) == 0, "a reserved bit is set");
        boolean begins = opcode == Opcode.TEXT || opcode == Opcode.BINARY;
        require(!isCompressed() || compression && begins, "a frame is marked as compressed");
        require((second & 0x80) != 0, "a frame is not masked");
        length = second & 0x7F;
        if (Opcode.isControl(opcode)) {
            require(isLast(), "a control frame is fragmented");
            require(length <= 125, "a control frame is longer than 125 bytes");
        } else {
            require(begins != fragmented, begins ? "a message begins within another"
                    : "a message is continued that has not begun");
            fragmented = !isLast();
        }
        if (length < 126) {
            header();
            return;
        }
        bytesLeft = length == 126 ? 2 : 8;
        leastLength = length == 126 ? 126 : 65_536;
        length = 0;
        state = State.LENGTH;
    }

    private void length(ByteBuf in) {
        while (bytesLeft > 0 && in.isReadable()) {
            length = length << 8 | in.readUnsignedByte();
            bytesLeft--;
        }
        if (bytesLeft == 0) {
            require(length >= leastLength, "a length takes more bytes than it needs, or is negative");
            header();
        }
    }

    private void header() {
        if (length > maxFrame) {
            throw ProtocolException.tooBig("a frame", maxFrame);
        }
        sink.begin(opcode, isLast(), isCompressed(), length);
        bytesLeft = 4;
        state = State.MASK;
    }

    private void mask(ByteBuf in) {
        while (bytesLeft > 0 && in.isReadable()) {
            mask = mask << 8 | in.readUnsignedByte();
            bytesLeft--;
        }
        if (bytesLeft == 0) {
            state = State.PAYLOAD;
        }
    }

    private void payload(ByteBuf in, int most) {
        int size = (int) Math.min(length, Math.min(most, in.readableBytes()));
        ByteBuf piece = in.readSlice(size);
        unmask(piece);
        length -= size;
        if (length == 0) {
            state = State.FIRST;
        }
        sink.payload(piece, length == 0);
    }

    /** Works on the NIO buffer: a ByteBuf would check the bounds of each access. */
    private void unmask(ByteBuf piece) {
        ByteBuffer memory = piece.internalNioBuffer(piece.readerIndex(), piece.readableBytes());
        int at = memory.position();
        int end = memory.limit();
        long wide = (long) mask << 32 | mask & 0xFFFF_FFFFL;
        for (; at + 8 <= end; at += 8) {
            memory.putLong(at, memory.getLong(at) ^ wide);
        }
        for (; at < end; at++) {
            mask = Integer.rotateLeft(mask, 8);
            memory.put(at, (byte) (memory.get(at) ^ mask));
        }
    }

    private boolean isLast() {
        return (first & 0x80) != 0;
    }

    private boolean isCompressed() {
        return (first & 0x40) != 0;
    }

    private static void require(boolean condition, String violation) {
        if (!condition) {
            throw ProtocolException.violation(violation);
        }
    }
}
