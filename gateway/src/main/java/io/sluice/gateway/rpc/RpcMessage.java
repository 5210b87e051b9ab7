package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import io.sluice.handlers.HttpException;
import org.jspecify.annotations.Nullable;

/** A text message from a WebSocket. */
sealed interface RpcMessage {

    /** Returns the JSON value of the member {@code id}, which the response repeats. */
    String id();

    /** Returns the head of the request; a placeholder for a message that names none. */
    HttpRequest head();

    /**
     * A request.
     *
     * @param path normalised
     * @param body JSON as it was received, owned by the receiver of the message; null without one
     */
    record Request(String id, HttpRequest head, String path, @Nullable ByteBuf body) implements RpcMessage {
    }

    /**
     * The beginning of a subscription.
     *
     * @param path normalised
     * @param after the position after which to subscribe, empty for the present
     */
    record Subscribe(String id, HttpRequest head, String path, String after) implements RpcMessage {
    }

    /**
     * The end of a subscription.
     *
     * @param subscription its id
     */
    record Unsubscribe(String id, HttpRequest head, String subscription) implements RpcMessage {
    }

    /**
     * A message with an error.
     *
     * @param problem the error response
     */
    record Invalid(String id, HttpRequest head, HttpException problem) implements RpcMessage {
    }
}
