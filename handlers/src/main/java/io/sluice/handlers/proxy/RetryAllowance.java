package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpMethod;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.UpstreamRequest;

/**
 * The retries that one request may take: a free one, and some of its own within the budget of its upstream.
 * Confined to an event loop.
 */
final class RetryAllowance {
    private final Upstream upstream;
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
     * Takes a retry if the limits allow one. An attempt without a connection has loaded no endpoint, so that
     * its repetition does not multiply the load, and the budget does not count it.
     */
    boolean take(Stage failed) {
        boolean counts = failed != Stage.CONNECT && !budgeted;
        if (taken == upstream.config().retries() || counts && !upstream.retries().begin()) {
            return false;
        }
        taken++;
        budgeted |= counts;
        return true;
    }

    /** Gives back what the budget counts; called at the end of the request. */
    void end() {
        if (budgeted) {
            budgeted = false;
            upstream.retries().end();
        }
    }
}
