package io.sluice.gateway.http2;

import io.sluice.config.TimeoutsConfig;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.http2.frames.WatchedStream;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.gateway.net.Connections.MemoryBackEvent;
import io.sluice.gateway.net.Pace;

/**
 * Sees to it that a stream's client does not keep it waiting: with the body of its request, or by leaving the
 * answer no window. A {@link ConnectionWatch} has it look at the clock about once a second.
 */
final class StreamWatch implements WatchedStream {
    private final StreamDispatcher dispatcher;
    private final TimeoutsConfig timeouts;
    private long sent;
    /** Null where nothing has waited yet, as on most streams. */
    private Pace reading;
    private Pace sending;
    /** The stream stays open all the same, until its last frame has been flushed. */
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
    public void told(Object event) {
        if (event instanceof MemoryBackEvent) {
            dispatcher.wakeWriter();
        }
    }

    @Override
    public boolean look(boolean unsent, boolean blocked, long now) {
        HttpExchange exchange = dispatcher.exchange();
        if (cutOff || exchange == null) {
            return false;
        }
        // Until its deadline, if it has one, an answer may wait for others that its client prefers.
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
            reading = new Pace(timeouts);
        }
        return reading != null && reading.isTooSlow(unread, sent, now);
    }

    private boolean sendsTooSlowly(HttpExchange exchange, long now) {
        boolean awaited = !exchange.isOver() && exchange.body().isAwaited();
        if (sending == null && awaited) {
            sending = new Pace(timeouts);
        }
        return sending != null && sending.isTooSlow(awaited, exchange.body().received(), now);
    }
}
