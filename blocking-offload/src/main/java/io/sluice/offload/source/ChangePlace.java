package io.sluice.offload.source;

import java.util.Comparator;

/**
 * The place of a change in the log.
 *
 * @param commit the position of its transaction's commit
 * @param number its number in the transaction, from 1
 */
record ChangePlace(long commit, long number) implements Comparable<ChangePlace> {
    private static final Comparator<ChangePlace> ORDER =
            Comparator.comparingLong(ChangePlace::commit).thenComparingLong(ChangePlace::number);

    @Override
    public int compareTo(ChangePlace other) {
        return ORDER.compare(this, other);
    }
}
