package io.sluice.loadtest.experiments.report;

import io.sluice.loadtest.experiments.report.Axis.Tick;
import io.sluice.loadtest.experiments.report.Series.Point;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Plots lines in panels, one above the other, as SVG. The viewer chooses the font, so that the measuring
 * machine needs none.
 */
public final class SvgPlot {

    private static final int WIDTH = 860;
    private static final int TITLE = 34;
    private static final int PANEL = 330;
    private static final int LEFT = 76;
    private static final int TOP = 16;
    private static final int PLOT_WIDTH = 560;
    private static final int PLOT_HEIGHT = 250;
    private static final List<String> COLOURS =
            List.of("#0b6e99", "#d9480f", "#2b8a3e", "#862e9c", "#c2255c", "#5c5f66", "#e6a700");

    private final StringBuilder svg = new StringBuilder();

    private SvgPlot() {}

    /** One pair of axes and its lines. */
    public record Panel(Axis x, Axis y, List<Series> series) {}

    /** The text of an SVG file. */
    public static String of(String title, List<Panel> panels) {
        var plot = new SvgPlot();
        int height = TITLE + panels.size() * PANEL;
        plot.add("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" \
                font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                """, WIDTH, height, WIDTH, height);
        plot.text(LEFT, 24, "start", "font-size=\"15\"", title);
        for (int n = 0; n < panels.size(); n++) {
            plot.panel(panels.get(n), TITLE + n * PANEL + TOP);
        }
        return plot.add("</svg>\n").svg.toString();
    }

    private void panel(Panel panel, int top) {
        panel.x().ticks().forEach(tick -> vertical(panel.x(), tick, top));
        panel.y().ticks().forEach(tick -> horizontal(panel.y(), tick, top));
        text(LEFT + PLOT_WIDTH / 2, top + PLOT_HEIGHT + 36, "middle", "", panel.x().label());
        int middle = top + PLOT_HEIGHT / 2;
        text(20, middle, "middle", "transform=\"rotate(-90 20 %d)\"".formatted(middle), panel.y().label());
        for (int n = 0; n < panel.series().size(); n++) {
            line(panel, panel.series().get(n), COLOURS.get(n % COLOURS.size()), top);
            legend(panel.series().get(n), COLOURS.get(n % COLOURS.size()), top + 10 + n * 20);
        }
    }

    private void vertical(Axis axis, Tick tick, int top) {
        double x = x(axis, tick.value());
        add("<path d=\"M%.1f %d v%d\" stroke=\"#dee2e6\"/>\n", x, top, PLOT_HEIGHT);
        text(x, top + PLOT_HEIGHT + 17, "middle", "", tick.label());
    }

    private void horizontal(Axis axis, Tick tick, int top) {
        double y = y(axis, tick.value(), top);
        add("<path d=\"M%d %.1f h%d\" stroke=\"#dee2e6\"/>\n", LEFT, y, PLOT_WIDTH);
        text(LEFT - 8, y + 4, "end", "", tick.label());
    }

    private void line(Panel panel, Series series, String colour, int top) {
        var points = series.points().stream()
                .filter(point -> Double.isFinite(point.y()))
                .map(point -> place(panel, point, top))
                .collect(Collectors.joining(" "));
        if (!points.isEmpty()) {
            add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", points, colour);
        }
    }

    private static String place(Panel panel, Point point, int top) {
        return format("%.1f,%.1f", x(panel.x(), point.x()), y(panel.y(), point.y(), top));
    }

    private void legend(Series series, String colour, int y) {
        int left = LEFT + PLOT_WIDTH + 18;
        add("<path d=\"M%d %d h20\" stroke=\"%s\" stroke-width=\"3\"/>\n", left, y, colour);
        text(left + 27, y + 4, "start", "", series.name());
    }

    private static double x(Axis axis, double value) {
        return LEFT + PLOT_WIDTH * axis.position(value);
    }

    private static double y(Axis axis, double value, int top) {
        return top + PLOT_HEIGHT * (1 - axis.position(value));
    }

    private void text(double x, double y, String anchor, String attributes, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#212529\" %s>%s</text>\n",
                x, y, anchor, attributes, escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private SvgPlot add(String format, Object... values) {
        svg.append(format(format, values));
        return this;
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
