package io.sluice.gateway.http2.frames;

/** Some of the latest streams of a connection, by what they are remembered for. */
final class RecentStreams {
    private static final int REMEMBERED = 256;

    private final int[] ids = new int[REMEMBERED];

    void add(int id) {
        ids[place(id)] = id;
    }

    boolean contains(int id) {
        return ids[place(id)] == id;
    }

    /** A client's streams have odd numbers. */
    private static int place(int id) {
        return id >>> 1 & REMEMBERED - 1;
    }
}
