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
import io.netty.util.AttributeKey;
import io.netty.util.AttributeMap;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One request and its one answer. What is asked of the request and of its body belongs on the event
 * loop; answering works from any thread. Attributes carry the findings of a filter to the handlers behind it.
 */
public interface Exchange extends AttributeMap {
    /** The name of the caller, as access control has found it. */
    AttributeKey<String> CALLER = AttributeKey.valueOf(Exchange.class, "CALLER");

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

    /** The client. */
    Peer peer();

    /** The client's address. */
    default InetSocketAddress clientAddress() {
        return peer().address();
    }

    /** The client's network, by which limits tell clients apart. */
    default ClientNetwork clientNetwork() {
        return ClientNetwork.of(clientAddress().getAddress());
    }

    /** The name of the token that the request carried; null without a known one. */
    default String caller() {
        return hasAttr(CALLER) ? attr(CALLER).get() : null;
    }

    /** The end of the whole time that the request may take. */
    Deadline deadline();

    /** Shortens the times that this exchange may take to these, where they are shorter. On the event loop. */
    void limitTime(TimeLimits limits);

    /**
     * Bounds the request's body, where no lower bound holds already. On the event loop, before it is read.
     *
     * @param bytes the longest body; one that turns out to be longer is answered with 413
     * @throws HttpException 413 where the head tells a longer one
     */
    void limitBody(long bytes);

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
     * Passes the request on to a handler: at once on the event loop, later from any other thread. What
     * the handler throws becomes the answer. Nothing happens where the exchange has ended or was aborted.
     */
    void proceed(RouteHandler next);

    /**
     * Runs on the event loop if this exchange ends before its answer does: the client went away, the
     * deadline passed, or the body was refused. At once if it has.
     */
    void onAbort(Runnable action);

    /**
     * Edits the headers of the answer before it is sent, of an error as of any other. Edits are made on the
     * event loop, the last one first. To be called on the event loop, before there is an answer.
     */
    void onAnswer(Consumer<HttpResponse> edit);

    /**
     * Sends an informational answer before the answer, such as 103 with {@code Link} (RFC 9110 section
     * 15.2). Any thread, any number of them. Dropped where the answer has begun, for clients of HTTP/1.0,
     * and on a socket. A 100 is sent once, to a client that waits for it: here, or when the body is read.
     *
     * @param head its status and headers, to which none are added; the caller keeps it
     * @throws IllegalArgumentException for 101 and any status outside of 100..199, and for malformed headers
     */
    void inform(HttpResponse head);

    /**
     * Answers. Framing and the headers that every answer has are added; a HEAD request gets the head
     * alone.
     *
     * @param response owned by the exchange from here on; its trailers are not sent: an answer with
     *     trailers is a {@link #stream}
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
     * The client's offer to go on with another protocol; empty where there is none, or where the request has
     * no connection of its own to go on with: a plain request of HTTP/2, one of HTTP/1.0, one within a
     * WebSocket.
     */
    default Optional<Upgrade> upgrade() {
        return Optional.empty();
    }

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
         * @return whether to go on; if not, {@link Exchange#resumeBody()} does. The end may follow the last
         *     piece all the same
         */
        boolean content(ByteBuf content);

        /**
         * The body is complete. Not called where the exchange ends before, by its answer or by an abort.
         *
         * @param trailers the fields behind it (RFC 9110 section 6.5), none of which is one of the request's
         *     headers; mostly empty
         */
        void end(HttpHeaders trailers);
    }

    /** Goes on with a body whose reader asked to wait. From any thread. */
    void resumeBody();
}
