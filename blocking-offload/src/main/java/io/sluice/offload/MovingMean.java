package io.sluice.offload;

import java.util.concurrent.atomic.AtomicLong;

/** A mean that forgets: each new value counts for a sixteenth. Any thread may add and read. */
final class MovingMean {
    private static final double WEIGHT = 1.0 / 16;

    private final AtomicLong bits = new AtomicLong(Double.doubleToRawLongBits(Double.NaN));

    void add(long nanos) {
        bits.updateAndGet(old -> {
            double mean = Double.longBitsToDouble(old);
            return Double.doubleToRawLongBits(Double.isNaN(mean) ? nanos : mean + WEIGHT * (nanos - mean));
        });
    }

    /** 0 before the first value. */
    double nanos() {
        double mean = Double.longBitsToDouble(bits.get());
        return Double.isNaN(mean) ? 0 : mean;
    }
}
