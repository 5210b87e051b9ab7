package io.sluice.loadtest.experiments.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class OpenFilesTest {

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no such limit")
    void tellsThatTheLimitIsTooLow() {
        assertThatThrownBy(() -> OpenFiles.need(2_000_000_000))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(
                        "open files: \\d+ \\(expected: at least 2000000200, see ulimit -n\\)");
        assertThatCode(() -> OpenFiles.need(0)).doesNotThrowAnyException();
    }
}
