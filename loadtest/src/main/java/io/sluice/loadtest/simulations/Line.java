package io.sluice.loadtest.simulations;

import java.util.ArrayList;
import java.util.List;

/** A series of values over time, and the straight line that fits them best. */
final class Line {

    private record Point(double at, double value) {}

    private final List<Point> points = new ArrayList<>();

    void add(double at, double value) {
        points.add(new Point(at, value));
    }

    double first() {
        return points.getFirst().value();
    }

    double last() {
        return points.getLast().value();
    }

    double highest() {
        return points.stream().mapToDouble(Point::value).max().orElseThrow();
    }

    /** The slope by least squares; 0 for a single value. */
    double slope() {
        var meanAt = points.stream().mapToDouble(Point::at).average().orElse(0);
        var meanValue = points.stream().mapToDouble(Point::value).average().orElse(0);
        var together = points.stream().mapToDouble(p -> (p.at() - meanAt) * (p.value() - meanValue)).sum();
        var spread = points.stream().mapToDouble(p -> (p.at() - meanAt) * (p.at() - meanAt)).sum();
        return spread == 0 ? 0 : together / spread;
    }
}
