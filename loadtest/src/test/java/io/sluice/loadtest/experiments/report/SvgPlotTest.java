package io.sluice.loadtest.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.experiments.report.Series.Point;
import io.sluice.loadtest.experiments.report.SvgPlot.Panel;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class SvgPlotTest {

    @Test
    void isXmlWithALineForEachSeries() throws Exception {
        var series = List.of(
                new Series("a < b & c",
                        List.of(new Point(1, 10), new Point(2, Double.NaN), new Point(3, 30))),
                new Series("nothing", List.of()));
        var panel = new Panel(Axis.linear("x", 3), Axis.linear("y \"quoted\"", 30), series);
        var svg = parsed(SvgPlot.of("100 % <title>", List.of(panel, panel)));
        assertThat(svg.getDocumentElement().getNodeName()).isEqualTo("svg");
        var lines = svg.getElementsByTagName("polyline");
        assertThat(lines.getLength()).isEqualTo(2);
        assertThat(lines.item(0).getAttributes().getNamedItem("points").getNodeValue().split(" ")).hasSize(2);
        var texts = svg.getElementsByTagName("text");
        assertThat(texts.item(0).getTextContent()).isEqualTo("100 % <title>");
        assertThat(texts.item(texts.getLength() - 1).getTextContent()).isEqualTo("nothing");
    }

    @Test
    void drawsThePercentilesOfLatencies() throws Exception {
        var nanos = new Histogram(3);
        for (int millis = 1; millis <= 1_000; millis++) {
            nanos.recordValue(millis * 1_000_000L);
        }
        var line = Series.percentiles("latency", nanos);
        assertThat(line.points()).isSortedAccordingTo((one, other) -> Double.compare(one.y(), other.y()));
        assertThat(line.largest()).isBetween(998.0, 1_001.0);
        assertThat(Series.percentiles("none", new Histogram(3)).points()).isEmpty();
        parsed(SvgPlot.of("", List.of(
                new Panel(Axis.percentiles(), Axis.logarithmic("ms", 1, 1_000), List.of(line)))));
    }

    @Test
    void knowsTheRangeOfItsLines() {
        var lines = List.of(new Series("a", List.of(new Point(0, 3), new Point(0, Double.NaN))),
                new Series("b", List.of(new Point(0, 1))), new Series("c", List.of()));
        assertThat(Series.largestOf(lines)).isEqualTo(3);
        assertThat(Series.smallestOf(lines)).isEqualTo(1);
        assertThat(Series.largestOf(List.of())).isNaN();
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
    }
}
