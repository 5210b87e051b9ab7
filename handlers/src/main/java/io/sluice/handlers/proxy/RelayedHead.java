package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Relayed;

/** The head of an upstream's response. */
final class RelayedHead extends DefaultHttpResponse implements Relayed {

    RelayedHead(HttpResponseStatus status, HttpHeaders headers) {
        super(HttpVersion.HTTP_1_1, status, headers);
    }
}
