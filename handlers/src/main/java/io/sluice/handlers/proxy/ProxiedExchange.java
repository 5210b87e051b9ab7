package io.sluice.handlers.proxy;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AttributeMap;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.RequestStage;
import io.sluice.handlers.upstream.RetryReason;
import io.sluice.handlers.upstream.StreamUser;
import io.sluice.handlers.upstream.SwitchedConnection;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamException;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.UpstreamRequest;
import io.sluice.handlers.upstream.UpstreamStream;
import io.sluice.handlers.upstream.connect.Opening;
import io.sluice.handlers.upstream.endpoint.CircuitBreaker;
import io.sluice.offload.Deadline;
import io.sluice.offload.OffloadException;
import io.sluice.offload.Permits;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the proxy: queued, connecting, sent, responding. Confined to the event loop
 * of the exchange, to which its connection to the upstream belongs, too.
 */
final class ProxiedExchange implements Permits.Waiter, StreamUser {
    private final Exchange exchange;
    private final ProxyHandler route;
    private final Upstream upstream;
    private final String target;
    private final ProxiedBody body;
    private final ProxiedResponse response;
    private final ProxyTimings timings;
    private final RetryAllowance retries;
    private RequestStage stage = RequestStage.QUEUED;
    /** Null until the queue has been asked. */
    private Permits.@Nullable Acquisition permit;
    /** The one of the current attempt; null before the first. */
    private @Nullable Endpoint endpoint;
    /** The right to end the endpoint's probe, if the current attempt is one; null before the first. */
    private CircuitBreaker.@Nullable Claim claim;
    /** Null unless a connection is being opened; DONE until it is known whether one was there. */
    private @Nullable Opening opening;
    /** Null before it is open and after its end. */
    private @Nullable UpstreamStream stream;
    /** The connection that the endpoint has switched to another protocol; null otherwise. */
    private @Nullable SwitchedConnection tunnelled;
    /** Indicates that the endpoint of the current attempt had the time to respond, and has not. */
    private boolean unresponsive;
    /** Indicates whether the upstream has nothing to do with the exchange any more. */
    private boolean over;

    ProxiedExchange(Exchange exchange, ProxyHandler route, String target) {
        this.exchange = exchange;
        this.route = route;
        this.target = target;
        upstream = route.upstream();
        body = new ProxiedBody(exchange, route);
        response = new ProxiedResponse(exchange, this, body);
        timings = new ProxyTimings(upstream, exchange);
        retries = new RetryAllowance(upstream);
    }

    void start() {
        exchange.onTimeout(this::timedOut);
        exchange.onAbort(this::abort);
        if (over) {
            return;
        }
        Deadline latest = Deadline.after(upstream.config().deadline(), exchange.deadline().clock());
        Permits.Acquisition asked = upstream.permits().acquire(exchange.clientNetwork(),
                latest.earliest(exchange.deadline()), exchange.eventLoop(), this);
        permit = permit == null ? asked : permit;
    }

    /** Called when a time limit passes, before the abort. */
    private String timedOut() {
        unresponsive = Math.min(timings.nanos(), body.nanosSinceClient()) >= route.patienceNanos();
        return UpstreamProblem.late(stage);
    }

    @Override
    public void granted(Permits.Acquisition granted) {
        permit = granted;
        attemptOrFail();
    }

    /** Ends the exchange, such as for lack of memory for an attempt: nobody waits for it any more. */
    private void broken(Throwable cause) {
        abort();
        exchange.fail(cause);
    }

    private void attemptOrFail() {
        if (!attempt()) {
            endRequest();
            exchange.fail(UpstreamProblem.ofNoEndpoint());
        }
    }

    @Override
    public void refused(OffloadException reason) {
        over = true;
        exchange.fail(UpstreamProblem.of(reason));
    }

    /** Returns false if no endpoint is up. An attempt that cannot be made ends the exchange. */
    private boolean attempt() {
        try {
            Endpoint chosen = route.choose(exchange, retries.failed());
            if (chosen == null) {
                return false;
            }
            openTo(chosen);
        } catch (Throwable e) {
            broken(e);
        }
        return true;
    }

    private void openTo(Endpoint chosen) {
        stage = RequestStage.CONNECTING;
        endpoint = chosen;
        claim = chosen.claim();
        timings.begins(chosen);
        opening = Opening.DONE;
        Opening begun = upstream.open((EventLoop) exchange.eventLoop(), chosen, this);
        if (opening == Opening.DONE) { // otherwise opened or failed at once, perhaps with another attempt
            opening = begun;
            chosen.waitBegan();
        }
    }

