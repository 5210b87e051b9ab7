package io.sluice.loadtest.experiments.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The median of figures, which one outlier does not change. */
public final class Median {

    private Median() {}

    /** The median; of an even number of values the mean of the two in the middle, of none NaN. */
    public static double of(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        var sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The median of one figure of each element. */
    public static <T> double of(List<T> elements, ToDoubleFunction<T> figure) {
        return of(elements.stream().mapToDouble(figure).toArray());
    }
}
