package io.sluice.loadtest;

import static io.sluice.loadtest.FieldReport.millis;

import io.sluice.loadtest.RunLog.Requests;
import io.sluice.loadtest.simulations.RunSettings;
import io.sluice.loadtest.simulations.SimulatedLoad.Findings;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The text at the end of a run: the measured figures next to those of the field report. */
record Summary(RunSettings settings, GatlingRun run, RunLog log, Findings findings) {

    private static final int MAX_FAILURES = 5;

    /** Returns whether all assertions and findings are met. */
    boolean kept() {
        return run.kept() && findings.kept();
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        line(text, "");
        line(text, "%s", settings);
        line(text, "");
        line(text, "%-14s%9s%8s%9s%9s%9s%9s%9s%9s%9s",
                "", "requests", "failed", "ok", "mean", "std dev", "p50", "p95", "p99", "max");
        Stream.concat(log.requests().stream(), Stream.of(log.all())).forEach(row -> row(text, row));
        line(text, "");
        compare(text, FieldReport.of(settings.workload()));
        if (log.all().failed() > 0) {
            failures(text);
        }
        findings.lines().forEach(found -> line(text, "%s", found));
        if (!findings.lines().isEmpty()) {
            line(text, "");
        }
        line(text, "thresholds: %s", kept() ? "all kept" : "NOT all kept");
        line(text, "report: %s", run.folder().resolve("index.html"));
        return text.toString();
    }

    private static void row(StringBuilder text, Requests row) {
        line(text, "%-14s%,9d%,8d%9s%9s%9s%9s%9s%9s%9s",
                row.name(), row.count(), row.failed(), row.success(), millis(row.mean()),
                millis(row.deviation()), millis(row.p50()), millis(row.p95()), millis(row.p99()),
                millis(row.max()));
    }

    private void compare(StringBuilder text, FieldReport report) {
        if (report.figures().isEmpty()) {
            return;
        }
        line(text, "%-19s%10s%s", "field report " + report.name(), "this run", cells(report.servers()));
        report.figures().forEach(figure -> line(text, "%-19s%10s%s", figure.what(),
                figure.measured().apply(log), cells(List.of(figure.reported()))));
        line(text, "");
    }

    private static String cells(List<String> values) {
        var cells = new StringBuilder();
        values.forEach(value -> cells.append(String.format(Locale.ROOT, "%16s", value)));
        return cells.toString();
    }

    private void failures(StringBuilder text) {
        line(text, "%,d failed, for these reasons", log.all().failed());
        log.failures().stream().limit(MAX_FAILURES).forEach(
                failure -> line(text, "%,8d  %s", failure.count(), failure.reason()));
        if (log.failures().size() > MAX_FAILURES) {
            line(text, "          and %d reasons more", log.failures().size() - MAX_FAILURES);
        }
        line(text, "");
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
