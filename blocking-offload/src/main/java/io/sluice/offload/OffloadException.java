package io.sluice.offload;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a pool did not do a task. A task that fails by itself fails with its own exception, a
 * cancelled one with {@link java.util.concurrent.CancellationException}.
 */
public abstract sealed class OffloadException extends Exception {
    private static final long serialVersionUID = 1L;

    private OffloadException(String message, @Nullable Throwable cause) {
        // Without a stack trace: under overload there are thousands of these per second.
        super(message, cause, false, false);
    }

    /** The pool has refused the task. */
    public static final class Refused extends OffloadException {
        private static final long serialVersionUID = 1L;

        private final Reason reason;
        private final Duration retryAfter;

        Refused(String pool, Reason reason, Duration retryAfter) {
            super(pool + ": " + reason.text, null);
            this.reason = reason;
            this.retryAfter = retryAfter;
        }

        /** Returns the reason of the refusal. */
        public Reason reason() {
            return reason;
        }

        /** Returns the time until the queue is empty if no further task arrives. */
        public Duration retryAfter() {
            return retryAfter;
        }

        /** The reasons of refusals. */
        public enum Reason {
            /** The queue limit is reached. */
            QUEUE_FULL("its queue is full"),
            /** The expected wait is too long for the deadline. */
            TOO_LATE("its queue is too long for the deadline"),
            /** The pool has been closed. */
            CLOSED("it is closed");

            private final String text;

            Reason(String text) {
                this.text = text;
            }
        }
    }

    /** The deadline passed while the task was queued or running. */
    public static final class DeadlineExceeded extends OffloadException {
        private static final long serialVersionUID = 1L;

        DeadlineExceeded(String pool, boolean running) {
            super(pool + ": deadline passed " + (running ? "at work" : "in the queue"), null);
        }
    }

    /** The database is not reachable. */
    public static final class DatabaseUnavailable extends OffloadException {
        private static final long serialVersionUID = 1L;

        private final Duration retryAfter;

        /**
         * Creates the exception.
         *
         * @param retryAfter the time until the next attempt to connect
         * @param cause may be null
         */
        public DatabaseUnavailable(String database, Duration retryAfter, @Nullable Throwable cause) {
            super("database " + database + " cannot be reached", cause);
            this.retryAfter = retryAfter;
        }

        /** Returns the time until the next attempt to connect. */
        public Duration retryAfter() {
            return retryAfter;
        }
    }
}
