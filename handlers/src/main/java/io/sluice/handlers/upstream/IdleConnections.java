package io.sluice.handlers.upstream;

import org.jspecify.annotations.Nullable;

/**
 * Connections that carry no request, in the order in which they became idle. A linked list, so that any of
 * them can leave it at once. Confined to the event loop.
 */
final class IdleConnections {
    /** Is before the first connection and after the last. */
    private final Place ends = new Place(null);
    private int size;

    /**
     * The place of a connection in a list, or in none. Clients remember that of the connection which they
     * have used last. It is vacant after the connection's end, so that none stays in memory for them.
     */
    static final class Place {
        private @Nullable Http1Connection connection;
        /** Null while the connection is not idle. */
        private @Nullable IdleConnections list;
        private Place before = this;
        private Place after = this;
        private long sinceNanos;

        Place(@Nullable Http1Connection connection) {
            this.connection = connection;
        }

        /** Returns the connection; null after its end. */
        @Nullable Http1Connection connection() {
            return connection;
        }

        /** Returns when the connection became idle. */
        long sinceNanos() {
            return sinceNanos;
        }

        /** Forgets the connection, which has ended. */
        void vacate() {
            leave();
            connection = null;
        }

        /** Leaves the list, if the connection is idle. */
        void leave() {
            if (list != null) {
                list.size--;
                list = null;
                before.after = after;
                after.before = before;
                before = this;
                after = this;
            }
        }
    }

    /** Returns about how many there are. Any thread. */
    int size() {
        return size;
    }

    boolean contains(Place place) {
        return place.list == this;
    }

    /** Adds a connection that is in no list. */
    void add(Place place, long now) {
        size++;
        place.list = this;
        place.sinceNanos = now;
        place.before = ends.before;
        place.after = ends;
        place.before.after = place;
        ends.before = place;
    }

    /** Returns the connection that has been idle for the longest time; null if there is none. */
    @Nullable Place oldest() {
        return ends.after == ends ? null : ends.after;
    }

    /** Returns the connection that has been idle for the shortest time; null if there is none. */
    @Nullable Place youngest() {
        return older(ends);
    }

    /** Returns the one that became idle before another; null if there is none. */
    @Nullable Place older(Place than) {
        return than.before == ends ? null : than.before;
    }
}
