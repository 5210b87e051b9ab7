package io.sluice.offload;

import java.time.Duration;

/**
 * Why work was not done. Work that failed by itself fails with its own exception, cancelled work with
 * {@link java.util.concurrent.CancellationException}.
 */
public abstract sealed class OffloadException extends Exception {
    private static final long serialVersionUID = 1L;

    private OffloadException(String message, Throwable cause) {
        // Without a stack trace: under overload thousands of these are made a second.
        super(message, cause, false, false);
    }

    /** The pool would not take it. */
    public static final class Refused extends OffloadException {
        private static final long serialVersionUID = 1L;

        private final Reason reason;
        private final Duration retryAfter;

        Refused(String pool, Reason reason, Duration retryAfter) {
            super("offload pool " + pool + ": " + reason.text, null);
            this.reason = reason;
            this.retryAfter = retryAfter;
        }

        /** What kept it out. */
        public Reason reason() {
            return reason;
        }

        /** When the queue will be empty if nothing comes. */
        public Duration retryAfter() {
            return retryAfter;
        }

        /** What keeps work out of a pool. */
        public enum Reason {
            /** As many tasks wait as may. */
            QUEUE_FULL("its queue is full"),
            /** Its turn would come after its deadline. */
            TOO_LATE("its queue is too long for the deadline"),
            /** The pool has been closed. */
            CLOSED("it is closed");

            private final String text;

            Reason(String text) {
                this.text = text;
            }
        }
    }

    /** Its deadline passed, in the queue or while it ran. */
    public static final class DeadlineExceeded extends OffloadException {
        private static final long serialVersionUID = 1L;

        DeadlineExceeded(String pool, boolean running) {
            super("offload pool %s: deadline passed %s".formatted(pool, running ? "at work" : "in the queue"),
                    null);
        }
    }

    /** The database is not there. */
    public static final class DatabaseUnavailable extends OffloadException {
        private static final long serialVersionUID = 1L;

        private final Duration retryAfter;

        /** A database that cannot be reached; after that time it is looked for again. */
        public DatabaseUnavailable(String database, Duration retryAfter, Throwable cause) {
            super("database " + database + " cannot be reached", cause);
            this.retryAfter = retryAfter;
        }

        /** When it is looked for next. */
        public Duration retryAfter() {
            return retryAfter;
        }
    }
}
