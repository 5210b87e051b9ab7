package io.sluice.loadtest.simulations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExerciseTest {

    @Test
    void sendsAProgramAndItsInputAsOneLineOfJson() {
        assertThat(Exercise.MESSAGE).startsWith("{\"input\": \"rock scissors\\nrock paper\\n").endsWith("\"}")
                .contains("\"code\": \"import sys\\n\\nBEATS = {\\\"rock\\\": \\\"scissors\\\",")
                .doesNotContain("\n");
    }
}
