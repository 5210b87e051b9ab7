package io.sluice.handlers;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AttributeKey;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Attributes of exchanges whose bodies are messages of a protocol above HTTP, such as gRPC. */
public final class MessageProtocol {
    /**
     * Makes the trailers that end a response which an error of this status cuts off; without it, the stream
     * is reset. Set before the response of an endpoint begins, over HTTP/2.
     */
    public static final AttributeKey<Function<HttpResponseStatus, HttpHeaders>> ERROR_TRAILERS =
            AttributeKey.valueOf(MessageProtocol.class, "ERROR_TRAILERS");

    /**
     * Returns whether the request's body ends at the end of a message so far. The client need not send more
     * then, so that the idle limit applies in place of the minimum rate. Set before the body is read.
     */
    public static final AttributeKey<BooleanSupplier> IS_BETWEEN_MESSAGES =
            AttributeKey.valueOf(MessageProtocol.class, "IS_BETWEEN_MESSAGES");

    private MessageProtocol() {
    }
}
