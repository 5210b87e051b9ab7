package io.sluice.loadtest.experiments.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The results of one experiment.
 *
 * @param title in one line
 * @param setting the setup, in Markdown
 * @param notes below the table, in Markdown: known figures, and how to read it
 * @param errors the number of requests with an unexpected response
 * @param plot an SVG
 */
public record Section(String title, String setting, MarkdownTable table, String notes, List<Goal> goals,
        long errors, String plot) {

    /** Markdown under a heading of the second level. */
    public String markdown(String plotFile) {
        return """
                ## %s

                %s

                %s
                %s
                %s
                ![%s](%s)
                """.formatted(title, setting, table, notes, goals.isEmpty() ? "" : goals.stream()
                        .map(goal -> "- " + goal + "\n")
                        .collect(Collectors.joining("", "\n", "")), title, plotFile);
    }

    /** Plain text, a line for each goal and one for errors where there were some. */
    public String outcome() {
        return goals.stream().map(goal -> "  " + goal + "\n").collect(Collectors.joining())
                + (errors == 0 ? "" : "  %,d requests were not answered as they should have been\n"
                        .formatted(errors));
    }
}
