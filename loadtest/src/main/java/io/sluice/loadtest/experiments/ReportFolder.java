package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.report.Machine;
import io.sluice.loadtest.experiments.report.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * The folder with the results of a suite: {@code NAME.md} and {@code NAME.svg} of each experiment, and {@code
 * SUITE.md} with all of one run, which is rewritten after each.
 */
final class ReportFolder {

    private static final String SHORT =
            ". The short profile shows that everything runs; **its figures mean nothing**";
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'");

    private final Path folder;
    private final Suite suite;
    private final StringBuilder all = new StringBuilder();

    ReportFolder(Path folder, Suite suite, String command, Timing timing, Instant start, Machine machine)
            throws IOException {
        this.folder = folder;
        this.suite = suite;
        all.append("""
                # %s

                    %s

                Started on %s, on %s. Servers, driver and database share that machine%s.
                """.formatted(suite.title(), command, MINUTE.format(start.atOffset(ZoneOffset.UTC)), machine,
                timing.judged() ? "" : SHORT));
        Files.createDirectories(folder);
    }

    Path file() {
        return folder.resolve(suite + ".md");
    }

    void add(Experiment experiment, Section section) throws IOException {
        var plot = experiment + ".svg";
        Files.writeString(folder.resolve(plot), section.plot());
        var text = section.markdown(plot);
        Files.writeString(folder.resolve(experiment + ".md"), text);
        append(text);
    }

    void unfinished(Experiment experiment) throws IOException {
        append("## %s\n\nnot finished\n".formatted(experiment));
    }

    private void append(String text) throws IOException {
        all.append('\n').append(text);
        Files.writeString(file(), all);
    }
}
