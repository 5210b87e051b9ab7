package io.sluice.gateway.net;

/**
 * Tells the {@link ConnectionWatch} of a connection what its client has to send. On the connection's event
 * loop.
 */
public interface ExpectedInput {
    /** Awaits nothing: before a protocol has been agreed on, and in a tunnel. */
    ExpectedInput NOTHING = new ExpectedInput() {
        @Override
        public Awaited awaited() {
            return Awaited.NOTHING;
        }

        @Override
        public long requests() {
            return 0;
        }

        @Override
        public void tooSlow(Awaited what) {
            throw new IllegalStateException(what + " was not awaited");
        }
    };

    /** The part of a request that a connection's client has to send. */
    enum Awaited {
        /** Nothing: the gateway has to respond. */
        NOTHING,
        /** The head of the connection's first request. */
        FIRST_HEAD,
        /** A further request, of which no byte has arrived. */
        NEXT_REQUEST,
        /** The rest of a head. */
        HEAD,
        /** More of a body. */
        BODY
    }

    /** Returns the part of a request that the client has to send now. */
    Awaited awaited();

    /** Returns the number of requests so far; a change of it restarts the time limit. */
    long requests();

    /** Closes the connection, as the client has exceeded a time limit. */
    void tooSlow(Awaited what);

    /**
     * Checks the progress of streams, each of which has its own limits; true if some are left for another
     * call.
     */
    default boolean checkStreams(long now) {
        return false;
    }
}
