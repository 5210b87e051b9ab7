package io.sluice.handlers.publish;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Future;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.http.IdempotencyKey;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.json.Utf8Validator;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.Published;
import io.sluice.handlers.topic.Topics;
import io.sluice.handlers.write.VersionTags;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the body of a request to a topic, which {@code {topic}} in its path names. It responds when the
 * message has its place in the topic's order, with a bus when that has it, before the subscribers receive it;
 * with 503 if messages arrive faster than they can be sent, or the bus does not take it.
 */
public final class PublishHandler implements RouteHandler {
    /**
     * The largest body in bytes that is validated and copied on the event loop, which takes up to half a
     * millisecond. Larger ones are on a virtual thread; their memory bounds their number.
     */
    private static final int MAX_ON_LOOP = 64 * 1024;
    private static final AsciiString BINARY = HttpHeaderValues.APPLICATION_OCTET_STREAM;

    private final Topics topics;

    /** Creates a handler for a route of kind {@code publish}. */
    public PublishHandler(Topics topics) {
        this.topics = topics;
    }

    @Override
    public void handle(Exchange exchange) {
        for (Source unknown : VersionTags.preconditions(exchange.headers())) {
            String header = VersionTags.header(unknown);
            throw HttpException.badParameter(header, exchange.headers().get(header),
                    "none, as a topic has no state");
        }
        boolean text = isText(exchange.headers().get(HttpHeaderNames.CONTENT_TYPE));
        String topic = Topics.named(exchange);
        String key = key(exchange);
        exchange.readBody(body -> {
            if (body.readableBytes() <= MAX_ON_LOOP) {
                publish(exchange, topic, key, text, body);
                return;
            }
            ByteBuf large = body.retain();
            Thread.ofVirtual().name("publish").start(() -> {
                try {
                    publish(exchange, topic, key, text, large);
                } catch (Throwable e) {
                    exchange.fail(e);
                } finally {
                    large.release();
                }
            });
        });
    }

    /** Returns the key of a request, which is that of no other caller and of no source; null for none. */
    private static @Nullable String key(Exchange exchange) {
        String key = IdempotencyKey.of(exchange.headers(), false);
        String caller = Objects.requireNonNullElse(exchange.caller(), "");
        return key == null ? null : "client:" + caller.length() + ':' + caller + key;
    }

    private void publish(Exchange exchange, String topic, @Nullable String key, boolean text, ByteBuf body) {
        if (text && !Utf8Validator.isValid(body)) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                    "body (expected: UTF-8, or Content-Type: application/octet-stream)");
        }
        // A copy: a message may be kept long, and the request's buffer can be much larger than its body.
        var message = new SharedMessage(text, body.copy());
        try {
            topics.publish(topic, message, Bus.Key.of(key), exchange.clientNetwork(), exchange.eventLoop())
                    .addListener((Future<Published> published) -> {
                        if (published.isSuccess()) {
                            answer(exchange, published.getNow());
                        } else {
                            exchange.fail(published.cause());
                        }
                    });
        } finally {
            message.release();
        }
    }

    private static void answer(Exchange exchange, Published published) {
        String id = published.position() == null ? "" : "\"id\":\"" + published.position() + "\",";
        ByteBuf answer = exchange.alloc().buffer(64);
        ByteBufUtil.writeAscii(answer, "{" + id + "\"subscribers\":" + published.subscribers() + '}');
        exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE, answer);
    }

    private static boolean isText(@Nullable String contentType) {
        if (contentType == null) {
            return true;
        }
        CharSequence type = HttpUtil.getMimeType(contentType);
        if (type != null && BINARY.contentEqualsIgnoreCase(type.toString().strip())) {
            return false;
        }
        if (HttpUtil.getCharsetAsSequence(contentType) != null
                && !StandardCharsets.UTF_8.equals(HttpUtil.getCharset(contentType, null))) {
            throw new HttpException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type: %s (expected: charset=utf-8)".formatted(contentType));
        }
        return true;
    }
}
