package io.sluice.loadtest.experiments.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The WebSockets of a plain Netty server; one task for each event loop writes a message to its own. */
final class BareTopic {

    /** Each set belongs to its event loop. */
    private final Map<EventLoop, Set<Channel>> subscribers = new ConcurrentHashMap<>();

    /** Adds a WebSocket, on its event loop. */
    void subscribe(Channel channel) {
        var ofLoop = subscribers.computeIfAbsent(channel.eventLoop(), _ -> new LinkedHashSet<>());
        ofLoop.add(channel);
        channel.closeFuture().addListener(_ -> ofLoop.remove(channel));
    }

    /** Writes a text to all; releases it. Any thread. */
    void deliver(ByteBuf text) {
        subscribers.forEach((loop, channels) -> {
            text.retain();
            loop.execute(() -> {
                channels.forEach(channel -> channel.writeAndFlush(
                        new TextWebSocketFrame(text.retainedDuplicate()), channel.voidPromise()));
                text.release();
            });
        });
        text.release();
    }
}
