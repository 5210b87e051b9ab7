package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * One request and its one answer. What is asked of the request and of its body belongs on the event
 * loop; answering works from any thread.
 */
public interface Exchange {

    /** The head as it arrived: method, target, version, headers. */
    HttpRequest request();

    /** The target's path, percent-decoded and without dot segments; {@code %2F} and {@code %25} stay. */
    String path();

    /** What a {@code {name}} of the route's path caught, wholly decoded; null without such a capture. */
    String pathParameter(String name);

    /** The first query parameter of that name, decoded; null without one. */
    String queryParameter(String name);

    /** Whether a body follows the head. */
    boolean hasBody();

    /** The id that this request has in logs and in its answer. */
    String requestId();

    /** Who sent it. */
    InetSocketAddress clientAddress();

    /** Who sent it, as far as limits tell clients apart. */
    default ClientNetwork clientNetwork() {
        return ClientNetwork.of(clientAddress().getAddress());
    }

    /** The name of the token that the request carried; null without one that is known here. */
    String caller();

    /** When the request is answered with 504. */
    Deadline deadline();

    /** The connection's event loop. */
    EventExecutor eventLoop();

    /** For what is answered. */
    ByteBufAllocator alloc();

    /**
     * Collects the body. One larger than the route's limit gets 413 and the action is not called.
     *
     * @param action gets it on the event loop; the buffer is released when the action returns
     */
    void readBody(Consumer<ByteBuf> action);

    /** Hands the body on as it arrives; 413 where it outgrows the route's limit. */
    void streamBody(BodyReader reader);

    /**
     * Runs on the event loop if this exchange ends before its answer does: the client went away, the
     * deadline passed, or the body was refused. At once if it has.
     */
    void onAbort(Runnable action);

    /**
     * Answers. Framing and the headers that every answer has are added; a HEAD request gets the head
     * alone.
     *
     * @param response owned by the exchange from here on
     * @return false, and the response is released, where the exchange has an answer or was aborted
     */
    boolean respond(FullHttpResponse response);

    /** Answers with a status, a content type and a body, which the exchange owns from here on. */
    default boolean respond(HttpResponseStatus status, CharSequence contentType, ByteBuf body) {
        return respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body,
                ArrayResponse.head(contentType), EmptyHttpHeaders.INSTANCE));
    }

    /**
     * Begins an answer whose body is written piece by piece, chunked unless the head has a
     * Content-Length.
     *
     * @return null where the exchange has an answer or was aborted
     */
    ResponseStream stream(HttpResponse head);

    /**
     * Answers with an error. Where an answer has begun already, it is cut off, so that nobody takes
     * half of it for all. The cause is logged and never sent.
     */
    void fail(Throwable cause);

    /** The headers of {@link #request()}. */
    default HttpHeaders headers() {
        return request().headers();
    }

    /** Takes a body as it arrives, on the event loop. */
    interface BodyReader {

        /**
         * Takes a piece.
         *
         * @param content owned by the reader from here on
         * @return whether to go on; if not, {@link Exchange#resumeBody()} does
         */
        boolean content(ByteBuf content);

        /** The body is complete. */
        void end();
    }

    /** Goes on with a body whose reader asked to wait. From any thread. */
    void resumeBody();
}
