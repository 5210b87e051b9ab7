package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import io.sluice.handlers.HttpException;

/**
 * A text that a socket has sent: a request, or what is wrong with it.
 *
 * @param id what its answer begins with: JSON, as it came
 * @param head of the request; of none that anybody has sent where there is a problem
 * @param path normalised
 * @param body JSON, as it came, owned by whoever takes the message; null without one
 * @param problem null where there is none
 */
record RpcMessage(String id, HttpRequest head, String path, ByteBuf body, HttpException problem) {
}
