package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.http.Utf8Validator;

/**
 * Makes messages of frames: fragments are put together, compressed ones inflated, texts checked as they
 * arrive. A message that came in one piece is handed on where it lies. Control frames may stand between
 * fragments (RFC 6455 section 5.4).
 */
final class MessageAssembler implements FrameDecoder.Sink {
    /** In bytes. More is made room for only when it has come: a header may say anything. */
    private static final int FIRST_ROOM = 64 * 1024;
    /** In bytes, between which the receiver can wait: they inflate to a thousand times as many at most. */
    private static final int COMPRESSED_PIECE = 128;

    private final Receiver receiver;
    private final ByteBufAllocator alloc;
    private long maxMessage;
    /** The limit of messages that begin from here on. */
    private long nextMaxMessage;
    private final Utf8Validator utf8 = new Utf8Validator();

    private int opcode;
    private boolean last;
    private long frameLength;
    /** Of the control frame that is arriving in pieces, or null. */
    private ByteBuf control;

    private boolean text;
    /** What has come of the message that is arriving, or null. */
    private ByteBuf message;
    private MessageInflater inflater;

    /** Takes what has arrived; the buffers stay the assembler's. */
    interface Receiver {

        /** Whether it takes a frame now, or a piece of one; a paused one still takes control frames. */
        boolean takes(int opcode);

        /** A whole message. */
        void message(boolean text, ByteBuf payload);

        /** A whole control frame. */
        void control(int opcode, ByteBuf payload);
    }

    /**
     * Assembles for a receiver.
     *
     * @param maxMessage in bytes, inflated
     */
    MessageAssembler(Receiver receiver, ByteBufAllocator alloc, long maxMessage) {
        this.receiver = receiver;
        this.alloc = alloc;
        limit(maxMessage);
    }

    /** Limits messages that begin from here on, in bytes, inflated. */
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
            text = opcode == Opcode.TEXT;
            maxMessage = nextMaxMessage;
            inflater = compressed ? new MessageInflater(maxMessage) : null;
        }
        if (inflater == null && received() + length > maxMessage) {
            throw ProtocolException.tooBig("a message", maxMessage);
        }
    }

    private int received() {
        return message == null ? 0 : message.readableBytes();
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
            append(piece);
            if (complete && last) {
                finishCollected();
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

    private void append(ByteBuf piece) {
        if (DirectMemory.isShort()) {
            throw ProtocolException.tryAgainLater();
        }
        if (message == null) {
            message = alloc.buffer(Math.clamp(frameLength, 256, FIRST_ROOM));
        }
        int from = message.writerIndex();
        if (inflater == null) {
            message.writeBytes(piece);
        } else {
            inflater.inflate(piece, message);
        }
        check(message, from);
    }

    private void finishCollected() {
        ByteBuf whole = message;
        try {
            if (inflater != null) {
                inflater.finish(whole);
                releaseInflater();
            }
            message = null;
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

    /** Forgets what has arrived in part. */
    void release() {
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
