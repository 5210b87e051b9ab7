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
import io.sluice.handlers.message.ArrayResponse;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request and its one response. Methods for the request and its body must be called on the event loop; a
 * worker may read the same of the head again. Methods that respond may be called on any thread. Attributes
 * pass the findings of a filter to the handlers behind it.
 */
public interface Exchange extends AttributeMap {
    /** The name of the caller's token, set by access control. */
    AttributeKey<String> CALLER = AttributeKey.valueOf(Exchange.class, "CALLER");

    /**
     * The content coding of the response if its type and length allow one, for requests with entity tags; set
     * by compression; null for none.
     */
    AttributeKey<String> CODING = AttributeKey.valueOf(Exchange.class, "CODING");

    /**
     * The head of the 200 in whose place a 304 is sent, whose Vary depends on its type and length; set by the
     * handler.
     */
    AttributeKey<HttpResponse> UNMODIFIED = AttributeKey.valueOf(Exchange.class, "UNMODIFIED");

    /** Returns the head as it arrived: method, target, version, headers. */
    HttpRequest request();

    /** Returns the target's path, percent-decoded, without dot segments; {@code %2F} and {@code %25} stay. */
    String path();

    /**
     * Returns the value of a {@code {name}} in the route's path, fully decoded; null without such a capture.
     */
    @Nullable String pathParameter(String name);

    /**
     * Returns the query parameter of that name, decoded; null if there is none.
     *
     * @throws HttpException 400 if there are several
     */
    @Nullable String queryParameter(String name);

    /** Returns the query parameters of that name, decoded, in their order. */
    List<String> queryParameters(String name);

    /** Returns whether a body follows the head. */
    boolean hasBody();

    /** Returns the request's id, which is in logs and in the response. */
    String requestId();

    /** Returns the client. */
    Client client();

    /** Returns the client's address. */
    default InetSocketAddress clientAddress() {
        return client().address();
    }

    /** Returns attributes that the requests of a client's connection share. On the event loop. */
    default AttributeMap connection() {
        return this;
    }

    /** Returns the client's network, the unit of limits for clients. */
    default ClientNetwork clientNetwork() {
        return ClientNetwork.of(clientAddress().getAddress());
    }

    /** Returns the name of the request's token; null without a known one. */
    default @Nullable String caller() {
        return hasAttr(CALLER) ? attr(CALLER).get() : null;
    }

    /** Returns the deadline of the whole request. */
    Deadline deadline();

    /** Lowers the time limits of this exchange to these, where these are lower. On the event loop. */
    void limitTime(TimeLimits limits);

    /**
     * Limits the size of the request's body, unless a lower limit is set. On the event loop, before it is
     * read.
     *
     * @param bytes the largest size; a body that exceeds it is answered with 413
     * @throws HttpException 413 if its Content-Length exceeds the limit
     */
    void limitBody(long bytes);

    /** Returns the connection's event loop. */
    EventExecutor eventLoop();

    /** Runs a step on the event loop: at once if the caller is on it, later from any other thread. */
    default void onLoop(Runnable step) {
        EventExecutor loop = eventLoop();
        if (loop.inEventLoop()) {
            step.run();
        } else {
            loop.execute(step);
        }
    }

    /** Returns the allocator for the response's buffers. */
    ByteBufAllocator alloc();

    /**
     * Collects the body. If it is larger than the limit, the response is 413 and the action is not called.
     *
     * @param action is called with the body on the event loop; the buffer is released when it returns
     */
    void readBody(Consumer<ByteBuf> action);

    /** Streams the body to a reader as it arrives; responds with 413 if it exceeds the limit. */
    void streamBody(BodyReader reader);

    /** Resumes a body whose reader has paused it. Any thread. */
    void resumeBody();

    /**
     * Passes the request on to a handler: at once on the event loop, later from any other thread. An
     * exception of the handler becomes the response. Does nothing if the exchange has ended or was aborted.
     */
    void proceed(RouteHandler next);

    /**
     * Registers an action that runs on the event loop if this exchange ends before its response does: the
     * client disconnected, the deadline passed, or the body was rejected. It runs at once if that has
     * happened.
     */
    void onAbort(Runnable action);

