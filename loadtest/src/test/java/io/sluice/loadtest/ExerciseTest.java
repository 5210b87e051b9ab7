package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.OpenInjectionStep;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeSimulationTest {

    @ParameterizedTest
    @CsvSource({"REPORT, 2640, PT13M, PT3M", "SHORT, 330, PT1M37.5S, PT22.5S"})
    void injectsTheReportsUsersInTheSameShape(
            Profile profile, long users, Duration injected, Duration idle) {
        var injection = CodeSimulation.injection(profile);
        assertThat(injection.stream().mapToLong(step -> step.asScala().users()).sum()).isEqualTo(users);
        assertThat(duration(injection)).isEqualTo(injected);
        assertThat(CodeSimulation.idle(profile)).isEqualTo(idle);
    }

    @Test
    void isTwoMinutesInShort() {
        assertThat(duration(CodeSimulation.injection(Profile.SHORT))
                .plus(CodeSimulation.idle(Profile.SHORT))).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void sendsAProgramAndItsInputAsOneLineOfJson() {
        assertThat(Exercise.MESSAGE).startsWith("{\"input\": \"rock scissors\\nrock paper\\n").endsWith("\"}")
                .contains("\"code\": \"import sys\\n\\nBEATS = {\\\"rock\\\": \\\"scissors\\\",")
                .doesNotContain("\n");
    }

    private static Duration duration(List<OpenInjectionStep> injection) {
        return Duration.ofMillis(
                injection.stream().mapToLong(step -> step.asScala().duration().toMillis()).sum());
    }
}
