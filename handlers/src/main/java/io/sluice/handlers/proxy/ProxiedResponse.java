package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.Trailers;
import io.sluice.handlers.upstream.ResponseReader;
import io.sluice.handlers.upstream.SwitchedConnection;
import io.sluice.handlers.upstream.UpstreamException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response of an endpoint on its way to the client. One that arrives in a single read leaves in a single
 * write; others are streamed. The body of a 205 is not awaited, as no client gets it. Confined to the event
 * loop.
 */
final class ProxiedResponse implements ResponseReader {
    private final Exchange exchange;
    private final ProxiedExchange proxied;
    /** The body of the request, which goes on when the endpoint reads it. */
    private final ProxiedBody body;
    private final FieldChanges changes;
    /** The names in the head's Connection. */
    private Set<String> named = Set.of();
    /** Indicates a 205, whose content is dropped (RFC 9110 section 15.3.6). */
    private boolean isReset;
    /** The head until it is clear whether the rest follows at once; null otherwise. */
    private @Nullable RelayedHead head;
    /** The only piece of the body while {@link #head} waits; null if there is none. */
    private @Nullable ByteBuf first;
    /** Null unless the response is streamed. */
    private @Nullable ResponseStream stream;

    ProxiedResponse(Exchange exchange, ProxiedExchange proxied, ProxiedBody body) {
        this.exchange = exchange;
        this.proxied = proxied;
        this.body = body;
        changes = proxied.route().responseChanges();
    }

    @Override
    public void informational(HttpResponse received) {
        exchange.inform(new DefaultHttpResponse(HttpVersion.HTTP_1_1, received.status(),
                HopByHop.without(received.headers(), changes.claims())));
    }

    @Override
    public void head(HttpResponse received) {
        if (isOfStopping(received) && proxied.goElsewhere()) {
            return;
        }
        proxied.responseBegun(received.status().code());
        boolean wantsSocket = wantsSocket(received);
        named = HopByHop.named(received.headers());
        FlatHeaders headers = HopByHop.ofResponse(received.headers(), named);
        ForwardingFields.addVia(received.protocolVersion(), headers);
        changes.apply(headers);
        isReset = received.status().code() == HttpResponseStatus.RESET_CONTENT.code();
        if (isReset) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, "0");
        }
        if (wantsSocket) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                    .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
        }
        head = new RelayedHead(received.status(), headers);
    }

    /** Returns whether an endpoint says that it serves no more requests, at least not on this connection. */
    private static boolean isOfStopping(HttpResponse received) {
        return received.status().code() == HttpResponseStatus.SERVICE_UNAVAILABLE.code()
                && !HttpUtil.isKeepAlive(received);
    }

    /** Returns whether an endpoint requires a WebSocket, which the client must be told (section 15.5.22). */
    private static boolean wantsSocket(HttpResponse received) {
        return received.status().code() == HttpResponseStatus.UPGRADE_REQUIRED.code()
                && received.headers().containsValue(HttpHeaderNames.UPGRADE, ProxyHandler.WEB_SOCKET, true);
    }

    @Override
    public void content(ByteBuf piece) {
        if (isReset) {
            piece.release();
            return;
        }
        if (head != null && first == null) {
            first = piece;
            return;
        }
        beginStream();
        write(piece);
    }

    private void beginStream() {
        if (head == null) {
            return;
        }
        RelayedHead begun = head;
        head = null;
        stream = exchange.stream(begun);
        if (stream != null) {
            stream.onWritable(this::clientReads);
            proxied.lasts();
        }
        if (first != null) {
            ByteBuf piece = first;
            first = null;
            write(piece);
        }
    }

    private void write(ByteBuf piece) {
        if (stream == null) {
            piece.release();
            return;
        }
        stream.write(piece);
        if (!stream.isWritable() && proxied.stream() != null) {
            proxied.stream().pause();
        }
    }

    private void clientReads() {
        if (proxied.stream() != null) {
            proxied.stream().resume();
        }
    }

    @Override
    public void readComplete() {
        if (isReset && proxied.stream() != null) {
            proxied.stream().cancel();
            end(EmptyHttpHeaders.INSTANCE);
            return;
        }
        beginStream();
        if (stream != null) {
            stream.flush();
        }
    }

    @Override
    public void end(HttpHeaders trailers) {
        if (head != null && !isReset && (!trailers.isEmpty() || statesAnotherLength(head))) {
            beginStream();
        }
        RelayedHead whole = head;
        ByteBuf all = first == null ? Unpooled.EMPTY_BUFFER : first;
        head = null;
        first = null;
        proxied.responded();
        if (whole != null) {
            exchange.respond(new RelayedResponse(whole.status(), whole.headers(), all));
        } else if (stream != null) {
            stream.end(allowed(trailers));
        }
    }

    /** Returns whether a head states the length, or chunks, of a body that GET would have got. */
    private boolean statesAnotherLength(RelayedHead stated) {
        int status = stated.status().code();
        return exchange.request().method().equals(HttpMethod.HEAD) && status != 204 && status != 304;
    }

    private HttpHeaders allowed(HttpHeaders trailers) {
        if (trailers instanceof FlatHeaders flat && !flat.isEmpty()) {
            flat.removeIf(name -> !Trailers.mayHold(name) || HopByHop.is(name)
                    || changes.claims().test(name) || named.contains(name.toString()));
        }
        return trailers;
    }

    @Override
    public void switched(HttpResponse received, SwitchedConnection connection) {
        FlatHeaders headers = HopByHop.ofResponse(received.headers(), HopByHop.named(received.headers()));
        changes.apply(headers);
        if (ProxyHandler.isOfHttp2(exchange)) {
            headers.remove(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT); // of the gateway's key
        }
        proxied.switched(connection);
        if (!isAdmitted(connection)) {
            connection.close();
            exchange.fail(HttpException.tryAgain("this client has too many connections", null));
            return;
        }
        exchange.upgrade().orElseThrow().accept(ProxyHandler.WEB_SOCKET, headers,
                new ProxiedTunnel(connection, proxied.route().tunnelIdle()));
    }

    /** Counts the connection for the client until it is closed, unless the client has too many. */
    private boolean isAdmitted(SwitchedConnection connection) {
        Runnable giveBack = proxied.route().upstream().tunnels()
                .tryTake(exchange.clientAddress().getAddress());
        if (giveBack != null) {
            connection.onClose(giveBack);
        }
        return giveBack != null;
    }

    @Override
    public void writable() {
        body.writable();
    }

    @Override
    public void failed(UpstreamException cause) {
        proxied.failed(cause);
    }

    /** Releases what has not been passed on. */
    void close() {
        head = null;
        if (first != null) {
            first.release();
            first = null;
        }
    }
}
