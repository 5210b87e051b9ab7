package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/2 to an endpoint (RFC 9113), on Netty's codec without channels for streams. It serves
 * requests from the endpoint's SETTINGS to its GOAWAY. Confined to the event loop.
 */
public final class ClientConnection extends Http2ConnectionHandler {
    /** After so many streams a connection is replaced, long before their ids are used up. */
    private static final int LAST_STREAM = 1 << 30;
    /** The time for the endpoint to accept the last frames of a connection that is closed. */
    private static final long CLOSE_MILLIS = 1000;

    private final ConnectionEvents home;
    /** The key of the receiver of a stream's events. */
    private final Http2Connection.PropertyKey user;
    private final StreamEnds ends = new StreamEnds(this);
    private final ResponseFrames frames = new ResponseFrames(this, ends);
    private final Duration patience;
    private Heartbeat heartbeat;
    private ChannelHandlerContext ctx;
    private FrameFlush flush;
    private boolean ready;
    private boolean retired;
    private long idleSinceNanos;
    private @Nullable Throwable cause;

    ClientConnection(ConnectionEvents home, Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder,
                     Http2Settings settings, Duration patience) {
        super(decoder, encoder, settings, false, true);
        this.home = home;
        this.patience = patience;
        user = connection().newKey();
        decoder.frameListener(frames);
        connection().addListener(ends);
        connection().remote().flowController().listener(stream -> {
            StreamEvents of = events(stream);
            if (of != null) {
                of.writabilityChanged();
            }
        });
        gracefulShutdownTimeoutMillis(CLOSE_MILLIS);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
        ctx = context;
        heartbeat = new Heartbeat(this, ctx, patience);
        flush = new FrameFlush(ctx.executor(), () -> flush(ctx));
        super.handlerAdded(context);
        // A response that waits for its client must not hold up others: only streams have a limit.
        connection().local().flowController().incrementWindowSize(connection().connectionStream(),
                Integer.MAX_VALUE - ClientCodec.WINDOW);
        ctx.flush();
    }

    /** Returns the event loop. */
    public EventExecutor executor() {
        return ctx.executor();
    }

    /** Returns the address of the endpoint. */
    public SocketAddress address() {
        return ctx.channel().remoteAddress();
    }

    /** Returns whether the endpoint has accepted the connection, by its SETTINGS. */
    public boolean isReady() {
        return ready;
    }

    /** Returns whether it can carry another stream now. */
    public boolean hasRoom() {
        return ready && isServing() && connection().local().canOpenStream();
    }

    /** Returns whether further streams may be opened on it, now or when others have ended. */
    public boolean isServing() {
        return ctx.channel().isActive() && !retired && cause == null && !heartbeat.isOverdue()
                && !connection().goAwayReceived() && !connection().goAwaySent()
                && connection().local().lastStreamCreated() < LAST_STREAM;
    }

    /** Returns whether no stream is open. */
    public boolean isIdle() {
        return connection().numActiveStreams() == 0;
    }

    /** Returns the time since which no stream is open, by the event loop's clock. */
    public long idleSinceNanos() {
        return idleSinceNanos;
    }

    /** Returns why the connection breaks; null if it does not. */
    public @Nullable Throwable cause() {
        return cause;
    }

    /** Returns the endpoint's signs of life. */
    public Heartbeat heartbeat() {
        return heartbeat;
    }

    /** Begins no more streams, and closes the connection when the last one has ended. */
    public void retire() {
        retired = true;
        if (isIdle()) {
            ctx.channel().close();
        }
    }

    /** Returns whether it has carried a stream. */
    public boolean isReused() {
        return connection().local().lastStreamCreated() > 0;
    }

    /**
     * Begins a stream by its head; {@link #flushLater()} sends it.
     *
     * @param end whether no body follows
     * @throws IllegalStateException if there is no room
     */
    public Http2Stream send(Http2Headers head, boolean end, StreamEvents events) {
        int id = connection().local().incrementAndGetNextStreamId();
        try {
            Http2Stream stream = connection().local().createStream(id, false);
            stream.setProperty(user, events);
            encoder().writeHeaders(ctx, id, head, 0, end, ctx.newPromise());
            return stream;
        } catch (Http2Exception e) {
            throw new IllegalStateException("a stream on a connection without room", e);
        }
    }

