package io.sluice.loadtest.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/**
 * One axis of a plot.
 *
 * @param label the quantity, with its unit
 * @param scale the transformation that makes the axis linear: equal steps of its result are equal distances
 *     in the plot
 */
public record Axis(String label, List<Tick> ticks, double from, double to, DoubleUnaryOperator scale) {

    private static final int TICKS = 6;
    /** The smallest value of an axis. */
    private static final double LEAST = 0.001;

    /** A labelled value of the axis. */
    public record Tick(double value, String label) {}

    /** From 0 to at least {@code max}, evenly. */
    public static Axis linear(String label, double max) {
        double most = atLeast(max, LEAST);
        double step = roundUp(most / TICKS);
        var ticks = new ArrayList<Tick>();
        double value = 0;
        for (int n = 0; n == 0 || value < most; n++) {
            value = n * step;
            ticks.add(new Tick(value, plain(value)));
        }
        return new Axis(label, ticks, 0, value, DoubleUnaryOperator.identity());
    }

    /** Logarithmic, from at most {@code min} to at least {@code max}, with ticks at 1, 2 and 5. */
    public static Axis logarithmic(String label, double min, double max) {
        double least = atLeast(min, LEAST);
        double most = atLeast(max, least);
        double from = roundDown(least * 0.999);
        var ticks = new ArrayList<Tick>();
        double value = from;
        ticks.add(new Tick(value, plain(value)));
        while (value < most || ticks.size() < 2) {
            value = roundUp(value * 1.01);
            ticks.add(new Tick(value, plain(value)));
        }
        return new Axis(label, ticks, from, value, Math::log10);
    }

    /** Logarithmic, with ticks at these values only, smallest first. */
    public static Axis logarithmic(String label, List<Tick> ticks) {
        return new Axis(label, ticks, ticks.getFirst().value(), ticks.getLast().value(), Math::log10);
    }

    /** Percentiles, 0 to 99.9 %, stretched towards the slowest: each nine takes as much room. */
    public static Axis percentiles() {
        var ticks = DoubleStream.of(0, 50, 90, 95, 99, 99.9)
                .mapToObj(value -> new Tick(value, plain(value) + " %"))
                .toList();
        return new Axis("requests that were at least as fast", ticks, 0, 99.9,
                percent -> -Math.log10(1 - percent / 100));
    }

    /**
     * The position of a value: 0 at the beginning of the axis, 1 at its end; values outside lie at an end.
     */
    double position(double value) {
        double begin = scale.applyAsDouble(from);
        double place = (scale.applyAsDouble(value) - begin) / (scale.applyAsDouble(to) - begin);
        return Math.clamp(place, 0, 1);
    }

    /** The next of 1, 2, 5, 10, 20 ... that is not smaller. */
    private static double roundUp(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        double digits = value / power;
        return power * (digits <= 1.000001 ? 1 : digits <= 2.000001 ? 2 : digits <= 5.000001 ? 5 : 10);
    }

    private static double roundDown(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        double digits = value / power;
        return power * (digits >= 5 ? 5 : digits >= 2 ? 2 : 1);
    }

    /** The larger one; the bound if the value is NaN. */
    private static double atLeast(double value, double bound) {
        return Double.isFinite(value) ? Math.max(value, bound) : bound;
    }

    private static String plain(double value) {
        var text = String.format(Locale.ROOT, "%.3f", value);
        return text.replaceAll("\\.?0+$", "");
    }
}
