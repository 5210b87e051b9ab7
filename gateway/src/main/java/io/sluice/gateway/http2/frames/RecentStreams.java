package io.sluice.gateway.http2.frames;

import org.jspecify.annotations.Nullable;

/** A bounded set of recent stream ids of a connection, in which a later id may replace an earlier one. */
final class RecentStreams {
    private static final int MIN_REMEMBERED = 256;

    private final int remembered;
    /** Null before the first one is added. */
    private int @Nullable [] ids;

    /** Creates an empty set that holds at least this number of successive ids. */
    RecentStreams(int atLeast) {
        remembered = Math.max(MIN_REMEMBERED, Integer.highestOneBit(2 * atLeast - 1));
    }

    void add(int id) {
        if (ids == null) {
            ids = new int[remembered];
        }
        ids[place(id)] = id;
    }

    boolean contains(int id) {
        return ids != null && ids[place(id)] == id;
    }

    /** Streams of clients have odd ids. */
    private int place(int id) {
        return id >>> 1 & remembered - 1;
    }
}
