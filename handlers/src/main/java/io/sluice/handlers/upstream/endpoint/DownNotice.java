package io.sluice.handlers.upstream.endpoint;

import io.sluice.offload.RareWarning;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits what is logged of an endpoint that goes down and comes back all the time: that it is down at most
 * every 10 s, and its return once after that. Any thread.
 */
public final class DownNotice {
    private final RareWarning limit = new RareWarning();
    private final AtomicBoolean given = new AtomicBoolean();

    /** Returns whether it is to be logged that the endpoint is down. */
    public boolean tryGive() {
        return !given.get() && limit.tryTake() && given.compareAndSet(false, true);
    }

    /** Returns whether it is to be logged that the endpoint is up again. */
    public boolean tryTakeBack() {
        return given.get() && given.compareAndSet(true, false); // a read is cheaper, and usual
    }
}
