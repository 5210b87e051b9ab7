package io.sluice.handlers.proxy;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.Opening;
import io.sluice.handlers.upstream.RetryReason;
import io.sluice.handlers.upstream.StreamUser;
import io.sluice.handlers.upstream.SwitchedConnection;
import io.sluice.handlers.upstream.UpstreamException;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.UpstreamStream;
import io.sluice.offload.Deadline;
import io.sluice.offload.OffloadException;
import io.sluice.offload.Permits;
import java.net.InetSocketAddress;

/**
 * One request on its way through the proxy: queued, connecting, sent, responding. Confined to the event loop
 * of the exchange, to which its connection to the upstream belongs, too.
 */
final class ProxiedExchange implements Permits.Waiter, StreamUser {
    private final Exchange exchange;
    private final ProxyHandler route;
    private final String target;
    private final ProxiedBody body;
    private final ProxiedResponse response;
    private final ProxiedRequest seen;
    /** Null until the queue has been asked. */
    private Permits.Acquisition permit;
    /** The one of the current attempt; null before the first. */
    private Endpoint endpoint;
    /** Null unless a connection is being opened. */
    private Opening opening;
    /** Null before it is open and after its end. */
    private UpstreamStream stream;
    /** The connection that the endpoint has switched to another protocol; null otherwise. */
    private SwitchedConnection tunnelled;
    private int retries;
    private boolean retriedFree;

    ProxiedExchange(Exchange exchange, ProxyHandler route, String target) {
        this.exchange = exchange;
        this.route = route;
        this.target = target;
        body = new ProxiedBody(exchange);
        response = new ProxiedResponse(exchange, this);
        seen = new ProxiedRequest(route.upstream(), exchange);
    }

    void start() {
        exchange.onAbort(this::abort);
        Deadline latest = Deadline.after(route.upstream().config().deadline(), exchange.deadline().clock());
        Permits.Acquisition asked = route.upstream().permits().acquire(exchange.clientNetwork(),
                latest.earliest(exchange.deadline()), exchange.eventLoop(), this);
        permit = permit == null ? asked : permit;
    }

    @Override
    public void granted(Permits.Acquisition granted) {
        permit = granted;
        if (!attempt(null)) {
            finish();
            permit.cancel();
            exchange.fail(HttpException.tryAgain("no server of the upstream is available", null));
        }
    }

    @Override
    public void refused(OffloadException reason) {
        exchange.fail(reason);
    }

    /** Returns false if no endpoint is up. */
    private boolean attempt(Endpoint toAvoid) {
        Endpoint chosen = route.upstream().choose(route.hashKey(exchange), toAvoid);
        if (chosen == null) {
            return false;
        }
        endpoint = chosen;
        seen.begins();
        Opening begun = route.upstream().open((EventLoop) exchange.eventLoop(), chosen, this);
        opening = stream == null ? begun : null;
        return true;
    }

    @Override
    public InetSocketAddress client() {
        return exchange.clientAddress();
    }

    @Override
    public void opened(UpstreamStream open) {
        opening = null;
        stream = open;
        seen.opened(open);
        stream.send(route.request(exchange, target, stream.endpoint()), response);
        body.sendTo(stream);
    }

    @Override
    public void failed(UpstreamException cause) {
        opening = null;
        boolean stale = stream != null && stream.isReused() && !retriedFree;
        stream = null;
        body.pause();
        retriedFree |= stale;
        boolean again = mayRepeat(cause) && (stale || retries++ < route.upstream().config().retries());
        if (again) {
            seen.retried(stale ? RetryReason.STALE
                    : cause.stage() == Stage.CONNECT ? RetryReason.CONNECT : RetryReason.RESPONSE);
        }
        if (!again || !attempt(stale ? null : endpoint)) {
            giveUp(cause);
        }
    }

    /**
     * Returns whether the request can be sent again: no part of a response has come, and either no endpoint
     * has received it, or it is idempotent (RFC 9110 section 9.2.2) and its body is still here.
     */
    private boolean mayRepeat(UpstreamException cause) {
        return !response.hasBegun() && switch (cause.stage()) {
            case CONNECT -> body.isReplayable();
            case RESPONSE -> isIdempotent() && body.isReplayable();
            case MALFORMED -> false;
        };
    }

    private boolean isIdempotent() {
        return switch (exchange.request().method().name()) {
            case "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE" -> true;
            default -> false;
        };
    }

    private void giveUp(UpstreamException cause) {
        seen.failed();
        finish();
        permit.cancel();
        exchange.fail(new HttpException(HttpResponseStatus.BAD_GATEWAY, switch (cause.stage()) {
            case CONNECT -> "the upstream cannot be reached";
            case RESPONSE -> "the upstream closed the connection before its response was complete";
            case MALFORMED -> "the upstream's response is malformed";
        }, cause));
    }

    /** Returns the stream of the current attempt; null if there is none. */
    UpstreamStream stream() {
        return stream;
    }

    /** Called when a response begins: the request is not sent again. */
    void responseBegun(int status) {
        seen.responded(status);
        body.keepNoMore();
    }

    /** Called when the endpoint reads more of the request. */
    void requestWritable() {
        body.writable();
    }

    ProxyHandler route() {
        return route;
    }

    /** Called when the endpoint has switched protocols: the permit is for requests only. */
    void switched(SwitchedConnection connection) {
        seen.responded(HttpResponseStatus.SWITCHING_PROTOCOLS.code());
        tunnelled = connection;
        responded();
    }

    /** Called when the whole response has come. */
    void responded() {
        finish();
        permit.release();
    }

    private void finish() {
        seen.ended();
        stream = null;
        body.close();
    }

    private void abort() {
        if (opening != null) {
            opening.cancel();
        }
        if (stream != null) {
            stream.cancel();
        }
        if (tunnelled != null) {
            tunnelled.close();
        }
        finish();
        response.close();
        if (permit != null) {
            permit.cancel();
        }
    }
}
