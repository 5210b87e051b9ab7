package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes the frames of a connection to its streams. Confined to the event loop. */
final class ResponseFrames extends Http2FrameAdapter {
    private final ClientConnection connection;
    private final StreamEnds ends;
    /** Streams that have received frames since the last {@link #readComplete()}. */
    private final List<StreamEvents> read = new ArrayList<>();
    /** Each SETTINGS may change the window of every stream. */
    private final FrameLimit settings = new FrameLimit(100, "SETTINGS");

    ResponseFrames(ClientConnection connection, StreamEnds ends) {
        this.connection = connection;
        this.ends = ends;
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings changed) throws Http2Exception {
        settings.count(ctx);
        connection.settingsChanged();
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding,
                              boolean endOfStream) throws Http2Exception {
        if (connection.connection().remote().isValidStreamId(streamId)) {
            throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR,
                    "stream %d of the endpoint, without a request", streamId);
        }
        StreamEvents stream = reading(streamId);
        if (stream != null) {
            stream.headers((ResponseFields) headers, endOfStream);
        }
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers,
                              int streamDependency, short weight, boolean exclusive, int padding,
                              boolean endOfStream) throws Http2Exception {
        onHeadersRead(ctx, streamId, headers, padding, endOfStream);
    }

    @Override
    public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding,
                          boolean endOfStream) {
        StreamEvents stream = reading(streamId);
        return stream == null ? data.readableBytes() + padding : stream.data(data, padding, endOfStream);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
        StreamEvents stream = connection.find(streamId);
        if (stream != null) {
            ends.received();
            stream.reset(new StreamReset(errorCode));
        }
    }

    private @Nullable StreamEvents reading(int streamId) {
        StreamEvents stream = connection.find(streamId);
        if (stream != null) {
            ends.received();
            connection.heartbeat().responded();
            if (read.isEmpty() || read.getLast() != stream) {
                read.add(stream);
            }
        }
        return stream;
    }

    /** Called when all frames that have arrived are delivered. */
    void readComplete() {
        for (int i = 0; i < read.size(); i++) {
            read.get(i).readComplete();
        }
        read.clear();
    }
}
