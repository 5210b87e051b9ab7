package io.sluice.gateway;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts flushes with data while a handler streams an answer of ten pieces to one client. */
@Sharable
public final class FlushCounter extends ChannelOutboundHandlerAdapter implements AutoCloseable {
    /** The body of each answer. */
    public static final String BODY = "0123456789";

    private final AtomicInteger flushes = new AtomicInteger();
    private volatile boolean unsent;
    private final LinkedBlockingQueue<Exchange> asked = new LinkedBlockingQueue<>();
    private final HandlerServer server = HandlerServer.within((_, http) -> (pipeline, watch) -> {
        pipeline.addLast(this);
        http.detected().addTo(pipeline, watch);
    }, HandlerServer.route("/at-once", FlushCounter::answer), HandlerServer.route("/later", asked::add));

    /** Returns the server. */
    public HandlerServer server() {
        return server;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        unsent = true;
        ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        if (unsent) {
            flushes.incrementAndGet();
        }
        unsent = false;
        ctx.flush();
    }

    /** Resets the counter when the server has nothing more to send. */
    public void forget() {
        server.settle();
        flushes.set(0);
    }

    /** Returns the number of flushes since {@link #forget()}. */
    public int flushes() {
        server.settle();
        return flushes.get();
    }

    /** Answers the next request for {@code /later}, in a task of the request's event loop. */
    public void answerLater() throws InterruptedException {
        Exchange exchange = asked.poll(30, TimeUnit.SECONDS);
        forget();
        exchange.eventLoop().submit(() -> answer(exchange)).syncUninterruptibly();
    }

    private static void answer(Exchange exchange) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        for (String piece : BODY.split("")) {
            stream.write(ByteBufUtil.writeAscii(exchange.alloc(), piece));
        }
        stream.end();
    }

    @Override
    public void close() {
        server.close();
    }
}
