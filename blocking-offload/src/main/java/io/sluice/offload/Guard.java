package io.sluice.offload;

import org.slf4j.Logger;

/**
 * Runs the steps of something that must go on whatever one of them throws: a watch, a timer, a listener. A
 * failure, Errors included, is logged at most every 10 s and goes no further. Thread-safe.
 */
public final class Guard {
    private final Logger log;
    private final String message;
    private final RareWarning warnings = new RareWarning();

    /**
     * For the steps of one watcher.
     *
     * @param log of that watcher
     * @param message about a failure: which step failed, and what follows
     */
    public Guard(Logger log, String message) {
        this.log = log;
        this.message = message;
    }

    /** Runs a step; false where it failed. */
    public boolean run(Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable e) {
            report(e);
            return false;
        }
    }

    /** Logs a failure that the caller has caught. */
    public void report(Throwable failure) {
        try {
            if (warnings.isDue()) {
                log.error(message, failure);
            }
        } catch (Throwable _) {
            // No memory or stack is left for a message; nothing is left to do about that.
        }
    }
}
