package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A handler that returns a request's body and trailers, with the status and the length given in the query.
 */
public final class TrailerMirror {
    /** The trailers of each request, in order. */
    public final Queue<HttpHeaders> received = new ConcurrentLinkedQueue<>();

    public void handle(Exchange exchange) {
        String status = exchange.queryParameter("status");
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status == null ? 200 : Integer.parseInt(status)));
        String length = exchange.queryParameter("length");
        if (length != null) {
            head.headers().set("Content-Length", length);
        }
        ResponseStream back = exchange.stream(head);
        exchange.streamBody(new Exchange.BodyReader() {
            @Override
            public boolean content(ByteBuf content) {
                back.write(content);
                return true;
            }

            @Override
            public void end(HttpHeaders trailers) {
                received.add(trailers);
                back.end(trailers);
            }
        });
    }
}
