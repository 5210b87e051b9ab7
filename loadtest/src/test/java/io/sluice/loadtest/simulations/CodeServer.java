package io.sluice.loadtest.simulations;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A WebSocket server for clients with the token. It answers the exercise's program with the expected result,
 * and echoes other texts.
 */
public final class CodeServer implements AutoCloseable {

    public static final Duration RUN_TIME = Duration.ofMillis(30);

    private static final String RESULT = """
            {"exitCode":0,"stdout":"%s","stderr":"","timedOut":false,"truncated":false,"durationMs":30}"""
            .formatted(Exercise.OUTPUT.replace("\n", "\\n"));

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel channel;

    public CodeServer(String token) {
        channel = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accepted.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1_024),
                                new DoorKeeper("Bearer " + token),
                                new WebSocketServerProtocolHandler("/ws", null, false, 65_536, false, true),
                                new Answering());
                    }
                })
                .bind("127.0.0.1", 0).syncUninterruptibly().channel();
    }

    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static final class DoorKeeper extends SimpleChannelInboundHandler<FullHttpRequest> {

        private final String wanted;

        private DoorKeeper(String wanted) {
            this.wanted = wanted;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            if (wanted.equals(request.headers().get(HttpHeaderNames.AUTHORIZATION))) {
                context.fireChannelRead(request.retain());
            } else {
                context.close();
            }
        }
    }

    private static final class Answering extends SimpleChannelInboundHandler<TextWebSocketFrame> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
            var text = frame.text();
            if (text.equals(Exercise.MESSAGE)) {
                context.executor().schedule(
                        () -> context.writeAndFlush(new TextWebSocketFrame(RESULT)),
                        RUN_TIME.toMillis(), TimeUnit.MILLISECONDS);
            } else {
                context.writeAndFlush(new TextWebSocketFrame(text));
            }
        }
    }
}
