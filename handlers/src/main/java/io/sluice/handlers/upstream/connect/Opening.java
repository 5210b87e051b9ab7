package io.sluice.handlers.upstream.connect;

/** A connection, or a stream, that is being opened. Confined to the event loop. */
public interface Opening {
    /** A connection that was provided at once. */
    Opening DONE = () -> { };

    /** Cancels the opening; its user is not called any more. */
    void cancel();
}
