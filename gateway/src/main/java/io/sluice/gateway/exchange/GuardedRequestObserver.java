package io.sluice.gateway.exchange;

import io.sluice.offload.Guard;
import org.slf4j.LoggerFactory;

/** An observer around one whose failure must not affect the connection. Thread-safe. */
public final class GuardedRequestObserver implements RequestObserver {
    private final Guard guard = new Guard(LoggerFactory.getLogger(GuardedRequestObserver.class),
            "a request has ended, but was not metered or logged");
    private final RequestObserver inner;

    /** Creates an observer around another one. */
    public GuardedRequestObserver(RequestObserver inner) {
        this.inner = inner;
    }

    @Override
    public void ended(ServedRequest request) {
        try {
            inner.ended(request);
        } catch (Throwable e) { // not guard.run(), which would allocate a lambda for each request
            guard.report(e);
        }
    }
}
