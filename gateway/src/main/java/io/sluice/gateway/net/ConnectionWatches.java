package io.sluice.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sluice.config.TimeoutsConfig;
import io.sluice.gateway.loop.PeriodicSteps;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Adds a {@link ConnectionWatch} to each connection, in the {@link WatchRound} of its event loop. */
public final class ConnectionWatches {
    private final PeriodicSteps steps;
    private final Map<EventLoop, WatchRound> rounds = new ConcurrentHashMap<>();

    /**
     * Watches of no connections yet.
     *
     * @param steps run the rounds
     */
    public ConnectionWatches(PeriodicSteps steps) {
        this.steps = steps;
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
        steps.run(loop, round::step);
        return round;
    }
}
