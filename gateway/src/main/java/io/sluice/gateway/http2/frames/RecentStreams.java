package io.sluice.gateway.http2.frames;

/**
 * A set of recent stream ids of a connection. It holds 256 at most; a later id may replace an earlier one.
 */
final class RecentStreams {
    private static final int REMEMBERED = 256;

    private final int[] ids = new int[REMEMBERED];

    void add(int id) {
        ids[place(id)] = id;
    }

    boolean contains(int id) {
        return ids[place(id)] == id;
    }

    /** Streams of clients have odd ids. */
    private static int place(int id) {
        return id >>> 1 & REMEMBERED - 1;
    }
}
