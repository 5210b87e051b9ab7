package io.sluice.handlers.upstream.endpoint;

import java.util.concurrent.TimeUnit;

/**
 * The average time from a request to the first byte of its response. A longer one counts at once, a shorter
 * one in proportion to the time since the one before. Without further ones the average halves every 5 s, so
 * that a slow endpoint is tried again. Any thread; of two concurrent ones, one may be lost.
 */
public final class FirstByteTime {
    private static final long HALF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private volatile long average;
    private volatile long at;

    /** Adds a measured time. */
    public void add(long nanos, long now) {
        long age = Math.max(0, now - at);
        long before = decayed(average, age);
        average = before == 0 ? Math.max(1, nanos) : Math.max(nanos, before + nanos - decayed(nanos, age));
        at = now;
    }

    /** Adds the time for which a response was awaited in vain: it would have been longer. */
    public void addUnended(long nanos, long now) {
        if (nanos > nanos(now)) {
            add(nanos, now);
        }
    }

    /** Returns the average in ns; 0 if none is known. */
    public long nanos(long now) {
        long known = average;
        return known == 0 ? 0 : decayed(known, Math.max(0, now - at));
    }

    /**
     * Returns the average in ns beside that of another endpoint: without further ones it becomes as small as
     * the other, but not smaller, unless it was. Otherwise an endpoint that hangs would look fast.
     *
     * @param other the average of the other endpoint
     * @param awaited the time for which responses have been awaited; 0 if none is
     */
    public long nanosBeside(long other, long awaited, long now) {
        long silence = Math.min(awaited, now - at);
        return Math.max(nanos(now), Math.min(Math.max(average, silence), other));
    }

    /** Returns a value after a time, linear between two halvings. */
    private static long decayed(long value, long age) {
        long halvings = age / HALF_LIFE_NANOS;
        if (halvings > 62) {
            return 0;
        }
        long halved = value >> halvings;
        return halved - (long) (halved * 0.5 * (age - halvings * HALF_LIFE_NANOS) / HALF_LIFE_NANOS);
    }
}
