package io.sluice.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sluice.config.TimeoutsConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Has each connection watched, in the round of its event loop. */
public final class ConnectionWatches {
    private final LoopTicks ticks;
    private final Map<EventLoop, WatchRound> rounds = new ConcurrentHashMap<>();

    /**
     * No connections yet.
     *
     * @param ticks tell when to look at them
     */
    public ConnectionWatches(LoopTicks ticks) {
        this.ticks = ticks;
    }

    /** Adds a watch at the end of a new connection's pipeline, on its event loop. */
    ConnectionWatch watch(Channel channel, TimeoutsConfig timeouts) {
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
