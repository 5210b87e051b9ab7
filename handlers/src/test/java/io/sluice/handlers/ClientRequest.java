package io.sluice.handlers;

import java.util.Map;

/** A request, from the client's side. */
public interface ClientRequest {

    /** Sends a piece of the body, in ASCII. The pieces together must be JSON. */
    void send(String piece);

    /** Ends the request. */
    void end();

    /** Waits for the head of the answer, before its body, and returns the status. */
    default int awaitHead() {
        throw new UnsupportedOperationException("an answer in one piece");
    }

    /** Reads the answer, or as much of it as arrives. */
    Answer answer();

    /** Closes the client's connection. */
    void leave();

    /**
     * An answer, as the client received it.
     *
     * @param status 0 if unknown
     * @param headers with names in lower case; empty if the protocol has none
     * @param whole whether the client can tell that the answer is complete
     */
    record Answer(int status, Map<String, String> headers, String body, boolean whole) {
        /** An answer that was cut off before the client could use any of it. */
        public static final Answer CUT_OFF = new Answer(0, Map.of(), "", false);

        /** Returns whether the client sees a complete answer with a status of success. */
        public boolean isSuccess() {
            return whole && status == 200;
        }
    }
}
