package io.sluice.gateway.http2.frames;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Netty's frame codec between guards, for which its builder has no place. */
public final class FrameCodec extends Http2FrameCodec {
    private static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");

    /** Streams cut off in one look: so many take a quarter of a millisecond or so. */
    private static final int TURN = 4;

    private final Http2Config config;
    /** The key of a stream's {@link WatchedStream}. */
    private final Http2Connection.PropertyKey watched;

    private FrameCodec(Http2Config config, Http2Connection.PropertyKey watched,
                       Http2ConnectionEncoder encoder, Http2ConnectionDecoder decoder,
                       Http2Settings settings) {
        super(encoder, decoder, settings, true, true);
        this.config = config;
        this.watched = watched;
    }

    /**
     * For a connection that was accepted.
     *
     * @param maxHeaderList in bytes, as SETTINGS_MAX_HEADER_LIST_SIZE counts
     * @param maxHeaders how many fields a request may have
     * @param clock the event loop's
     * @param goesOn whether another frame may be read now; if not, a read of nothing says when to go on
     */
    public static FrameCodec of(Http2Config config, long maxHeaderList, int maxHeaders, Ticker clock,
                                BooleanSupplier goesOn) {
        var connection = new DefaultHttp2Connection(true);
        connection.remote().maxActiveStreams(config.maxConcurrentStreams());
        // Fair, without priorities, of which clients could make trees.
        connection.remote().flowController(new DefaultHttp2RemoteFlowController(connection,
                new UniformStreamByteDistributor(connection)));
        var discarded = new RecentStreams();
        var conduct = new ClientConduct(config, clock);
        // What differs each time must not push from the table what does not.
        var frames = new DefaultHttp2FrameWriter((name, _) -> REQUEST_ID.contentEquals(name));
        Http2Connection.PropertyKey watched = connection.newKey();
        var writer = new CountingFrameWriter(frames, connection, watched);
        var encoder = new ReplyGuard(new DefaultHttp2ConnectionEncoder(connection, writer), conduct,
                discarded, config.maxUnsentReplies());
        var reader = new GuardedFrameReader(new DefaultHttp2FrameReader(
                new HeaderBlockDecoder(maxHeaderList, maxHeaders), config.maxSmallContinuations()),
                goesOn, listener -> new FrameGuard(listener, connection, conduct, discarded));
        var decoder = new DefaultHttp2ConnectionDecoder(connection, encoder, reader,
                Http2PromisedRequestVerifier.ALWAYS_VERIFY, true, true, false, false);
        return new FrameCodec(config, watched, encoder, decoder, new Http2Settings()
                .connectProtocolEnabled(true)
                .maxConcurrentStreams(config.maxConcurrentStreams())
                .initialWindowSize(config.initialWindow().intBytes())
                .maxHeaderListSize(maxHeaderList));
    }

    /**
     * Lets all streams together send as much as each may, so that a body that nobody reads yet is in no other
     * one's way. On the event loop, once this is in a pipeline.
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

    /** Whether a frame has come in part. */
    public boolean hasBegunFrame() {
        return actualReadableBytes() > 0;
    }

    /** Has a stream that is open watched, until it is closed. */
    public void watch(Http2FrameStream stream, WatchedStream by) {
        Http2Stream open = connection().stream(stream.id());
        if (open != null) {
            open.setProperty(watched, by);
        }
    }

    /** Has the streams look at their clients; says whether some are left for another look. */
    public boolean lookAtStreams(long now) {
        Http2RemoteFlowController windows = connection().remote().flowController();
        boolean none = windows.windowSize(connection().connectionStream()) <= 0;
        var cutOff = new AtomicInteger();
        return visitStreams(stream -> {
            WatchedStream its = stream.getProperty(watched);
            boolean unsent = windows.hasFlowControlled(stream);
            boolean blocked = unsent && (none || windows.windowSize(stream) <= 0);
            return its == null || !its.look(unsent, blocked, now) || cutOff.incrementAndGet() < TURN;
        });
    }

    /** Tells each stream of an event of its own. */
    public void tellStreams(Supplier<Object> events) {
        visitStreams(stream -> {
            WatchedStream its = stream.getProperty(watched);
            if (its != null) {
                its.told(events.get());
            }
            return true;
        });
    }

    /** Visits those that are open; says whether the visitor has stopped before the last. */
    private boolean visitStreams(Http2StreamVisitor visitor) {
        try {
            return connection().forEachActiveStream(visitor) != null;
        } catch (Http2Exception e) {
            throw new IllegalStateException(e); // it throws what the visitor does
        }
    }

    /** What runs for a connection that is given up ends before it is closed. */
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