    /** Writes a piece of a body, and takes its ownership. */
    public void write(Http2Stream stream, ByteBuf piece) {
        int length = piece.readableBytes();
        encoder().writeData(ctx, stream.id(), piece, 0, false, ctx.newPromise());
        flush.wrote(length);
    }

    /** Ends a body, unless the stream has ended: it may have been refused before its head was sent. */
    public void end(Http2Stream stream, Http2Headers trailers) {
        if (trailers.isEmpty()) {
            encoder().writeData(ctx, stream.id(), Unpooled.EMPTY_BUFFER, 0, true, ctx.newPromise());
        } else if (stream.state() != Http2Stream.State.CLOSED) { // otherwise HEADERS would begin it again
            encoder().writeHeaders(ctx, stream.id(), trailers, 0, true, ctx.newPromise());
        }
    }

    /** Returns whether the endpoint reads a body as fast as it is written. */
    public boolean isWritable(Http2Stream stream) {
        return connection().remote().flowController().isWritable(stream);
    }

    /** Returns whether a part of a request waits for credit. */
    public boolean hasUnsent(Http2Stream stream) {
        return connection().remote().flowController().hasFlowControlled(stream);
    }

    /** Lets the endpoint send more of a response. */
    public void grant(Http2Stream stream, int bytes) {
        try {
            if (connection().local().flowController().consumeBytes(stream, bytes)) {
                flushLater();
            }
        } catch (Http2Exception e) {
            onError(ctx, false, e);
        }
    }

    /** Ends a stream at once, unless it has ended. After too many resets the connection is replaced. */
    public void reset(Http2Stream stream, Http2Error error) {
        if (stream.state() != Http2Stream.State.CLOSED) {
            retired |= ends.isLastReset(ctx.executor().ticker().nanoTime());
            resetStream(ctx, stream.id(), error.code(), ctx.newPromise());
            flushLater();
        }
    }

    /** Sends what streams have written in this turn of the event loop, in one write. */
    public void flushLater() {
        flush.later();
    }

    /** Called with each SETTINGS of the endpoint. */
    void settingsChanged() {
        if (ready) {
            home.changed(this);
        } else {
            ready = true;
            idleSinceNanos = ctx.executor().ticker().nanoTime();
            home.accepted(this);
        }
    }

    /** Returns the open stream of an id; null if there is none. */
    @Nullable StreamEvents find(int streamId) {
        Http2Stream stream = connection().stream(streamId);
        return stream == null ? null : events(stream);
    }

    /** Returns the receiver of a stream's events; null if it has none. */
    @Nullable StreamEvents events(Http2Stream stream) {
        return stream.getProperty(user);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        heartbeat.heard();
        super.channelRead(context, bytes);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        frames.readComplete();
        super.channelReadComplete(context);
    }

    /** Returns whether no stream has got a frame since it was idle: the endpoint may have closed it then. */
    public boolean isSilent() {
        return ends.isSilent();
    }

    /** Returns true at the first call: all requests that are lost with the connection are one failure. */
    public boolean isFirstLoss() {
        return ends.isFirstLoss();
    }

    /** Called when a stream has ended. */
    void streamEnded() {
        idleSinceNanos = ctx.executor().ticker().nanoTime();
        changed();
    }

    /** Called when the connection may have got room, or may have lost it for good. */
    void changed() {
        if (isIdle() && !isServing()) {
            ctx.channel().close();
        }
        home.changed(this);
    }

    /** Resets the stream of a frame in error, but answers no reset with one (RFC 9113 section 5.4.2). */
    @Override
    protected void onStreamError(ChannelHandlerContext context, boolean outbound, Throwable why,
                                 Http2Exception.StreamException error) {
        StreamEvents of = find(error.streamId());
        boolean hasEnded = error.error() == Http2Error.STREAM_CLOSED;
        if (of != null && !hasEnded) {
            of.malformed(error);
        }
        if (of != null && !(hasEnded && outbound)) { // else the rest of a request, which was queued
            super.onStreamError(context, outbound, why, error);
        }
    }

    /** Closes the connection after a violation, not after a failed write: responses may have come before. */
    @Override
    protected void onConnectionError(ChannelHandlerContext context, boolean outbound, Throwable why,
                                     Http2Exception error) {
        cause = why;
        if (!outbound || error != null) {
            ends.received();
            super.onConnectionError(context, outbound, why, error);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
        cause = why;
        if (!(why instanceof IOException)) {
            ctx.channel().close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        heartbeat.end();
        super.channelInactive(context);
        home.closed(this);
    }
}
