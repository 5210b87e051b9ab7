package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.message.ArrayResponse;
import io.sluice.handlers.message.CurrentStatus;
import io.sluice.handlers.message.FlatHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Responds with a fixed text. */
public final class TextHandler implements RouteHandler {
    /** In bytes. A longer text is in direct memory, from which it is sent without a copy. */
    static final int SMALL = 4 * 1024;

    private final HttpResponseStatus status;
    private final AsciiString contentType;
    private final FlatHeaders head;
    private final byte[] content;
    /** The content in direct memory; null if it is small. */
    private final @Nullable ByteBuf shared;

    /** Creates a handler for a route of kind {@code text}. */
    public TextHandler(HandlerConfig.Text config) {
        this(CurrentStatus.of(config.status()), AsciiString.cached(config.contentType()),
                config.text().getBytes(StandardCharsets.UTF_8));
    }

    TextHandler(HttpResponseStatus status, AsciiString contentType, byte[] content) {
        this.status = status;
        this.contentType = contentType;
        head = ArrayResponse.head(contentType);
        this.content = content;
        shared = content.length <= SMALL ? null : Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(
                ByteBuffer.allocateDirect(content.length).put(content).flip()));
    }

    @Override
    public void handle(Exchange exchange) {
        if (shared == null) {
            exchange.respond(new ArrayResponse(status, head.copy(), content));
        } else {
            exchange.respond(status, contentType, shared.duplicate());
        }
    }
}
