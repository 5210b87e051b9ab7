package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;

/** The body of an answer, written piece by piece, from one thread at a time. */
public interface ResponseStream {

    /**
     * Writes a piece. Never blocks: a writer that goes on while {@link #isWritable()} is false fills
     * the memory.
     *
     * @param content owned by the stream from here on; released unsent where the exchange has ended
     */
    void write(ByteBuf content);

    /**
     * Lets the kernel send a piece of a file, which nobody has to read then. On the event loop. Until it is
     * sent, or given up with less of it transferred, the stream is not writable.
     *
     * @param piece owned by the stream from here on, where the answer is true
     * @return false where this stream cannot: its pieces are to be read and written
     */
    default boolean sendFile(FileRegion piece) {
        return false;
    }

    /** Whether the client takes the answer as fast as it is written. Any thread. */
    boolean isWritable();

    /** Calls the action on the event loop each time the stream becomes writable again, or ends. */
    void onWritable(Runnable action);

    /** Ends the body. */
    void end();
}
