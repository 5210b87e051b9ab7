package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** The response to HEAD: a head without a body, even if its header fields state a length. */
public final class HeadResponse extends DefaultHttpResponse {

    /** Creates a head with these header fields. */
    public HeadResponse(HttpVersion version, HttpResponseStatus status, HttpHeaders headers) {
        super(version, status, headers);
    }
}
