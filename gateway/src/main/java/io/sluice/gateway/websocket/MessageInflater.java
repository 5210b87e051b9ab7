package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates one message of permessage-deflate as it arrives, up to a limit (RFC 7692 section 7.2.2). On the
 * event loop that created it.
 */
final class MessageInflater {
    /**
     * The 00 00 FF FF that the sender left out, then an empty last block, which shows whether a block may
     * begin there.
     */
    private static final ByteBuf TAIL = Unpooled.unreleasableBuffer(Unpooled.directBuffer(9)
            .writeBytes(new byte[] {0, 0, -1, -1, 1, 0, 0, -1, -1})).asReadOnly();
    private static final int STEP = 8 * 1024;

    private final Inflater inflater = Compressors.ofThisThread().borrowInflater();
    private final long maxMessage;

    /**
     * An inflater for one message.
     *
     * @param maxMessage the limit in bytes, inflated
     */
    MessageInflater(long maxMessage) {
        this.maxMessage = maxMessage;
    }

    /**
     * Inflates the next piece of the message.
     *
     * @param piece stays the caller's
     * @param to receives the inflated bytes
     * @throws ProtocolException 1009 if the message exceeds the limit, 1007 if it cannot be inflated
     */
    void inflate(ByteBuf piece, ByteBuf to) {
        inflater.setInput(piece.nioBuffer());
        try {
            while (true) {
                if (!to.isWritable()) {
                    LongMessages.ensureWritable(to, Math.clamp(to.readableBytes(), 256, STEP));
                }
                int written = inflater.inflate(to.nioBuffer(to.writerIndex(), to.writableBytes()));
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

    /**
     * A block may be marked as the last one in the middle of a message (RFC 7692 section 7.2.3.4); a new
     * stream follows.
     */
    private void startAnotherStream(ByteBuf piece) {
        int left = inflater.getRemaining();
        inflater.reset();
        inflater.setInput(piece.nioBuffer(piece.writerIndex() - left, left));
    }

    /**
     * Ends the message, after its last piece.
     *
     * @throws ProtocolException 1007 if the message ends within a block
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

    /** Returns the Inflater to its event loop; this object must not be used after that. */
    void release() {
        Compressors.ofThisThread().giveBack(inflater);
    }
}
