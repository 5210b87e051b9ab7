package io.sluice.gateway.pipeline;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sluice.config.TimeoutsConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Has each connection of a listener watched, in the round of its event loop. */
final class ConnectionWatches {
    private final TimeoutsConfig timeouts;
    private final Map<EventLoop, WatchRound> rounds = new ConcurrentHashMap<>();

    ConnectionWatches(TimeoutsConfig timeouts) {
        this.timeouts = timeouts;
    }

    /** Adds a watch at the end of a new connection's pipeline, on its event loop. */
    ConnectionWatch watch(Channel channel) {
        var watch = new ConnectionWatch(timeouts);
        channel.pipeline().addLast(watch);
        rounds.computeIfAbsent(channel.eventLoop(), WatchRound::new).add(watch);
        return watch;
    }
}
