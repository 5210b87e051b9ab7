package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpMethod;
import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamException;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.UpstreamRequest;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The retries that one request may take, and the endpoints that have failed it: a free retry, and some of its
 * own within the budget of its upstream. Confined to an event loop.
 */
final class RetryAllowance {
    private final Upstream upstream;
    private Set<Endpoint> failed = Set.of();
    private boolean freeTaken;
    private int taken;
    /** Indicates whether the upstream's budget counts this request. */
    private boolean budgeted;

    RetryAllowance(Upstream upstream) {
        this.upstream = upstream;
    }

    /**
     * Returns whether a request can be sent again: no part of a response has come, and either no endpoint can
     * have served it, or it is idempotent.
     */
    static boolean mayRepeat(HttpMethod method, Stage failed) {
        return switch (failed) {
            case CONNECT, REQUEST, REFUSED -> true;
            case RESPONSE -> UpstreamRequest.isIdempotent(method);
            case TOO_LARGE, TRUNCATED, MALFORMED -> false;
        };
    }

    /** Takes the retry that is free, as a connection was reused and closed before a byte came. */
    boolean takeFree() {
        boolean isFirst = !freeTaken;
        freeTaken = true;
        return isFirst;
    }

    /**
     * Takes a retry after a failure if the limits allow one. The budget counts no repetition that does not
     * multiply the load: of an attempt without a connection, which has loaded no endpoint, and of those that
     * were lost with one connection. Nor is the number of attempts without a connection limited while an
     * endpoint is up that has not been tried.
     *
     * @param lost whether the request was lost with others on its connection
     */
    boolean take(UpstreamException failure, boolean lost) {
        addFailed(failure.endpoint());
        boolean connected = failure.stage() != Stage.CONNECT;
        boolean unlimited = !connected && failure.isOfEndpoint() && upstream.hasAnotherUp(failed);
        return take(connected && !lost, unlimited);
    }

    /** Takes a retry as an endpoint is about to stop, if another one is up and the limits allow it. */
    boolean takeElsewhere(Endpoint stopping) {
        addFailed(stopping);
        return upstream.hasAnotherUp(failed) && take(true, false);
    }

    private boolean take(boolean loads, boolean unlimited) {
        int limit = upstream.config().retries();
        boolean counts = loads && !budgeted;
        if (limit == 0 || taken == limit && !unlimited || counts && !upstream.retries().begin()) {
            return false;
        }
        taken += unlimited ? 0 : 1;
        budgeted |= counts;
        return true;
    }

    private void addFailed(Endpoint endpoint) {
        failed = failed.isEmpty() ? Set.of(endpoint)
                : Stream.concat(failed.stream(), Stream.of(endpoint)).collect(Collectors.toSet());
    }

    /** Returns the endpoints that have failed the request. */
    Set<Endpoint> failed() {
        return failed;
    }

    /** Gives back what the budget counts; called when a response begins, or the request ends without one. */
    void end() {
        if (budgeted) {
            budgeted = false;
            upstream.retries().end();
        }
    }
}
