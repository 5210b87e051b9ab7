package io.sluice.gateway.negotiation;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.sluice.handlers.ResponseStream;

/** Takes the answer of an exchange as it is to be sent: see {@link io.sluice.handlers.Exchange}. */
public interface Answering {

    /** Gives a whole answer. */
    boolean respond(FullHttpResponse response);

    /** Begins a streamed answer. */
    ResponseStream stream(HttpResponse head);
}
