package io.sluice.gateway.pipeline;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** Netty's encoder, with answers to HEAD: the head of the answer to GET, and no body behind it. */
final class ResponseEncoder extends HttpResponseEncoder {

    @Override
    protected boolean isContentAlwaysEmpty(HttpResponse response) {
        return response instanceof HeadResponse || super.isContentAlwaysEmpty(response);
    }

    /** The head of an answer that has no body, whatever its headers say. */
    static final class HeadResponse extends DefaultHttpResponse {
        HeadResponse(HttpVersion version, HttpResponseStatus status, HttpHeaders headers) {
            super(version, status, headers);
        }
    }
}
