package io.sluice.handlers.upstream.http2;

/**
 * The credit of an endpoint for more bytes of a response (RFC 9113 section 5.2). Its reader withholds it by a
 * pause. Confined to the event loop.
 */
public final class ResponseCredit {
    private boolean paused;
    /** The bytes that have arrived since the pause, for which the endpoint has no credit yet. */
    private int withheld;

    /** Begins a pause. */
    public void pause() {
        paused = true;
    }

    /** Returns whether there is a pause. */
    public boolean isPaused() {
        return paused;
    }

    /** Ends the pause; returns the credit that was withheld. */
    public int resume() {
        int due = withheld;
        paused = false;
        withheld = 0;
        return due;
    }

    /** Returns the credit for bytes that have arrived, which is 0 in a pause. */
    public int of(int bytes) {
        if (!paused) {
            return bytes;
        }
        withheld += bytes;
        return 0;
    }
}
