package io.sluice.handlers.upstream.connect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Connections that carry no request, in the order in which they became idle. A linked list, so that any of
 * them can leave it at once. Confined to the event loop.
 *
 * @param <C> the class of connections
 */
public final class IdleConnections<C> {
    /** Is before the first connection and after the last. */
    private final Place<C> ends = new Place<>(null);
    private int size;

    /**
     * The place of a connection in a list, or in none. Clients remember that of the connection which they
     * have used last. It is vacant after the connection's end, so that neither that nor its user stays in
     * memory for them.
     */
    public static final class Place<C> {
        private @Nullable C connection;
        /** Null while the connection is not idle. */
        private @Nullable IdleConnections<C> list;
        private Place<C> before = this;
        private Place<C> after = this;
        private long sinceNanos;
        private @Nullable Object user;
        private boolean reserved;

        /** Creates the place of a connection that is not idle. */
        public Place(@Nullable C connection) {
            this.connection = connection;
        }

        /** Returns the connection, which has not ended. */
        public C connection() {
            return Objects.requireNonNull(connection, "the connection has ended");
        }

        /** Returns when the connection became idle. */
        public long sinceNanos() {
            return sinceNanos;
        }

        /** Forgets the connection, which has ended. */
        public void vacate() {
            leaveList();
            connection = null;
            user = null;
        }

        /** Returns whether the connection is in a list. */
        public boolean isIdle() {
            return list != null;
        }

        /** Leaves the list for a user. */
        public void use(Object by) {
            leaveList();
            user = connection == null ? null : by;
        }

        /** Keeps the connection for its current user from now on. */
        public void reserve() {
            reserved = true;
        }

        /** Returns whether the connection is kept for one user. */
        public boolean isReserved() {
            return reserved;
        }

        /** Returns the user of the connection, or the only one that it may have; null for none. */
        public @Nullable Object user() {
            return user;
        }

        /** Returns whether a user may have the connection. */
        public boolean isFor(Object other) {
            return !reserved || user == other;
        }

        /** Leaves the list, if the connection is idle. */
        public void leaveList() {
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
    public int size() {
        return size;
    }

    /** Returns whether a connection is in this list. */
    public boolean contains(Place<C> place) {
        return place.list == this;
    }

    /** Adds a connection that is in no list. */
    public void add(Place<C> place, long now) {
        size++;
        place.list = this;
        place.sinceNanos = now;
        place.user = place.reserved ? place.user : null;
        place.before = ends.before;
        place.after = ends;
        place.before.after = place;
        ends.before = place;
    }

    /** Returns the connection that has been idle for the longest time; null if there is none. */
    public @Nullable Place<C> oldest() {
        return ends.after == ends ? null : ends.after;
    }

    /** Returns the connection that has been idle for the shortest time; null if there is none. */
    public @Nullable Place<C> youngest() {
        return older(ends);
    }

    /** Returns the one that became idle before another; null if there is none. */
    public @Nullable Place<C> older(Place<C> than) {
        return than.before == ends ? null : than.before;
    }
}
