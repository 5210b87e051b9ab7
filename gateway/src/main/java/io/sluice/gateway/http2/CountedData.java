package io.sluice.gateway.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import org.jspecify.annotations.Nullable;

/**
 * A DATA frame to be sent, which counts against its stream's limit of unsent bytes with the objects that
 * hold it: without them, a client that leaves its window closed could make thousands of frames of a few
 * bytes wait.
 */
final class CountedData extends DefaultByteBufHolder implements Http2DataFrame {
    /**
     * The bytes that a frame counts for besides its content. Its buffer, promise and places in queues take
     * half of that; and the frames of all streams end in one task when the connection does.
     */
    private static final int OVERHEAD = 1024;

    private final boolean last;
    private @Nullable Http2FrameStream stream;

    /** Creates a frame without END_STREAM. */
    CountedData(ByteBuf content) {
        this(content, false);
    }

    CountedData(ByteBuf content, boolean last) {
        super(content);
        this.last = last;
    }

    /** Returns an empty frame with END_STREAM. */
    static CountedData end() {
        return new CountedData(Unpooled.EMPTY_BUFFER, true);
    }

    @Override
    public String name() {
        return "DATA";
    }

    @Override
    public @Nullable Http2FrameStream stream() {
        return stream;
    }

    @Override
    public CountedData stream(Http2FrameStream of) {
        stream = of;
        return this;
    }

    @Override
    public boolean isEndStream() {
        return last;
    }

    @Override
    public int padding() {
        return 0;
    }

    /** Returns what the frame counts as until it is sent; the codec itself counts the content. */
    @Override
    public int initialFlowControlledBytes() {
        return content().readableBytes() + OVERHEAD;
    }

    @Override
    public CountedData replace(ByteBuf content) {
        return new CountedData(content, last);
    }

    @Override
    public CountedData copy() {
        return replace(content().copy());
    }

    @Override
    public CountedData duplicate() {
        return replace(content().duplicate());
    }

    @Override
    public CountedData retainedDuplicate() {
        return replace(content().retainedDuplicate());
    }

    @Override
    public CountedData retain() {
        super.retain();
        return this;
    }

    @Override
    public CountedData retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public CountedData touch() {
        super.touch();
        return this;
    }

    @Override
    public CountedData touch(Object hint) {
        super.touch(hint);
        return this;
    }
}
