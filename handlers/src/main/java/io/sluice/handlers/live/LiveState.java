package io.sluice.handlers.live;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AbstractReferenceCounted;
import org.jspecify.annotations.Nullable;

/**
 * The newest result of a query, and the problem that has kept it from being newer. Shared by all its streams.
 * Immutable, and reference-counted: retain it to keep it.
 */
final class LiveState extends AbstractReferenceCounted {
    private final long version;
    private final ResultEvent.@Nullable Whole result;
    private final @Nullable Problem problem;

    /** A failure, with its event. */
    private record Problem(int status, ByteBuf event) {
    }

    private LiveState(long version, ResultEvent.@Nullable Whole result, @Nullable Problem problem) {
        this.version = version;
        this.result = result;
        this.problem = problem;
    }

    /** Returns a state before the first run. */
    static LiveState none() {
        return new LiveState(0, null, null);
    }

    /**
     * Returns a state with a newer result and no problem.
     *
     * @param newer owned by the state from here on
     */
    LiveState with(ResultEvent.Whole newer) {
        return new LiveState(version + 1, newer, null);
    }

    /**
     * Returns a state with a problem.
     *
     * @param json a line, which stays the caller's
     * @param keepsResult whether the result so far may still be right
     */
    LiveState with(int status, ByteBuf json, boolean keepsResult) {
        ByteBuf event = Unpooled.buffer(json.readableBytes() + 32);
        event.writeBytes(EventText.PROBLEM).writeBytes(json, json.readerIndex(), json.readableBytes())
                .writeBytes(EventText.END);
        if (keepsResult && result != null) {
            result.event().retain();
        }
        return new LiveState(version + 1, keepsResult ? result : null, new Problem(status, event));
    }

    /** Returns its number; those of later states are larger. */
    long version() {
        return version;
    }

    /** Returns the entity tag of the result; null without one. */
    @Nullable String tag() {
        return result == null ? null : result.tag();
    }

    /** Returns the status of the problem; 0 without one. */
    int problemStatus() {
        return problem == null ? 0 : problem.status();
    }

    /** Returns the event with the result, owned by the caller. There has to be a result. */
    ByteBuf resultEvent() {
        if (result == null) {
            throw new IllegalStateException("no result (expected: one, as there is a tag)");
        }
        return result.event().retainedDuplicate();
    }

    /** Returns the event of the problem, owned by the caller. There has to be one. */
    ByteBuf problemEvent() {
        if (problem == null) {
            throw new IllegalStateException("no problem (expected: one, as there is a status)");
        }
        return problem.event().retainedDuplicate();
    }

    @Override
    protected void deallocate() {
        if (result != null) {
            result.event().release();
        }
        if (problem != null) {
            problem.event().release();
        }
    }

    @Override
    public LiveState retain() {
        super.retain();
        return this;
    }

    @Override
    public LiveState touch(Object hint) {
        if (result != null) {
            result.event().touch(hint);
        }
        return this;
    }
}
