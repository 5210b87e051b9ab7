package io.sluice.gateway.http2;

import io.sluice.config.TimeoutsConfig;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.http2.frames.WatchedStream;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.gateway.net.MinimumRate;
import org.jspecify.annotations.Nullable;

/**
 * Aborts a stream whose client is too slow in sending the request's body or in opening the flow-control
 * window for the response. A {@link ConnectionWatch} triggers the check about once a second.
 */
final class StreamWatch implements WatchedStream {
    private final StreamDispatcher dispatcher;
    private final TimeoutsConfig timeouts;
    private long sent;
    /** Null until something has to wait, which never happens on most streams. */
    private @Nullable MinimumRate reading;
    private @Nullable MinimumRate sending;
    /** Indicates whether the stream was aborted. It remains open until its last frame has been flushed. */
    private boolean cutOff;

    StreamWatch(StreamDispatcher dispatcher, TimeoutsConfig timeouts) {
        this.dispatcher = dispatcher;
        this.timeouts = timeouts;
    }

    @Override
    public void sent(int bytes) {
        sent += bytes;
    }

    @Override
    public void connectionEvent(Object event) {
        if (event instanceof ConnectionEvent.MemoryBack) {
            dispatcher.wakeWriter();
        }
    }

    @Override
    public boolean check(boolean unsent, boolean blocked, int arrived, long now) {
        HttpExchange exchange = dispatcher.exchange();
        if (cutOff || exchange == null) {
            return false;
        }
        exchange.body().arriving(arrived);
        // A response may wait behind others that its client prefers, but not beyond its deadline if it has
        // one.
        boolean late = unsent && exchange.isOver()
                && (exchange.deadline().expired() || !exchange.hasDeadline());
        if (readsTooSlowly(blocked || late, now)) {
            cutOff = true;
            dispatcher.cutOff();
        } else if (sendsTooSlowly(exchange, now)) {
            exchange.tooSlow();
            return true;
        }
        return cutOff;
    }

    private boolean readsTooSlowly(boolean unread, long now) {
        if (reading == null && unread) {
            reading = new MinimumRate(timeouts);
        }
        return reading != null && reading.isTooSlow(unread, sent, now);
    }

    private boolean sendsTooSlowly(HttpExchange exchange, long now) {
        boolean awaited = !exchange.isOver() && exchange.awaitsBody();
        if (sending == null && awaited) {
            sending = new MinimumRate(timeouts);
        }
        return sending != null && sending.isTooSlow(awaited, exchange.body().progress(), now);
    }
}
