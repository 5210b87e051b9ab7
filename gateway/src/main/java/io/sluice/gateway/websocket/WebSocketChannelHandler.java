package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.gateway.net.Connections.DrainEvent;
import io.sluice.gateway.net.Connections.EndEvent;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands what happens to a channel to its socket. */
final class WebSocketChannelHandler extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(WebSocketChannelHandler.class);

    private final WebSocketConnection socket;

    WebSocketChannelHandler(WebSocketConnection socket) {
        this.socket = socket;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        socket.open(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        socket.read((ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        socket.readEnds();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            // Later: this may be called from within a write.
            context.executor().execute(socket::writable);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof DrainEvent(long delayNanos)) {
            context.executor().schedule(socket::goAway, delayNanos, TimeUnit.NANOSECONDS);
        } else if (event instanceof EndEvent) {
            socket.fail(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        socket.gone();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            log.debug("socket {} broke", socket.id(), cause);
        } else {
            log.warn("socket {} failed", socket.id(), cause);
        }
        context.close();
    }
}
