package io.sluice.handlers.topic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.message.ArrayResponse;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.rights.Caller;
import io.sluice.handlers.rights.Right;
import java.util.concurrent.TimeUnit;

/** A request that waits for messages, and responds with those that come at once. On the event loop. */
final class EventPoll extends Subscriber {
    private final HandlerConfig.Events config;
    private final Topics topics;
    private final Exchange exchange;
    private final String topic;
    private final Caller caller;
    private final ByteBuf json;
    @SuppressWarnings("NullAway.Init") // both are set by begin()
    private String last;
    @SuppressWarnings("NullAway.Init")
    private Future<?> timeout;
    private int messages;
    private boolean answering;
    private boolean ended;

    EventPoll(HandlerConfig.Events config, Topics topics, Exchange exchange) {
        this.config = config;
        this.topics = topics;
        this.exchange = exchange;
        topic = Topics.named(exchange);
        caller = Caller.of(exchange);
        json = exchange.alloc().buffer();
    }

    /**
     * Begins to wait, but for a HEAD request.
     *
     * @param after the last position that the client has seen; empty for the present
     */
    void begin(String after) {
        last = after;
        ByteBufUtil.writeAscii(json, "{\"messages\":[");
        timeout = exchange.eventLoop().schedule(this::answer, config.pollWait().toNanos(),
                TimeUnit.NANOSECONDS);
        exchange.onAbort(this::drop);
        exchange.onDrain(this::answer);
        if (exchange.request().method().equals(HttpMethod.HEAD)) {
            answer();
        } else {
            topics.subscribe(topic, exchange.eventLoop(), this, after);
        }
    }

    /** Adds a message; those that come in the same task of the event loop share the response. */
    @Override
    protected void deliver(TopicMessage message) {
        if (ended || !isWritable()) {
            return; // the client asks for it next
        }
        last = message.position().toString();
        if (message.kind() != TopicMessage.Kind.BEGIN) {
            if (messages++ > 0) {
                json.writeByte(',');
            }
            ByteBuf envelope = message.enveloped().with((_, payload) -> payload.retainedDuplicate());
            json.writeBytes(envelope);
            envelope.release();
        }
        if (!answering) {
            answering = true;
            exchange.eventLoop().execute(this::answer);
        }
    }

    @Override
    protected boolean isWritable() {
        return messages == 0 || json.readableBytes() < config.budget().bytes();
    }

    private void answer() {
        if (ended) {
            return;
        }
        leave();
        ByteBufUtil.writeUtf8(json, "],\"last\":\"" + (Position.parse(last) == null ? "" : last) + "\"}");
        FlatHeaders head = ArrayResponse.head(Json.MEDIA_TYPE);
        head.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, json, head,
                EmptyHttpHeaders.INSTANCE));
    }

    @Override
    protected Caller caller() {
        return caller;
    }

    @Override
    protected void forbidden() {
        try {
            topics.rights().require(Right.SUBSCRIBE, topic, caller);
        } catch (HttpException e) {
            fail(e);
        }
    }

    @Override
    protected void fail(Throwable cause) {
        drop();
        exchange.fail(cause);
    }

    /** Ends without a response. */
    private void drop() {
        if (!ended) {
            leave();
            json.release();
        }
    }

    private void leave() {
        ended = true;
        timeout.cancel(false);
        topics.unsubscribe(topic, this);
    }
}
