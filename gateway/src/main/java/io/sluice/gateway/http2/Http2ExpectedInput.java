package io.sluice.gateway.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.sluice.gateway.http2.frames.FrameCodec;
import io.sluice.gateway.net.ExpectedInput;

/**
 * Tells a connection's watch what HTTP/2 expects from a client besides the bodies of its streams. Each stream
 * has a {@link StreamWatch}; a client that reads nothing at all is detected by its socket.
 */
record Http2ExpectedInput(FrameCodec codec, ChannelHandlerContext end) implements ExpectedInput {

    @Override
    public Awaited awaited() {
        if (requests() == 0) {
            return Awaited.FIRST_HEAD;
        }
        if (codec.isWithinHead()) {
            return Awaited.HEAD;
        }
        return codec.connection().numActiveStreams() > 0 ? Awaited.NOTHING : Awaited.NEXT_REQUEST;
    }

    @Override
    public long requests() {
        Http2Connection.Endpoint<?> client = codec.connection().remote();
        return client.lastStreamCreated();
    }

    @Override
    public void tooSlow(Awaited what) {
        end.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
        end.close();
    }

    @Override
    public boolean checkStreams(long now) {
        return codec.checkStreams(now);
    }
}
