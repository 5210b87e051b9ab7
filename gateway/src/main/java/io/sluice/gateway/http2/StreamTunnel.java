package io.sluice.gateway.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.TimeoutsConfig;
import io.sluice.gateway.http2.frames.WatchedStream;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.MinimumRate;
import io.sluice.gateway.net.TunnelCounts;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.gateway.tunnel.TunnelHandler;
import io.sluice.handlers.Tunnel;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tunnel over the stream of an extended CONNECT (RFC 8441). DATA frames carry its bytes, END_STREAM closes
 * one half, RST_STREAM closes both. Bytes return to the client's flow-control window when the tunnel has
 * consumed them.
 */
final class StreamTunnel extends TunnelHandler implements WatchedStream {
    private static final Logger log = LoggerFactory.getLogger(StreamTunnel.class);
    /** The time for the client to end a stream that the gateway has ended. */
    private static final long LINGER_SECONDS = 2;

    private final StreamInput input;
    private final MinimumRate reading;
    private boolean ended;
    private boolean paused;
    private boolean passing;
    /** Consumed bytes that return to the flow-control window only when the tunnel is no longer paused. */
    private int owed;
    private long sent;

    /**
     * Creates a tunnel that follows a 200.
     *
     * @param input input that has arrived on the stream before
     * @param ended whether that was the end of the input
     * @param timeouts the pace at which the client has to read
     */
    StreamTunnel(Tunnel tunnel, DrainableSet ofRoute, TunnelCounts counts, EventExecutor loop,
                 StreamInput input, boolean ended, TimeoutsConfig timeouts) {
        super(tunnel, ofRoute, counts, loop);
        this.input = input;
        this.ended = ended;
        reading = MinimumRate.ofSocket(timeouts);
    }

    /** Flushes the 200 and delivers the input that arrived before. */
    void begin() {
        flush();
        if (!paused) {
            resume();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        switch (frame) {
            case Http2DataFrame data -> content(data);
            case Http2HeadersFrame _ -> { // RFC 9113 section 8.5
                log.debug("{} has trailers in a tunnel", context.channel());
                context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.PROTOCOL_ERROR));
            }
            default -> ReferenceCountUtil.release(frame);
        }
    }

    private void content(Http2DataFrame frame) {
        ByteBuf bytes = frame.content();
        ended = frame.isEndStream();
        if (isClosing()) {
            bytes.release(); // without giving back flow-control window
            return;
        }
        input.giveBack(frame.initialFlowControlledBytes() - bytes.readableBytes());
        if (!bytes.isReadable()) {
            bytes.release();
        } else if (paused || !input.isEmpty()) {
            if (!input.keep(bytes)) {
                log.debug("{} is reset, as memory is short", context().channel());
                reset();
            }
        } else {
            pass(bytes);
        }
        endIfRead();
    }

    private void pass(ByteBuf bytes) {
        owed += bytes.readableBytes();
        passing = true;
        try {
            read(bytes);
        } finally {
            passing = false;
        }
        giveBackOwed();
    }

    private void giveBackOwed() {
        if (!paused && !isClosing()) {
            input.giveBack(owed);
            owed = 0;
        }
    }

    private void endIfRead() {
        if (ended && !paused && input.isEmpty()) {
            ended = false;
            inputClosed();
        }
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
        if (passing) {
            return; // the caller of pass() continues
        }
        giveBackOwed();
        boolean any = !input.isEmpty();
        while (!paused && !input.isEmpty()) {
            pass(input.take());
        }
        if (any) {
            channelReadComplete(context());
        }
        endIfRead();
        context().flush();
    }

    @Override
    protected void dropInput() {
        input.release();
        paused = false;
    }

    @Override
    protected Object framed(ByteBuf bytes) {
        return new CountedData(bytes);
    }

    /** Does nothing, as END_STREAM of the client does not close a stream. */
    @Override
    protected void allowHalfClose() {
    }

    @Override
    protected void endOutput() {
        context().writeAndFlush(CountedData.end());
    }

    @Override
    protected void linger(boolean outputOpen) {
        ChannelHandlerContext ctx = context();
        ChannelFuture closed = outputOpen ? ctx.writeAndFlush(CountedData.end())
                : ctx.newSucceededFuture();
        closed.addListener(_ -> {
            Future<?> timer = ctx.executor().schedule(() -> ctx.close(), LINGER_SECONDS, TimeUnit.SECONDS);
            ctx.channel().closeFuture().addListener(_ -> timer.cancel(false));
        });
    }

    /**
     * Resets the stream with CANCEL, which corresponds to a TCP reset (RFC 8441 section 5). Netty itself does
     * not if both sides have ended, although the output may still wait for the client's window.
     */
    @Override
    protected void abort() {
        context().writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        context().close();
    }

    /** Handles errors of the stream; the codec resets the stream itself for those it has detected. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof Http2Exception) {
            log.debug("a stream broke: {}", cause.toString());
        } else {
            super.exceptionCaught(context, cause);
        }
    }

    // --- events of the connection for its streams

    @Override
    public void sent(int bytes) {
        sent += bytes;
    }

    @Override
    public long taken() {
        return sent;
    }

    @Override
    public void connectionEvent(Object event) {
        if (event instanceof ConnectionEvent.MemoryBack) {
            channelWritabilityChanged(context());
        } else {
            userEventTriggered(context(), event);
        }
    }

    /**
     * Resets a stream whose client does not open its window, unless the tunnel has an idle timeout. It
     * remains open until RST_STREAM has been flushed.
     */
    @Override
    public boolean check(boolean unsent, boolean blocked, int arrived, long now) {
        boolean tooSlow = !isCutOff() && !hasIdleTimeout() && reading.isTooSlow(blocked, sent, now);
        if (tooSlow) {
            log.debug("{} does not read what it is sent", context().channel());
            reset();
        }
        return tooSlow;
    }
}