    /**
     * Sets an action that runs on the event loop once, when a time limit has passed, before the abort. It
     * returns the detail of the 504.
     */
    default void onTimeout(Supplier<String> action) {
    }

    /**
     * Registers an action that runs on the event loop when this exchange should end soon, because the gateway
     * drains, or a reload changes or removes its route or a pool that its handler has asked for: for
     * responses that have no end of their own. Those pools stay until its end; those of filters do not. To be
     * called on the event loop, once, before the response is whole.
     */
    default void onDrain(Runnable action) {
    }

    /**
     * Registers an edit of the response's headers, also of an error, before it is sent. Edits run on the
     * event loop, the last one first. To be called on the event loop, before there is a response.
     */
    void onResponse(Consumer<HttpResponse> edit);

    /**
     * Sends an informational response, such as 103 with {@code Link} (RFC 9110 section 15.2), before the
     * final one. Any thread, any number of them. Dropped if the response has begun, for clients of HTTP/1.0,
     * within a WebSocket, and while the client does not read. A 100 is sent once, to a client that waits for
     * it: here, or when the body is read, unless its reader {@linkplain BodyReader#sendsContinue() leaves it
     * to this method}.
     *
     * @param head its status and headers, to which none are added; owned by the caller
     * @throws IllegalArgumentException for 101 and any status outside of 100..199, and for malformed headers
     */
    void inform(HttpResponse head);

    /**
     * Responds. Framing and the headers of every response are added; a HEAD request gets only the head.
     *
     * @param response owned by the exchange from here on; its trailers are not sent: use {@link #stream} for
     *     a response with trailers
     * @return false if the exchange has a response or was aborted; then this one is released
     */
    boolean respond(FullHttpResponse response);

    /** Responds with a status, a content type and a body, which the exchange owns from here on. */
    default boolean respond(HttpResponseStatus status, CharSequence contentType, ByteBuf body) {
        return respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body,
                ArrayResponse.head(contentType), EmptyHttpHeaders.INSTANCE));
    }

    /**
     * Begins a response whose body is written in pieces; chunked unless the head has a Content-Length.
     *
     * @return null if the exchange has a response or was aborted
     */
    @Nullable ResponseStream stream(HttpResponse head);

    /**
     * Returns the client's offer to switch to another protocol. It is empty if there is none, or the request
     * cannot take over a connection: a plain request of HTTP/2, one of HTTP/1.0, one within a WebSocket.
     */
    default Optional<Upgrade> upgrade() {
        return Optional.empty();
    }

    /**
     * Responds with an error. A response that has begun is cut off, so that the client does not take a part
     * of it for the whole. The cause is logged and never sent.
     */
    void fail(Throwable cause);

    /** Returns the headers of {@link #request()}. */
    default HttpHeaders headers() {
        return request().headers();
    }

    /** Receives a body as it arrives, on the event loop. */
    interface BodyReader {

        /**
         * Returns whether a client that waits for 100 (RFC 9110 section 10.1.1) gets it as soon as there is
         * this reader; if not, {@link Exchange#inform} sends it. A client may send its body without waiting.
         */
        default boolean sendsContinue() {
            return true;
        }

        /**
         * Returns whether so many bytes more make this reader take memory. While the gateway is short of it,
         * the exchange is then aborted with 503 instead.
         */
        default boolean takesMemory(int bytes) {
            return false;
        }

        /**
         * Returns the size to which the limit of the body applies: the body's so far, unless this reader
         * takes it as a sequence of messages with that limit each. Called before each piece is received.
         *
         * @param piece the next piece, owned by the caller
         * @param received the number of all bytes, those of the piece included
         */
        default long limited(ByteBuf piece, long received) {
            return received;
        }

        /**
         * Receives a piece of the body.
         *
         * @param content owned by the reader from here on
         * @return whether to continue; if false, no piece follows until {@link Exchange#resumeBody()}, but
         *     the end may follow the last piece
         */
        boolean content(ByteBuf content);

        /**
         * Called when the body is complete; not if the exchange ends before, by its response or by an abort.
         *
         * @param trailers the trailer fields (RFC 9110 section 6.5), none of which is one of the request's
         *     headers; mostly empty
         */
        void end(HttpHeaders trailers);
    }
}