    @Override
    public InetSocketAddress client() {
        return exchange.clientAddress();
    }

    @Override
    public AttributeMap connection() {
        return exchange.connection();
    }

    @Override
    public boolean switchesProtocol() {
        return ProxyHandler.asksForWebSocket(exchange);
    }

    @Override
    public void opened(UpstreamStream open) {
        endWait();
        stream = open;
        stage = RequestStage.SENT;
        timings.opened(open.isReused());
        try {
            UpstreamRequest request = route.request(exchange, target, open.endpoint());
            open.send(request, response);
            body.sendTo(open, request);
        } catch (Throwable e) {
            broken(e);
        }
    }

    @Override
    public void failed(UpstreamException cause) {
        endWait();
        boolean reused = stream != null && stream.isStale();
        endedUnanswered(cause.isOfEndpoint() && (!reused || cause.stage() == Stage.MALFORMED));
        boolean stale = reused && retries.takeFree();
        boolean lost = stream != null && stream.isLost();
        stream = null;
        body.pause();
        if (mayRepeat(cause.stage()) && (stale || retries.take(cause, lost)) && attempt()) {
            timings.retried(stale ? RetryReason.STALE : RetryReason.of(cause.stage()));
        } else {
            giveUp(cause);
        }
    }

    private void endWait() {
        if (opening != null && opening != Opening.DONE && endpoint != null) {
            endpoint.waitEnded();
        }
        opening = null;
    }

    /** Ends the current attempt without a response, by a failure of the endpoint or by none. */
    private void endedUnanswered(boolean failed) {
        if (endpoint != null && claim != null) {
            endpoint.endedUnanswered(claim, failed);
        }
    }

    /** Sends a request that a stopping endpoint has not served to another one; returns whether it could. */
    boolean goElsewhere() {
        UpstreamStream current = stream;
        if (current == null || !mayRepeat(Stage.RESPONSE) || !retries.takeElsewhere(current.endpoint())) {
            return false;
        }
        current.cancel();
        stream = null;
        body.pause();
        timings.retried(RetryReason.UNAVAILABLE);
        attemptOrFail();
        return true;
    }

    private boolean mayRepeat(Stage failed) {
        return body.isReplayable() && RetryAllowance.mayRepeat(exchange.request().method(), failed);
    }

    private void giveUp(UpstreamException cause) {
        timings.failed(cause);
        endRequest();
        GrpcCalls.failing(exchange, cause);
        exchange.fail(UpstreamProblem.of(cause));
    }

    /** Returns the stream of the current attempt; null if there is none. */
    @Nullable UpstreamStream stream() {
        return stream;
    }

    /** Called when a response begins: the request is not sent again. */
    void responseBegun(int status) {
        timings.responded(status);
        Objects.requireNonNull(permit).responded();
        stage = RequestStage.STREAMING;
        body.keepNoMore();
        retries.end();
    }

    /** Called when the response is streamed: it has no deadline from here on. */
    void lasts() {
        Objects.requireNonNull(permit).lasts(() -> {
            if (!over) {
                broken(UpstreamProblem.ofReclaimed());
            }
        });
    }

    ProxyHandler route() {
        return route;
    }

    /** Called when the endpoint has switched protocols: the permit is for requests only. */
    void switched(SwitchedConnection connection) {
        timings.responded(HttpResponseStatus.SWITCHING_PROTOCOLS.code());
        tunnelled = connection;
        responded();
    }

    /** Called when the whole response has come. */
    void responded() {
        if (!over) {
            finish();
            Objects.requireNonNull(permit, "a response to a request without one").release();
        }
    }

    private void finish() {
        over = true;
        timings.ended();
        stream = null;
        body.close();
        response.close();
        retries.end();
    }

    private void abort() {
        if (tunnelled != null) {
            tunnelled.close();
        }
        if (over) {
            return;
        }
        upstream.cancelled(stage);
        endedUnanswered(unresponsive);
        if (opening != null) {
            opening.cancel();
            endWait();
        }
        if (stream != null) {
            stream.cancel();
        }
        endRequest();
    }

    /** Ends the request to the upstream, which has not ended by itself. */
    private void endRequest() {
        finish();
        if (permit != null) {
            permit.cancel();
        }
    }
}
