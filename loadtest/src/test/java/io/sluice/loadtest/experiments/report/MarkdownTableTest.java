package io.sluice.loadtest.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MarkdownTableTest {

    @Test
    void alignsFiguresAtTheRight() {
        assertThat(new MarkdownTable("what", "a/s", "b").row("one | two", "1", "2").row("three", "", "4"))
                .hasToString("""
                        | what | a/s | b |
                        | --- | ---: | ---: |
                        | one \\| two | 1 | 2 |
                        | three |  | 4 |
                        """);
    }

    @Test
    void wantsACellForEachColumn() {
        assertThatThrownBy(() -> new MarkdownTable("a", "b").row("1"))
                .hasMessage("row [1]: 1 cells (expected: 2)");
    }
}
