package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.ClientRequest.Answer;

/** Servers, requests and answers for the parts of the contract. */
interface ExchangeTestBed {

    /** Starts a server with one handler; the server is closed after the test. */
    Served serve(RouteHandler handler);

    /** Begins a request to a new server with the given handler. */
    default TestRequest begin(String method, int bodyLength, RouteHandler handler) {
        return new TestRequest(this::serve, method, bodyLength, handler);
    }

    /** Sends a request without a body to a new server with the given handler. */
    default TestRequest get(RouteHandler handler) {
        return begin("GET", 0, handler).end();
    }

    /** Returns the answer of a handler to a request without a body. */
    default Answer ask(RouteHandler handler) {
        return get(handler).answer();
    }

    /** Returns a text in a buffer that the leak detector tracks. */
    default ByteBuf buffer(Exchange exchange, String text) {
        return ByteBufUtil.writeUtf8(exchange.alloc(), text);
    }

    /** Answers 200 with a text. */
    default boolean text(Exchange exchange, String text) {
        return exchange.respond(HttpResponseStatus.OK, "text/plain", buffer(exchange, text));
    }

    /** Begins to stream an answer of 200 with a text. */
    default ResponseStream stream(Exchange exchange) {
        return exchange.stream(head());
    }

    /** Returns the head of an answer of 200 with a text. */
    default HttpResponse head() {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set("content-type", "text/plain");
        return head;
    }
}
