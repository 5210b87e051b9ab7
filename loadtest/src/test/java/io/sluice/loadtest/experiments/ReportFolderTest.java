package io.sluice.loadtest.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.Machine;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFolderTest {

    private static final Section SECTION = new Section("Title", "What was done.",
            new MarkdownTable("variant", "req/s").row("ours", "500"), "What it means.",
            List.of(Goal.atLeast(0.99, "share", 1)), 3, "<svg/>");

    @TempDir
    private Path folder;

    @Test
    void writesEachExperimentAndAllOfThem() throws Exception {
        var report = report(Timing.REPORT);
        report.add(Experiment.R4, SECTION);
        report.unfinished(Experiment.ROW);
        var results = folder.resolve("new");
        assertThat(results.resolve("r4.svg")).hasContent("<svg/>");
        assertThat(results.resolve("r4.md")).hasContent("""
                ## Title

                What was done.

                | variant | req/s |
                | --- | ---: |
                | ours | 500 |

                What it means.

                - share: at least 0.99, measured 1.000: reached

                ![Title](r4.svg)
                """);
        assertThat(report.file()).content()
                .startsWith("""
                        # Experiments

                            ./sluice loadtest experiments r4

                        Started on 2026-11-20 09:46 UTC, on 2 processors (CPU), 1 GiB of memory, VM,""")
                .contains(Files.readString(results.resolve("r4.md")))
                .endsWith("\n## row\n\nnot finished\n")
                .doesNotContain("mean nothing");
    }

    @Test
    void warnsOfFiguresThatMeanNothing() throws Exception {
        var report = report(Timing.SHORT);
        report.add(Experiment.R4, SECTION);
        assertThat(report.file()).content().contains("**its figures mean nothing**");
    }

    @Test
    void tellsTheOutcomeInPlainText() {
        assertThat(SECTION.outcome()).isEqualTo("  share: at least 0.99, measured 1.000: reached\n"
                + "  3 requests were not answered as they should have been\n");
    }

    private ReportFolder report(Timing timing) throws Exception {
        return new ReportFolder(folder.resolve("new"), Suite.EXPERIMENTS,
                "./sluice loadtest experiments r4", timing,
                Instant.parse("2026-11-20T09:46:30Z"), new Machine(2, "CPU", 1L << 30, "VM", "Linux"));
    }
}
