package io.sluice.gateway.net;

/** What a protocol says of its connection to {@link ConnectionWatch}. On the connection's event loop. */
public interface Watched {
    /** Before a protocol has been agreed on. */
    Watched NOTHING_YET = new Watched() {
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

    /** What a connection's client has to send. */
    enum Awaited {
        /** Nothing: it is the gateway's turn. */
        NOTHING,
        /** The head of the connection's first request. */
        FIRST_HEAD,
        /** A further request, of which nothing has arrived. */
        NEXT_REQUEST,
        /** The rest of a head. */
        HEAD,
        /** More of a body. */
        BODY
    }

    /** What is being waited for. */
    Awaited awaited();

    /** How many requests there have been: what is awaited belongs to another one when it changes. */
    long requests();

    /** The client has taken too long; the connection is to be closed. */
    void tooSlow(Awaited what);

    /** Looks at streams, which are watched one by one; says whether some are left for another look. */
    default boolean lookAtStreams(long now) {
        return false;
    }
}
