package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import java.nio.charset.StandardCharsets;

/** Answers a fixed text, kept in one buffer for all answers. */
public final class TextHandler implements RouteHandler {
    private final HttpResponseStatus status;
    private final AsciiString contentType;
    private final ByteBuf text;

    /** For a route of kind {@code text}. */
    public TextHandler(HandlerConfig.Text config) {
        this(HttpResponseStatus.valueOf(config.status()), config.contentType(),
                config.text().getBytes(StandardCharsets.UTF_8));
    }

    /** Answers fixed bytes. */
    public TextHandler(HttpResponseStatus status, String contentType, byte[] content) {
        this.status = status;
        this.contentType = AsciiString.cached(contentType);
        text = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(Math.max(content.length, 1)).writeBytes(content).asReadOnly());
    }

    @Override
    public void handle(Exchange exchange) {
        exchange.respond(status, contentType, text.duplicate());
    }
}
