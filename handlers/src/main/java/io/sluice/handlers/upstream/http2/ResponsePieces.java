package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a response, and the credit of its endpoint for more of them (RFC 9113 section 5.2), which its
 * reader withholds by a pause. Small pieces are joined: a window, and a read, hold thousands of frames with
 * one byte, and each piece costs the pipeline time and memory. Confined to the event loop.
 */
public final class ResponsePieces {
    /** The most bytes of a piece that is copied to others. */
    private static final int SMALL = 512;
    private static final int MAX_JOINED = 16 * 1024;

    private final Consumer<ByteBuf> reader;
    /** Small pieces that wait for the end of the read or of the pause; null if there are none. */
    private @Nullable ByteBuf small;
    /** Indicates whether the small pieces are copies, and not the single one that occupies its read. */
    private boolean copied;
    private boolean paused;
    /** The bytes that have arrived since the pause, for which the endpoint has no credit yet. */
    private int withheld;

    /** Creates the pieces of a reader, which becomes their owner. */
    public ResponsePieces(Consumer<ByteBuf> reader) {
        this.reader = reader;
    }

    /** Adds a piece, which the caller owns. One that waits must not occupy the whole read it came with. */
    public void add(ByteBuf piece) {
        if (piece.readableBytes() > SMALL) {
            pass();
            reader.accept(paused ? piece.copy() : piece.retain());
        } else if (!piece.isReadable()) {
            return;
        } else if (small == null && !paused) {
            small = piece.retain();
            copied = false;
        } else {
            join(piece);
        }
    }

    private void join(ByteBuf piece) {
        ByteBuf joined = copy(piece);
        joined.writeBytes(piece);
        if (joined.maxWritableBytes() < SMALL) {
            pass();
        }
    }

    private ByteBuf copy(ByteBuf piece) {
        ByteBuf known = small;
        if (known != null && copied) {
            return known;
        }
        ByteBuf joined = piece.alloc().buffer(2 * SMALL, MAX_JOINED);
        if (known != null) {
            joined.writeBytes(known);
            known.release();
        }
        small = joined;
        copied = true;
        return joined;
    }

    /** Passes the pieces on that wait; returns whether there were any. */
    public boolean pass() {
        ByteBuf all = small;
        small = null;
        if (all != null) {
            reader.accept(all);
        }
        return all != null;
    }

    /** Called when all pieces that have arrived are added. */
    public void readComplete() {
        if (!paused) {
            pass();
        } else if (small != null) {
            copy(small);
        }
    }

    /** Begins a pause. */
    public void pause() {
        paused = true;
    }

    /** Ends the pause; returns the credit that was withheld. */
    public int resume() {
        int due = withheld;
        paused = false;
        withheld = 0;
        return due;
    }

    /** Returns the credit for bytes that have arrived, which is 0 in a pause. */
    public int credit(int bytes) {
        if (!paused) {
            return bytes;
        }
        withheld += bytes;
        return 0;
    }

    /** Drops the pieces that wait. */
    public void release() {
        if (small != null) {
            small.release();
            small = null;
        }
    }
}
