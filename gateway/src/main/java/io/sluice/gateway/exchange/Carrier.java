package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.gateway.net.ReadAhead;
import io.sluice.handlers.HttpException;
import java.util.function.Function;

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

    /**
     * Completes the answer that leads to another protocol.
     *
     * @throws HttpException where none may follow
     */
    default void prepareUpgrade(HttpExchange exchange, FullHttpResponse answer) {
        throw new HttpException(HttpResponseStatus.NOT_IMPLEMENTED, "no other protocol follows here");
    }

    /** Becomes another protocol's, behind an answer that leads to it. */
    default void upgrade(Function<ReadAhead, ChannelHandler> protocol) {
        throw new IllegalStateException("prepareUpgrade has refused this");
    }
}
