package io.sluice.loadtest;

import io.sluice.loadtest.RunLog.Requests;
import java.util.Locale;
import java.util.stream.Stream;

/** The plain text at the end of a run: what was measured beside what the field report saw. */
record Summary(Workload workload, RunSettings settings, GatlingRun run, RunLog log) {

    private static final int MAX_FAILURES = 5;

    @Override
    public String toString() {
        var text = new StringBuilder();
        line(text, "");
        line(text, "%s (%s) on %s", workload, settings.profile(), settings.url());
        line(text, "");
        line(text, "%-10s%10s%10s%10s%9s%9s%9s%9s%9s",
                "", "requests", "ok", "failed", "mean", "p50", "p95", "p99", "max");
        Stream.concat(log.requests().stream(), Stream.of(log.all())).forEach(row -> row(text, row));
        line(text, "");
        line(text, "success rate");
        line(text, "%-24s%10s", "this run", success(log.all()));
        workload.reported().forEach(
                reported -> line(text, "%-24s%8.1f %%", reported.server(), reported.success()));
        line(text, "");
        if (log.all().failed() > 0) {
            failures(text);
        }
        line(text, "assertions: %s", run.exitCode() == 0 ? "all hold" : "NOT all hold");
        line(text, "report: %s", run.folder().resolve("index.html"));
        return text.toString();
    }

    private static void row(StringBuilder text, Requests row) {
        line(text, "%-10s%,10d%,10d%,10d%,6d ms%,6d ms%,6d ms%,6d ms%,6d ms",
                row.name(), row.count(), row.ok(), row.failed(), row.mean().toMillis(),
                row.p50().toMillis(), row.p95().toMillis(), row.p99().toMillis(), row.max().toMillis());
    }

    /** In percent, cut off and not rounded: 100.0 % only when nothing failed. */
    private static String success(Requests requests) {
        if (requests.count() == 0) {
            return "none sent";
        }
        var tenths = requests.ok() * 1_000 / requests.count();
        return String.format(Locale.ROOT, "%d.%d %%", tenths / 10, tenths % 10);
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
