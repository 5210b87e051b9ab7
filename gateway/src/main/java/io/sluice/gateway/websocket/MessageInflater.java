package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates one message of permessage-deflate as it arrives (RFC 7692 section 7.2.2), up to a bound. */
final class MessageInflater {
    /** What the sender has left out, and an empty last block, which shows that a block may begin there. */
    private static final ByteBuf TAIL = Unpooled.unreleasableBuffer(Unpooled.directBuffer(9)
            .writeBytes(new byte[] {0, 0, -1, -1, 1, 0, 0, -1, -1})).asReadOnly();
    private static final int STEP = 8 * 1024;

    private final Inflater inflater = Compressors.ofThisThread().borrowInflater();
    private final long maxMessage;

    /** Inflates at most so many bytes. */
    MessageInflater(long maxMessage) {
        this.maxMessage = maxMessage;
    }

    /**
     * Inflates a piece.
     *
     * @param piece stays its owner's
     * @param to gets what comes out
     * @throws ProtocolException 1009 where that is too much, 1007 where it cannot be inflated
     */
    void inflate(ByteBuf piece, ByteBuf to) {
        inflater.setInput(piece.nioBuffer());
        try {
            while (true) {
                to.ensureWritable(to.writableBytes() > 0 ? 1 : Math.clamp(to.readableBytes(), 256, STEP));
                int written = inflater.inflate(to.internalNioBuffer(to.writerIndex(), to.writableBytes()));
                to.writerIndex(to.writerIndex() + written);
                if (to.readableBytes() > maxMessage) {
                    throw ProtocolException.tooBig("a message", maxMessage);
                }
                if (inflater.finished() && inflater.getRemaining() > 0) {
                    startAnotherStream(piece);
                } else if (written == 0) {
                    return;
                }
            }
        } catch (DataFormatException e) {
            throw ProtocolException.invalidPayload("a message cannot be inflated");
        }
    }

    /** A block may say that it is the last one (RFC 7692 section 7.2.3.4); what follows is a new stream. */
    private void startAnotherStream(ByteBuf piece) {
        int left = inflater.getRemaining();
        inflater.reset();
        inflater.setInput(piece.nioBuffer(piece.writerIndex() - left, left));
    }

    /**
     * Ends the message.
     *
     * @throws ProtocolException 1007 where it ends within a block
     */
    void finish(ByteBuf to) {
        if (inflater.getBytesRead() == 0 || inflater.finished()) {
            return;
        }
        int size = to.readableBytes();
        inflate(TAIL.duplicate(), to);
        if (to.readableBytes() > size || !inflater.finished()) {
            throw ProtocolException.invalidPayload("a message ends within a block");
        }
    }

    /** Gives back what was borrowed; not to be used any more. */
    void release() {
        Compressors.ofThisThread().giveBack(inflater);
    }
}
