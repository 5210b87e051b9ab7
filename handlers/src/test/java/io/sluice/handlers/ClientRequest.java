package io.sluice.handlers;

import java.util.Map;

/** A request as its client sees it. */
public interface ClientRequest {

    /** Sends a piece of the body, in ASCII. All pieces together are JSON. */
    void send(String piece);

    /** Has sent all of the request. */
    void end();

    /** Waits for the head of the answer, before its body, and returns the status. */
    default int awaitHead() {
        throw new UnsupportedOperationException("an answer in one piece");
    }

    /** Reads the answer, as far as it comes. */
    Answer answer();

    /** Goes away. */
    void leave();

    /**
     * An answer as it came.
     *
     * @param status 0 where it is not known
     * @param headers with names in lower case; empty where the protocol has none
     * @param whole whether the client can take it for a whole one
     */
    record Answer(int status, Map<String, String> headers, String body, boolean whole) {
        /** One that was cut off, of which the client can take nothing for granted. */
        public static final Answer CUT_OFF = new Answer(0, Map.of(), "", false);

        /** Whether the client takes it for a success. */
        public boolean isSuccess() {
            return whole && status == 200;
        }
    }
}
