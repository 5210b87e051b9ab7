package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sluice.gateway.limits.BodyMemory;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.json.Utf8Validator;
import io.sluice.offload.ClientNetwork;
import org.jspecify.annotations.Nullable;

/**
 * Assembles messages from frames: joins fragments, inflates compressed messages, and validates UTF-8 as it
 * arrives. A message that arrives in one piece is handed on without a copy. Control frames may stand between
 * fragments (RFC 6455 section 5.4).
 */
final class MessageAssembler implements FrameDecoder.Sink {
    /**
     * Initial capacity for a message, in bytes. The buffer grows only with what has arrived, as a header may
     * announce any length.
     */
    private static final int FIRST_ROOM = 64 * 1024;
    /**
     * Bytes of compressed input per step, after each of which the receiver can pause; they inflate to about a
     * thousand times as many at most.
     */
    private static final int COMPRESSED_PIECE = 128;

    private final Receiver receiver;
    private final ByteBufAllocator alloc;
    private long maxMessage;
    /** The limit for messages that begin from here on, in bytes. */
    private long nextMaxMessage;
    private final Utf8Validator utf8 = new Utf8Validator();
    /** Counts messages that are incomplete after a read. */
    private final BodyMemory memory;

    private int opcode;
    private boolean last;
    private long frameLength;
    /** The payload of a control frame that arrives in pieces; null if there is none. */
    private @Nullable ByteBuf control;

    /** The number of messages that have begun. */
    private long begun;
    private boolean text;
    /** The part of the current message that has arrived; null if there is none. */
    private @Nullable ByteBuf message;
    private @Nullable MessageInflater inflater;

    /** Receives messages and control frames; the buffers stay owned by the assembler. */
    interface Receiver {

        /**
         * Returns whether the receiver accepts a frame, or a piece of one, now. A paused receiver still
         * accepts control frames.
         */
        boolean takes(int opcode);

        /** A whole message. */
        void message(boolean text, ByteBuf payload);

        /** A whole control frame. */
        void control(int opcode, ByteBuf payload);
    }

    /**
     * An assembler that passes messages to a receiver.
     *
     * @param maxMessage the longest message that is accepted, in bytes after inflation
     */
    MessageAssembler(Receiver receiver, ByteBufAllocator alloc, ClientNetwork client, long maxMessage) {
        this.receiver = receiver;
        this.alloc = alloc;
        memory = new BodyMemory(client);
        limit(maxMessage);
    }

    /** Changes the limit, in bytes after inflation, for messages that begin from here on. */
    void limit(long max) {
        nextMaxMessage = max;
    }

    @Override
    public void begin(int opcode, boolean last, boolean compressed, long length) {
        this.opcode = opcode;
        frameLength = length;
        if (Opcode.isControl(opcode)) {
            return;
        }
        this.last = last;
        if (opcode != Opcode.CONTINUATION) {
            begun++;
            text = opcode == Opcode.TEXT;
            maxMessage = nextMaxMessage;
            inflater = compressed ? inflater() : null;
        }
        if (inflater == null && collected() + length > maxMessage) {
            throw ProtocolException.tooBig("a message", maxMessage);
        }
    }

    private MessageInflater inflater() {
        requireMemory();
        return new MessageInflater(maxMessage);
    }

    private static void requireMemory() {
        if (DirectMemory.isShort()) {
            throw ProtocolException.tryAgainLater();
        }
    }

    /** Returns how many bytes of the current message have arrived, inflated. */
    int collected() {
        return message == null ? 0 : message.readableBytes();
    }

    /**
     * Counts what the current message occupies; to be called after each read.
     *
     * @throws ProtocolException 1013 if the messages of its client occupy too much together
     */
    void count() {
        long collected = collected() > MemoryShare.FREE_BODY ? collected() : 0;
        long more = collected + (inflater == null ? 0 : Compressors.INFLATER) - memory.taken();
        if (more > 0 && !memory.hasRoom(more, 0)) {
            throw ProtocolException.tryAgainLater();
        }
        memory.take(more);
    }

    /** Returns the number of the message that occupies memory as it is incomplete; 0 if there is none. */
    long unfinished() {
        return message == null && inflater == null ? 0 : begun;
    }

    @Override
    public int takes(int opcode) {
        if (!receiver.takes(opcode)) {
            return 0;
        }
        return inflater == null || Opcode.isControl(opcode) ? Integer.MAX_VALUE : COMPRESSED_PIECE;
    }

    @Override
    public void payload(ByteBuf piece, boolean complete) {
        if (Opcode.isControl(opcode)) {
            control(piece, complete);
        } else if (complete && last && message == null && inflater == null) {
            check(piece, piece.readerIndex());
            finish(piece);
        } else {
            ByteBuf whole = append(piece);
            if (complete && last) {
                finishCollected(whole);
            }
        }
    }

    private void control(ByteBuf piece, boolean complete) {
        if (complete && control == null) {
            receiver.control(opcode, piece);
            return;
        }
        if (control == null) {
            control = alloc.buffer((int) frameLength);
        }
        control.writeBytes(piece);
        if (complete) {
            ByteBuf whole = control;
            control = null;
            try {
                receiver.control(opcode, whole);
            } finally {
                whole.release();
            }
        }
    }

    private ByteBuf append(ByteBuf piece) {
        requireMemory();
        if (message == null) {
            message = alloc.buffer(Math.clamp(frameLength, 256, FIRST_ROOM));
        }
        ByteBuf all = LongMessages.inParts(message);
        message = all;
        int from = all.writerIndex();
        if (inflater == null) {
            LongMessages.ensureWritable(all, piece.readableBytes());
            all.writeBytes(piece);
        } else {
            inflater.inflate(piece, all);
        }
        check(all, from);
        return all;
    }

    private void finishCollected(ByteBuf whole) {
        try {
            if (inflater != null) {
                inflater.finish(whole);
                releaseInflater();
            }
            message = null;
            memory.giveBackAll();
            LongMessages.trim(whole);
            finish(whole);
        } finally {
            if (message == null) {
                whole.release();
            }
        }
    }

    private void check(ByteBuf bytes, int from) {
        if (text && !utf8.accepts(bytes, from, bytes.writerIndex() - from)) {
            throw ProtocolException.invalidPayload("a text is not UTF-8");
        }
    }

    private void finish(ByteBuf whole) {
        if (text && !utf8.complete()) {
            throw ProtocolException.invalidPayload("a text ends within a character");
        }
        receiver.message(text, whole);
    }

    private void releaseInflater() {
        if (inflater != null) {
            inflater.release();
            inflater = null;
        }
    }

    /** Releases the buffers of incomplete messages and frames. */
    void release() {
        memory.giveBackAll();
        releaseInflater();
        if (message != null) {
            message.release();
            message = null;
        }
        if (control != null) {
            control.release();
            control = null;
        }
    }
}
