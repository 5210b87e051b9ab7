package io.sluice.offload;

import org.slf4j.Logger;

/**
 * Runs the steps of a component that must survive any exception, such as a watcher, timer or listener. A
 * failure, Errors included, is logged at most every 10 s and not rethrown. Thread-safe.
 */
public final class Guard {
    private final Logger log;
    private final String message;
    private final RareWarning warnings = new RareWarning();

    /**
     * Creates a guard for the steps of one component.
     *
     * @param log the logger of that component
     * @param message the message of a failure: which step failed, and the consequence
     */
    public Guard(Logger log, String message) {
        this.log = log;
        this.message = message;
    }

    /** Runs a step on the calling thread; returns false if it failed. */
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
            if (warnings.tryTake()) {
                log.error(message, failure);
            }
        } catch (Throwable _) {
            // No memory or stack is left to log with.
        }
    }
}
