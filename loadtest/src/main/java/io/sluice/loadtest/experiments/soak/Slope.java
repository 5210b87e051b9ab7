package io.sluice.loadtest.experiments.soak;

import io.sluice.loadtest.experiments.report.Series.Point;
import java.util.Collection;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How fast a measure grows, by Sen with seasons (Hirsch 1982): the median of the slopes between all pairs of
 * samples of the same season, which single outliers do not move, and the interval that holds the true slope
 * with 99 % confidence, which supposes nothing of the noise but that samples do not depend on one another.
 *
 * @param slope in units of y for a unit of x; not a number where no season has two samples
 */
record Slope(double slope, double low, double high) {

    /** Standard deviations on either side of a normal distribution's middle 99 %. */
    private static final double CONFIDENCE = 2.576;

    /** Of the samples of each season, whose x differ. */
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

    /** Of Kendall's S under no trend, less what equal values take from it. */
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

    /** Whether a measure that stays as it is can look like this. */
    boolean zeroWithinTheNoise() {
        return low <= 0 && high >= 0;
    }
}
