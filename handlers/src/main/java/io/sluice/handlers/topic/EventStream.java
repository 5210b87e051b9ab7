package io.sluice.handlers.topic;

import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.config.topic.OverBudget;
import io.sluice.handlers.EventStreams;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.rights.Caller;
import io.sluice.offload.ClientNetwork;
import java.util.concurrent.TimeUnit;

/** A response of server-sent events. On the event loop. */
final class EventStream extends PacedSubscriber {
    private final HandlerConfig.Events config;
    private final Topics topics;
    private final Exchange exchange;
    private final String topic;
    private final Caller caller;
    private final boolean presence;
    @SuppressWarnings("NullAway.Init") // both are set by begin()
    private ResponseStream stream;
    @SuppressWarnings("NullAway.Init")
    private Future<?> heartbeat;
    private boolean ended;

    EventStream(HandlerConfig.Events config, Topics topics, Exchange exchange) {
        this.config = config;
        this.topics = topics;
        this.exchange = exchange;
        topic = Topics.named(exchange);
        caller = Caller.of(exchange);
        presence = topics.asksForPresence(exchange);
    }

    /**
     * Begins the response.
     *
     * @param after the last position that the client has seen; empty for the present
     */
    void begin(String after) {
        ResponseStream begun = exchange.stream(EventStreams.head());
        if (begun == null) {
            return;
        }
        stream = begun;
        if (exchange.request().method().equals(HttpMethod.HEAD)) {
            stream.end();
            return;
        }
        long millis = config.heartbeat().toMillis();
        heartbeat = exchange.eventLoop().scheduleWithFixedDelay(this::beat, millis, millis,
                TimeUnit.MILLISECONDS);
        exchange.onAbort(this::leave);
        exchange.onDrain(this::end);
        if (ended) {
            return; // the head could not be sent
        }
        stream.onWritable(this::sendWaiting);
        stream.write(EventStreams.retry(exchange.alloc()));
        Position seen = Position.parse(after);
        if (presence && seen != null) { // the first event may be one without an id
            stream.write(ByteBufUtil.writeAscii(exchange.alloc(), "id: " + seen + '\n'));
        }
        topics.subscribe(topic, exchange.eventLoop(), this, after);
        if (presence) {
            topics.watch(topic, exchange.eventLoop(), this);
        }
        if (!ended) {
            stream.flush();
        }
    }

    private void beat() {
        if (!ended && stream.isWritable()) {
            stream.write(EventStreams.comment(exchange.alloc()));
        }
    }

    @Override
    protected boolean hasPositions() {
        return true;
    }

    @Override
    protected boolean isWritable() {
        return stream.isWritable();
    }

    @Override
    protected void send(TopicMessage message) {
        if (!ended) {
            stream.write(message.event());
        }
    }

    @Override
    protected void sendPresence(SharedMessage state) {
        if (!ended) {
            stream.write(state.as(EventForm.PRESENCE));
        }
    }

    @Override
    protected void dropped(DropReason reason) {
        topics.table.dropped(reason).increment();
    }

    @Override
    protected ClientNetwork client() {
        return exchange.clientNetwork();
    }

    @Override
    protected long budget() {
        return config.budget().bytes();
    }

    @Override
    protected OverBudget overBudget() {
        return config.overBudget();
    }

    @Override
    protected void tooSlow() {
        end();
    }

    @Override
    protected Caller caller() {
        return caller;
    }

    @Override
    protected void forbidden() {
        end();
    }

    /** Ends the response behind a whole event. */
    private void end() {
        if (!ended) {
            leave();
            stream.end();
        }
    }

    @Override
    protected void fail(Throwable cause) {
        leave();
        exchange.fail(cause);
    }

    private void leave() {
        ended = true;
        heartbeat.cancel(false);
        topics.unsubscribe(topic, this);
        dropWaiting(DropReason.CLOSED);
    }
}
