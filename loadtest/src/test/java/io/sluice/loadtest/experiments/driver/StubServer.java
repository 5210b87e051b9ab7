package io.sluice.loadtest.experiments.driver;

import static io.netty.handler.codec.http.HttpResponseStatus.GATEWAY_TIMEOUT;
import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;
import static io.netty.handler.codec.http.HttpResponseStatus.OK;
import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A Netty server on a free port. The path of a request chooses the answer. */
final class StubServer implements AutoCloseable {

    static final Duration SLOW = Duration.ofMillis(50);

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger mostInFlight = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel channel = new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                    accepted.incrementAndGet();
                    open.incrementAndGet();
                    channel.closeFuture().addListener(_ -> open.decrementAndGet());
                    channel.pipeline().addLast(new HttpServerCodec(), new Answering());
                }
            })
            .bind("127.0.0.1", 0).syncUninterruptibly().channel();

    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    int mostInFlight() {
        return mostInFlight.get();
    }

    /** Returns the number of accepted connections. */
    int accepted() {
        return accepted.get();
    }

    /** Returns the number of open connections. */
    int open() {
        return open.get();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private final class Answering extends SimpleChannelInboundHandler<HttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpRequest request) {
            mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            switch (request.uri()) {
                case "/ok" -> answer(context, OK, "ok", true);
                case "/empty" -> answer(context, OK, "", true);
                case "/bye" -> answer(context, OK, "bye", false);
                case "/fickle" -> {
                    answer(context, OK, "stay", true);
                    context.executor().schedule(() -> context.close(), 10, TimeUnit.MILLISECONDS);
                }
                case "/refused" -> answer(context, SERVICE_UNAVAILABLE, "busy", true);
                case "/late" -> answer(context, GATEWAY_TIMEOUT, "late", true);
                case "/slow" -> context.executor().schedule(() -> answer(context, OK, "slow", true),
                        SLOW.toMillis(), TimeUnit.MILLISECONDS);
                case "/reset" -> {
                    inFlight.decrementAndGet();
                    context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
                    context.close();
                }
                case "/never" -> inFlight.decrementAndGet();
                default -> answer(context, NOT_FOUND, "none", true);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // the load resets its connections when it ends
        }

        private void answer(ChannelHandlerContext context, HttpResponseStatus status, String body,
                boolean keepAlive) {
            inFlight.decrementAndGet();
            var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                    ByteBufUtil.writeAscii(context.alloc(), body));
            answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length());
            HttpUtil.setKeepAlive(answer, keepAlive);
            var written = context.writeAndFlush(answer);
            if (!keepAlive) {
                written.addListener(_ -> context.close());
            }
        }
    }
}
