package io.sluice.handlers.live;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ByteProcessor;
import io.sluice.handlers.query.RowTag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A result while it becomes the event of a stream, with the result's entity tag as its id. Filled by one
 * thread, ended and closed by the event loop, which must not wait: if a piece is added at that moment, the
 * adding thread releases the event.
 */
final class ResultEvent {
    private enum State { IDLE, BUSY, OVER }

    private final ByteBuf event;
    private final int limit;
    private final RowTag.Hash hash = new RowTag.Hash();
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

    /**
     * A whole event.
     *
     * @param tag the entity tag of its result
     * @param event owned by the one who has the record
     */
    record Whole(String tag, ByteBuf event) {
    }

    /**
     * Creates an event without data.
     *
     * @param most the largest size of the data in bytes
     */
    ResultEvent(ByteBufAllocator alloc, int most) {
        event = alloc.buffer();
        event.writeBytes(EventText.DATA);
        limit = EventText.DATA.length + most;
    }

    /**
     * Adds a piece of the result, which stays the caller's; returns false if that is too large then. Line
     * breaks between the tokens of JSON, as in a column of JSON, become spaces: data is one line.
     */
    boolean add(ByteBuf piece) {
        if (!state.compareAndSet(State.IDLE, State.BUSY)) {
            return true;
        }
        try {
            return append(piece);
        } finally {
            endUse();
        }
    }

    private void endUse() {
        if (!state.compareAndSet(State.BUSY, State.IDLE)) {
            event.release();
        }
    }

    private boolean append(ByteBuf piece) {
        int size = piece.readableBytes();
        int begin = event.writerIndex();
        if (size > limit - begin) {
            return false;
        }
        event.writeBytes(piece, piece.readerIndex(), size);
        int end = begin + size;
        for (int at = lineBreak(begin, end); at >= 0; at = lineBreak(at + 1, end)) {
            event.setByte(at, ' ');
        }
        try {
            event.getBytes(begin, hash, size);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the hash does not throw
        }
        return true;
    }

    private int lineBreak(int from, int end) {
        return event.forEachByte(from, end - from, ByteProcessor.FIND_CRLF);
    }

    /**
     * Ends the result; nothing is added from here on.
     *
     * @param tag its entity tag; null for one of its bytes
     * @param rowLimit the number of rows if there would have been more; null if these are all
     * @return null if this was closed
     */
    @Nullable Whole end(@Nullable String tag, @Nullable String rowLimit) {
        if (!state.compareAndSet(State.IDLE, State.BUSY)) {
            return null;
        }
        try {
            String id = finish(tag, rowLimit);
            state.set(State.OVER);
            return new Whole(id, event);
        } catch (Throwable e) { // no memory for the event
            endUse();
            throw e;
        }
    }

    private String finish(@Nullable String tag, @Nullable String rowLimit) {
        String known = tag == null ? hash.tag() : tag;
        event.writeBytes(EventText.ID);
        ByteBufUtil.writeAscii(event, known);
        event.writeBytes(EventText.END);
        if (rowLimit != null) {
            event.writeBytes(EventText.TRUNCATED);
            ByteBufUtil.writeAscii(event, rowLimit);
            event.writeBytes(EventText.END);
        }
        return known;
    }

    /** Drops the result, unless it has ended. */
    void close() {
        if (state.getAndSet(State.OVER) == State.IDLE) {
            event.release();
        }
    }
}
