package io.sluice.loadtest.experiments.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** A Markdown table. The first column is a label, the others are figures, aligned to the right. */
public final class MarkdownTable {

    private final List<String> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /** A table without rows. */
    public MarkdownTable(String... columns) {
        this.columns = List.of(columns);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if the number of cells is not that of the columns
     */
    public MarkdownTable row(String... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException("row %s: %d cells (expected: %d)"
                    .formatted(List.of(cells), cells.length, columns.size()));
        }
        rows.add(List.of(cells));
        return this;
    }

    /** The lines of the table, each with a line end. */
    @Override
    public String toString() {
        var lines = new StringBuilder();
        line(lines, columns);
        var rule = new ArrayList<>(Collections.nCopies(columns.size(), "---:"));
        rule.set(0, "---");
        line(lines, rule);
        rows.forEach(row -> line(lines, row));
        return lines.toString();
    }

    private static void line(StringBuilder lines, List<String> cells) {
        lines.append(cells.stream()
                .map(cell -> cell.replace("|", "\\|").replace("\n", " "))
                .collect(Collectors.joining(" | ", "| ", " |\n")));
    }
}
