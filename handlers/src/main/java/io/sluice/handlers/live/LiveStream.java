package io.sluice.handlers.live;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.EventStreams;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A response of server-sent events with the states of a result. A client that reads slowly skips states.
 * Confined to its event loop.
 */
final class LiveStream {
    /** Sending so many bytes costs about as much as a send itself. */
    private static final int COSTLY_SIZE = 8 * 1024;

    private final LiveResult result;
    private final Exchange exchange;
    private final LoopStreams streams;
    /** The place among its streams, which maintain it. */
    int index;
    @SuppressWarnings("NullAway.Init") // set by begin()
    private ResponseStream stream;
    /** Null unless this is among the streams. */
    private @Nullable Future<?> heartbeat;
    /** The entity tag of the result that the client has; null for none. */
    private @Nullable String tag;
    private long seen;
    /** Indicates whether the client was told a problem that is not over for it. */
    private boolean toldProblem;
    private boolean ended;

    /**
     * A stream that has not begun. If its exchange is aborted, it leaves the result.
     *
     * @param tag the entity tag that the client says it has; null for none
     */
    LiveStream(LiveResult result, Exchange exchange, @Nullable String tag) {
        this.result = result;
        this.exchange = exchange;
        this.tag = tag;
        streams = result.streams(exchange.eventLoop());
        exchange.onAbort(this::leave);
    }

    /** Begins the response. */
    void begin(Duration beat) {
        ResponseStream begun = exchange.stream(EventStreams.head());
        if (begun == null) {
            leave();
            return;
        }
        stream = begun;
        if (ended) {
            return; // the head could not be sent
        }
        if (exchange.request().method().equals(HttpMethod.HEAD)) {
            end();
            return;
        }
        result.begin();
        streams.add(this);
        heartbeat = exchange.eventLoop().scheduleWithFixedDelay(this::beat, beat.toNanos(), beat.toNanos(),
                TimeUnit.NANOSECONDS);
        exchange.onDrain(this::end);
        stream.onWritable(() -> show(streams.state()));
        stream.write(EventStreams.retry(exchange.alloc()));
        show(streams.state());
        if (!ended) {
            stream.flush();
        }
    }

    private void beat() {
        if (!ended && stream.isWritable()) {
            stream.write(EventStreams.comment(exchange.alloc()));
        }
    }

    /** Sends what is new for the client in a state, if it reads; returns the cost in sends. */
    int show(LiveState state) {
        if (ended || state.version() <= seen || !stream.isWritable()) {
            return 1;
        }
        seen = state.version();
        boolean problem = state.problemStatus() != 0;
        int bytes = 0;
        String newest = state.tag();
        if (newest != null && (!newest.equals(tag) || toldProblem && !problem)) {
            tag = newest;
            bytes = write(state.resultEvent());
        }
        if (problem) {
            bytes += write(state.problemEvent());
        }
        toldProblem = problem;
        return 1 + bytes / COSTLY_SIZE;
    }

    private int write(ByteBuf event) {
        int bytes = event.readableBytes();
        stream.write(event);
        return bytes;
    }

    /** Ends the response behind a whole event. */
    private void end() {
        if (!ended) {
            leave();
            stream.end();
        }
    }

    /** Fails the response, or cuts it off if it has begun. */
    void fail(Throwable cause) {
        leave();
        exchange.fail(cause);
    }

    /** Leaves the result, unless it has. */
    void leave() {
        if (!ended) {
            ended = true;
            if (heartbeat != null) {
                heartbeat.cancel(false);
                streams.remove(this);
            }
            result.leave();
        }
    }
}
