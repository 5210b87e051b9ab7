package io.sluice.loadtest.experiments.soak;

import io.sluice.loadtest.experiments.report.Series.Point;
import java.util.Collection;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The growth of a measure, by Sen's slope with seasons (Hirsch 1982): the median of the slopes between all
 * pairs of samples of the same season, which single outliers do not change, and its 99 % confidence interval,
 * which assumes nothing about the noise except that samples are independent.
 *
 * @param slope in units of y per unit of x; NaN if no season has two samples
 */
record Slope(double slope, double low, double high) {

    /** The half-width of the middle 99 % of a normal distribution, in standard deviations. */
    private static final double CONFIDENCE = 2.576;

    /** The slope of the samples of each season, whose x must differ. */
    static Slope of(Collection<List<Point>> seasons) {
        var slopes = seasons.stream().flatMapToDouble(Slope::slopes).sorted().toArray();
        if (slopes.length == 0) {
            return new Slope(Double.NaN, Double.NaN, Double.NaN);
        }
        double spread = CONFIDENCE * Math.sqrt(seasons.stream().mapToDouble(Slope::variance).sum());
        int low = (int) Math.floor((slopes.length - spread) / 2);
        int high = (int) Math.ceil((slopes.length + spread) / 2);
        return new Slope((slopes[(slopes.length - 1) / 2] + slopes[slopes.length / 2]) / 2,
                slopes[Math.clamp(low, 0, slopes.length - 1)],
                slopes[Math.clamp(high, 0, slopes.length - 1)]);
    }

    private static DoubleStream slopes(List<Point> samples) {
        int n = samples.size();
        return IntStream.range(0, n).boxed().flatMapToDouble(one -> IntStream.range(one + 1, n)
                .mapToDouble(other -> between(samples.get(one), samples.get(other))));
    }

    private static double between(Point one, Point other) {
        return (other.y() - one.y()) / (other.x() - one.x());
    }

    /** The variance of Kendall's S without a trend, corrected for ties. */
    private static double variance(List<Point> samples) {
        var values = samples.stream().mapToDouble(Point::y).sorted().toArray();
        double variance = term(values.length);
        for (int from = 0, to; from < values.length; from = to) {
            to = from;
            while (to < values.length && values[to] == values[from]) {
                to++;
            }
            variance -= term(to - from);
        }
        return variance / 18;
    }

    private static double term(double n) {
        return n * (n - 1) * (2 * n + 5);
    }

    /** Returns whether a constant measure can produce these samples. */
    boolean zeroWithinTheNoise() {
        return low <= 0 && high >= 0;
    }
}
