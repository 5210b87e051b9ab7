package io.sluice.loadtest.experiments.soak;

import io.sluice.loadtest.experiments.report.Series.Point;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A measure of a gateway's resources, in the unit in which it is reported. */
enum Measure {
    HEAP("heap after a collection, MB", holding -> holding.heap() / 1e6),
    DIRECT("direct memory in buffers, MB", holding -> holding.direct() / 1e6),
    RESERVED("direct memory of their pool, MB", holding -> holding.reserved() / 1e6),
    DESCRIPTORS("descriptors", Holding::descriptors),
    THREADS("threads", Holding::threads);

    private final String title;
    private final ToDoubleFunction<Holding> value;

    Measure(String title, ToDoubleFunction<Holding> value) {
        this.title = title;
        this.value = value;
    }

    /** The name of the measure, with its unit. */
    String title() {
        return title;
    }

    /** The measure by hours since the beginning. */
    List<Point> points(List<Holding> holdings) {
        return holdings.stream()
                .map(holding -> new Point(holding.hours(), value.applyAsDouble(holding)))
                .toList();
    }
}
