package io.sluice.gateway.http2.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamVisitor;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.Http2Config;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.handlers.message.Cumulation;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Netty's frame codec with guards before its reader and its encoder, for which Netty's builder has no hooks.
 */
public final class FrameCodec extends Http2FrameCodec {
    private static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");

    /** Streams aborted in one check, which takes about a quarter of a millisecond. */
    private static final int TURN = 4;

    private final Http2Config config;
    private final GuardedFrameReader reader;
    /** The key of a stream's {@link WatchedStream}. */
    private final Http2Connection.PropertyKey watched;
    private boolean errorSent;

    private FrameCodec(Http2Config config, GuardedFrameReader reader, Http2Connection.PropertyKey watched,
                       Http2ConnectionEncoder encoder, Http2ConnectionDecoder decoder,
                       Http2Settings settings) {
        super(encoder, decoder, settings, true, true);
        setCumulator(Cumulation.CUMULATOR);
        this.config = config;
        this.reader = reader;
        this.watched = watched;
    }

    /**
     * Creates the codec of an accepted connection.
     *
     * @param maxHeaderList in bytes, as SETTINGS_MAX_HEADER_LIST_SIZE counts
     * @param maxHeaders the most header fields of a request
     * @param clock the event loop's
     * @param mayContinue returns whether another frame may be read now; after false, an empty read resumes
     * @param memory for the streams
     */
    public static FrameCodec of(Http2Config config, long maxHeaderList, int maxHeaders, Ticker clock,
                                BooleanSupplier mayContinue, RequestMemory memory) {
        var connection = new DefaultHttp2Connection(true);
        connection.remote().maxActiveStreams(config.maxConcurrentStreams());
        connection.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamAdded(Http2Stream stream) {
                memory.take(RequestMemory.STREAM);
            }

            @Override
            public void onStreamRemoved(Http2Stream stream) {
                memory.giveBack(RequestMemory.STREAM);
            }
        });
        // Serves streams equally, without priorities, of which clients could build costly trees.
        connection.remote().flowController(new DefaultHttp2RemoteFlowController(connection,
                new UniformStreamByteDistributor(connection)));
        // All streams may be reset at once, and as many again while the client does not know yet; others may
        // be refused before it knows the limit.
        var discarded = new RecentStreams(
                2 * config.maxConcurrentStreams() + ClientConduct.MAX_EXCUSED_STREAMS);
        var opened = new RecentStreams(1);
        var conduct = new ClientConduct(config, clock);
        // Request ids differ each time; in the HPACK table they would evict fields that are reused.
        var frames = new DefaultHttp2FrameWriter((name, _) -> REQUEST_ID.contentEquals(name));
        Http2Connection.PropertyKey watched = connection.newKey();
        var writer = new CountingFrameWriter(frames, connection, watched, conduct);
        var encoder = new ReplyGuard(new DefaultHttp2ConnectionEncoder(connection, writer), conduct,
                discarded, config);
        var reader = new GuardedFrameReader(new DefaultHttp2FrameReader(
                new HeaderBlockDecoder(maxHeaderList, maxHeaders), config.maxSmallContinuations()),
                conduct, id -> !connection.streamMayHaveExisted(id) && !discarded.contains(id), mayContinue,
                listener -> new FrameGuard(listener, connection, conduct, discarded, opened, memory));
        var decoder = new DefaultHttp2ConnectionDecoder(connection, encoder, reader,
                Http2PromisedRequestVerifier.ALWAYS_VERIFY, true, true, false, false);
        return new FrameCodec(config, reader, watched, encoder, decoder, new Http2Settings()
                .connectProtocolEnabled(true)
                .maxConcurrentStreams(config.maxConcurrentStreams())
                .initialWindowSize(config.initialWindow().intBytes())
                .maxHeaderListSize(maxHeaderList));
    }

    /**
     * Widens the connection's flow-control window to the sum of the streams' windows, so that a body that is
     * not read yet does not hold up other streams. On the event loop, once this is in a pipeline.
     */
    public void widenWindow() {
        Http2Connection connection = connection();
        long all = (long) config.maxConcurrentStreams() * config.initialWindow().bytes();
        try {
            int window = connection.local().flowController().initialWindowSize(connection.connectionStream());
            int more = (int) Math.min(all, Integer.MAX_VALUE) - window;
            connection.local().flowController().incrementWindowSize(connection.connectionStream(), more);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether the head of a request has arrived in part, or its trailers. */
    public boolean isWithinHead() {
        return reader.isWithinHead(internalBuffer());
    }

    /**
     * Ends the connection by an error if the head of a request has arrived in part, or its trailers, and
     * releases that part.
     *
     * @param ctx of this handler
     */
    public void refusePartialHead(ChannelHandlerContext ctx, String reason) throws Exception {
        if (reader.refusePartialHead(internalBuffer())) {
            onError(ctx, true, ClientConduct.notCalm(reason));
            channelRead(ctx, Unpooled.EMPTY_BUFFER); // drops the input that has not been read
        }
    }

    /** Assigns the watch of an open stream, until the stream is closed. */
    public void watch(Http2FrameStream stream, WatchedStream by) {
        Http2Stream open = connection().stream(stream.id());
        if (open != null) {
            open.setProperty(watched, by);
        }
    }

    /**
     * Makes the streams check the pace of their client. On the event loop.
     *
     * @param now in nanoseconds, by the event loop's clock
     * @return whether streams remain for another check, as enough were aborted in this one
     */
    public boolean checkStreams(long now) {
        Http2RemoteFlowController windows = connection().remote().flowController();
        boolean none = windows.windowSize(connection().connectionStream()) <= 0;
        var cutOff = new AtomicInteger();
        return visitStreams(stream -> {
            WatchedStream checked = stream.getProperty(watched);
            boolean unsent = windows.hasFlowControlled(stream);
            boolean blocked = unsent && (none || windows.windowSize(stream) <= 0);
            return checked == null || !checked.check(unsent, blocked, arrived(stream), now)
                    || cutOff.incrementAndGet() < TURN;
        });
    }

    /** Returns how many bytes have arrived of a stream's DATA frame that has not been read. */
    private int arrived(Http2Stream stream) {
        ByteBuf input = internalBuffer();
        return GuardedFrameReader.isData(input, stream.id())
                ? Math.min(input.readableBytes() - Http2CodecUtil.FRAME_HEADER_LENGTH,
                        input.getUnsignedMedium(input.readerIndex())) : 0;
    }

    /** Sends each stream an event of its own. On the event loop. */
    public void notifyStreams(Supplier<Object> events) {
        visitStreams(stream -> {
            WatchedStream notified = stream.getProperty(watched);
            if (notified != null) {
                notified.connectionEvent(events.get());
            }
            return true;
        });
    }

    /** Visits the open streams; returns whether the visitor stopped before the last. */
    private boolean visitStreams(Http2StreamVisitor visitor) {
        try {
            return connection().forEachActiveStream(visitor) != null;
        } catch (Http2Exception e) {
            throw new IllegalStateException(e); // rethrows exceptions of the visitor, which throws none
        }
    }

    /**
     * Sends a GOAWAY. That of an error names the last stream of which a head has arrived, not Netty's highest
     * id, as clients may repeat the requests on later streams; nor an id above that of an earlier GOAWAY (RFC
     * 9113 section 6.8). Netty omits one with the same id as the one before, such as that of an error while
     * the connection drains.
     */
    @Override
    public ChannelFuture goAway(ChannelHandlerContext ctx, int lastStreamId, long errorCode,
                                ByteBuf debugData, ChannelPromise promise) {
        if (errorCode == Http2Error.NO_ERROR.code()) {
            return super.goAway(ctx, lastStreamId, errorCode, debugData, promise);
        }
        int last = Math.min(lastStreamId, reader.lastHead());
        int named = connection().remote().lastStreamKnownByPeer();
        boolean repeats = connection().goAwaySent() && named <= last;
        boolean firstError = !errorSent;
        errorSent = true;
        return repeats && firstError
                ? encoder().frameWriter().writeGoAway(ctx, named, errorCode, debugData, promise.unvoid())
                : super.goAway(ctx, repeats ? named : last, errorCode, debugData, promise);
    }

    /** Closes the streams, so that the work for their requests ends before the connection is closed. */
    @Override
    protected void onConnectionError(ChannelHandlerContext ctx, boolean outbound, Throwable cause,
                                     Http2Exception http2Ex) {
        super.onConnectionError(ctx, outbound, cause, http2Ex);
        visitStreams(stream -> {
            stream.close();
            return true;
        });
    }
}
