package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import java.nio.charset.StandardCharsets;

/** Answers a fixed text. */
public final class TextHandler implements RouteHandler {
    private final HttpResponseStatus status;
    private final AsciiString contentType;
    private final byte[] content;

    /** For a route of kind {@code text}. */
    public TextHandler(HandlerConfig.Text config) {
        this(HttpResponseStatus.valueOf(config.status()), AsciiString.cached(config.contentType()),
                config.text().getBytes(StandardCharsets.UTF_8));
    }

    TextHandler(HttpResponseStatus status, AsciiString contentType, byte[] content) {
        this.status = status;
        this.contentType = contentType;
        this.content = content;
    }

    @Override
    public void handle(Exchange exchange) {
        exchange.respond(status, contentType, exchange.alloc().buffer(content.length).writeBytes(content));
    }
}
