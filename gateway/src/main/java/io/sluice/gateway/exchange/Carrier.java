package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Tunnel;

/**
 * The transport of one exchange: an HTTP/1 connection or an HTTP/2 stream. On the event loop, except for
 * {@link #piece}.
 */
public interface Carrier {

    /** Returns the context through which responses are written. */
    ChannelHandlerContext context();

    /**
     * Completes a response's head.
     *
     * @param length of the body in bytes, -1 if unknown
     * @return whether another request may follow
     */
    boolean prepare(HttpExchange exchange, HttpResponse answer, long length);

    /**
     * Returns the message that carries a piece of a response's body; takes ownership of the piece. Any
     * thread.
     */
    Object piece(ByteBuf content);

    /**
     * Returns the watch over the time limits of the current exchange: that of the connection, if exchanges
     * follow each other on it.
     */
    default TimeWatch timeWatch() {
        return new TimeWatch(false);
    }

    /** Delivers held content of the request's body, as far as its reader accepts it. */
    void deliverBody();

    /** Aborts a response, so that the client cannot mistake its beginning for the whole. */
    void reset();

    /**
     * Ends an exchange whose response has been written or whose client has left.
     *
     * @param keepAlive whether the connection can carry another request
     */
    void ended(HttpExchange exchange, boolean keepAlive);

    /**
     * Returns whether a response of this status would open the requested tunnel. A handler opens one by
     * {@link #upgrade} only.
     */
    default boolean opensTunnel(HttpResponseStatus status) {
        return false;
    }

    /**
     * Makes the response that switches to another protocol.
     *
     * @param headers of the response; the mandatory ones are added
     * @throws HttpException if the protocol cannot be switched now
     */
    HttpResponse upgrade(HttpExchange exchange, String protocol, HttpHeaders headers);

    /**
     * Ends an exchange whose response has opened a tunnel, and hands the connection or stream over to that.
     */
    void handOver(HttpExchange exchange, Tunnel tunnel);
}
