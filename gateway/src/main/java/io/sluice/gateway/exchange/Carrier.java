package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Tunnel;

/** What brought a request and takes its answer: a connection of HTTP/1, or a stream of HTTP/2. */
public interface Carrier {

    /** Where it stands in the pipeline. */
    ChannelHandlerContext context();

    /**
     * Completes an answer's head.
     *
     * @param length of the body, -1 where it is not known
     * @return whether another request may follow
     */
    boolean prepare(HttpExchange exchange, HttpResponse answer, long length);

    /** What a piece of an answer's body, whose owner it becomes, is written as. On any thread. */
    Object piece(ByteBuf content);

    /** Goes on with what was held, as far as it is wanted now. */
    void proceed();

    /** Cuts an answer off, so that the client cannot take what it has for the whole. */
    void reset();

    /** An exchange has ended, its answer written or its client gone. */
    void ended(HttpExchange exchange, boolean another);

    /** Whether an answer of this status would open a tunnel, which takes more than a handler's answer. */
    default boolean opensTunnel(HttpResponseStatus status) {
        return false;
    }

    /**
     * Makes the answer that leads to another protocol.
     *
     * @param headers of the answer, which get what is missing
     * @throws HttpException where no protocol may follow now
     */
    HttpResponse upgrade(HttpExchange exchange, String protocol, HttpHeaders headers);

    /** Becomes a tunnel's, behind an answer that leads to it. */
    void handOver(Tunnel tunnel);
}
