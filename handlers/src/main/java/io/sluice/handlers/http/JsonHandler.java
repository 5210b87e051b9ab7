package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import java.nio.charset.StandardCharsets;

/** Answers a fixed JSON object, with a first member for the time where that is wanted. */
public final class JsonHandler implements RouteHandler {
    private final RouteHandler answer;

    /** For a route of kind {@code json}. */
    public JsonHandler(HandlerConfig.Json config) {
        HttpResponseStatus status = HttpResponseStatus.valueOf(config.status());
        byte[] body = Json.bytes(config.body());
        answer = config.timestamp().<RouteHandler>map(member -> timestamped(status, member, body))
                .orElseGet(() -> new TextHandler(status, Json.MEDIA_TYPE, body));
    }

    private static RouteHandler timestamped(HttpResponseStatus status, String member, byte[] body) {
        byte[] before = ('{' + new String(Json.bytes(member), StandardCharsets.UTF_8) + ':')
                .getBytes(StandardCharsets.UTF_8);
        boolean empty = body.length == 2;
        return exchange -> {
            ByteBuf buffer = exchange.alloc().buffer(before.length + 20 + body.length);
            buffer.writeBytes(before);
            ByteBufUtil.writeAscii(buffer, Long.toString(System.currentTimeMillis()));
            if (!empty) {
                buffer.writeByte(',');
            }
            exchange.respond(status, Json.MEDIA_TYPE, buffer.writeBytes(body, 1, body.length - 1));
        };
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        answer.handle(exchange);
    }
}
