package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** The head of an answer without a body, whatever its headers say: the answer to HEAD. */
public final class HeadResponse extends DefaultHttpResponse {

    /** A head with these fields. */
    public HeadResponse(HttpVersion version, HttpResponseStatus status, HttpHeaders headers) {
        super(version, status, headers);
    }
}
