package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Relayed;

/** A whole response of an upstream. Owns its body. */
final class RelayedResponse extends DefaultFullHttpResponse implements Relayed {

    RelayedResponse(HttpResponseStatus status, HttpHeaders headers, ByteBuf body) {
        super(HttpVersion.HTTP_1_1, status, body, headers, EmptyHttpHeaders.INSTANCE);
    }
}
