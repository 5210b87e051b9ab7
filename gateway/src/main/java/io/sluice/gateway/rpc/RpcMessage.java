package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import io.sluice.handlers.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * A text message from a WebSocket: a request, the begin or end of a subscription, or the error in it.
 *
 * @param id the JSON value of the member {@code id}, which the response repeats
 * @param head of the request; a placeholder if there is a problem
 * @param path normalised
 * @param body JSON as it was received, owned by the receiver of the message; null without one
 * @param after the position after which to subscribe, empty for the present; null for no subscription
 * @param unsubscribe the id of the subscription to end; null for none
 * @param problem the error; null if the request is valid
 */
record RpcMessage(String id, HttpRequest head, String path, @Nullable ByteBuf body, @Nullable String after,
                  @Nullable String unsubscribe, @Nullable HttpException problem) {
}
