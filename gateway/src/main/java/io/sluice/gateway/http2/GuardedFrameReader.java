package io.sluice.gateway.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameReader;
import java.util.function.UnaryOperator;

/** Puts a guard before whoever listens to a reader's frames: Netty has one for the preface, then another. */
final class GuardedFrameReader implements Http2FrameReader {
    private final Http2FrameReader reader;
    private final UnaryOperator<Http2FrameListener> guard;
    private Http2FrameListener listener;
    private Http2FrameListener guarded;

    GuardedFrameReader(Http2FrameReader reader, UnaryOperator<Http2FrameListener> guard) {
        this.reader = reader;
        this.guard = guard;
    }

    @Override
    public void readFrame(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener to)
            throws Http2Exception {
        if (listener != to) {
            listener = to;
            guarded = guard.apply(to);
        }
        reader.readFrame(ctx, input, guarded);
    }

    @Override
    public Configuration configuration() {
        return reader.configuration();
    }

    @Override
    public void close() {
        reader.close();
    }
}
