package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Relayed;

/** The response to HEAD: a head without a body, even if its header fields state a length. */
public class HeadResponse extends DefaultHttpResponse {

    /** Creates a head with these header fields. */
    public HeadResponse(HttpVersion version, HttpResponseStatus status, HttpHeaders headers) {
        super(version, status, headers);
    }

    /** Returns the head of a response without its body. */
    static HeadResponse of(HttpResponse head) {
        return head instanceof Relayed
                ? new OfUpstream(head.protocolVersion(), head.status(), head.headers())
                : new HeadResponse(head.protocolVersion(), head.status(), head.headers());
    }

    /** The head of another server's response. */
    private static final class OfUpstream extends HeadResponse implements Relayed {
        private OfUpstream(HttpVersion version, HttpResponseStatus status, HttpHeaders headers) {
            super(version, status, headers);
        }
    }
}
