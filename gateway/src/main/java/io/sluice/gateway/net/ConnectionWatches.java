package io.sluice.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sluice.config.TimeoutsConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Has each connection of a listener watched, in the round of its event loop. */
final class ConnectionWatches {
    private final TimeoutsConfig timeouts;
    private final LoopTicks ticks;
    private final Map<EventLoop, WatchRound> rounds = new ConcurrentHashMap<>();

    ConnectionWatches(TimeoutsConfig timeouts, LoopTicks ticks) {
        this.timeouts = timeouts;
        this.ticks = ticks;
    }

    /** Adds a watch at the end of a new connection's pipeline, on its event loop. */
    ConnectionWatch watch(Channel channel) {
        var watch = new ConnectionWatch(timeouts);
        channel.pipeline().addLast(watch);
        rounds.computeIfAbsent(channel.eventLoop(), this::round).add(watch);
        return watch;
    }

    private WatchRound round(EventLoop loop) {
        var round = new WatchRound(loop);
        ticks.run(loop, round::step);
        return round;
    }
}
