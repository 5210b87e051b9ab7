package io.sluice.loadtest.experiments.report;

import java.util.Locale;

/** Formats figures for tables: about three digits, and a dash for unknown ones. */
public final class Figure {

    private static final String NONE = "–";

    private Figure() {}

    /** With as many decimals as three digits need: 1.25, 12.5, 125, 1,250. */
    public static String of(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        return format(size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%,.0f", value);
    }

    /** A count. */
    public static String of(long count) {
        return format("%,d", count);
    }

    /** A share as percent, with one decimal. */
    public static String percent(double share) {
        return Double.isFinite(share) ? format("%.1f %%", share * 100) : NONE;
    }

    /** A quotient, with enough decimals to tell 1.04 from 1.05. */
    public static String ratio(double value) {
        return Double.isFinite(value) ? format(value < 100 ? "%.2f" : "%,.0f", value) : NONE;
    }

    /** With one digit more than a bound has, so that 0.988 does not look like 0.99. */
    public static String precise(double value) {
        return Double.isFinite(value) ? format("%.3f", value) : NONE;
    }

    private static String format(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
