package io.sluice.loadtest.experiments.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle of some figures: one odd round does not move it. */
public final class Median {

    private Median() {}

    /** Of an even number the mean of the two in the middle; of none, not a number. */
    public static double of(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        var sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Of one figure of each element. */
    public static <T> double of(List<T> elements, ToDoubleFunction<T> figure) {
        return of(elements.stream().mapToDouble(figure).toArray());
    }
}
