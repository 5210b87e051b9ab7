package io.sluice.loadtest.experiments.report;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A named line in a plot; points whose y is not finite are left out. */
public record Series(String name, List<Point> points) {

    /** A point in the units of the axes. */
    public record Point(double x, double y) {}

    /**
     * Latencies in ms by percentile, for {@link Axis#percentiles()}.
     *
     * @param nanos latencies in ns
     */
    public static Series percentiles(String name, Histogram nanos) {
        var points = new ArrayList<Point>();
        if (nanos.getTotalCount() > 0) {
            for (double nines = 0; nines <= 3.0001; nines += 0.05) {
                double percentile = 100 * (1 - Math.pow(10, -nines));
                points.add(new Point(percentile, nanos.getValueAtPercentile(percentile) / 1e6));
            }
        }
        return new Series(name, List.copyOf(points));
    }

    double largest() {
        return points.stream().mapToDouble(Point::y).filter(Double::isFinite).max().orElse(Double.NaN);
    }

    double smallest() {
        return points.stream().mapToDouble(Point::y).filter(Double::isFinite).min().orElse(Double.NaN);
    }

    /** The largest y of several lines; NaN if they have no points. */
    public static double largestOf(List<Series> series) {
        return series.stream().mapToDouble(Series::largest).filter(Double::isFinite).max().orElse(Double.NaN);
    }

    /** The smallest y of several lines; NaN if they have no points. */
    public static double smallestOf(List<Series> series) {
        return series.stream().mapToDouble(Series::smallest).filter(Double::isFinite).min()
                .orElse(Double.NaN);
    }
}
