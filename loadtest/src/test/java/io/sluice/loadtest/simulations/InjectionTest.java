package io.sluice.loadtest.simulations;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.sluice.loadtest.TestRuns;
import io.sluice.loadtest.simulations.OpenModel.Population;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The numbers and arrival rates of users, as in the field reports. */
class InjectionTest {

    @ParameterizedTest
    @CsvSource({
            "HELLO, warm-up, 105, PT15S", "HELLO, load, 8560, PT90S",
            "CPU, cpu, 1775, PT60S", "CPU, cpu-heavy, 410, PT40S",
            "LATENCY, latency 50 ms, 10020, PT55S", "LATENCY, latency 100 ms, 7020, PT60S",
            "LATENCY, latency 200 ms, 4260, PT60S", "LATENCY, mixed, 2530, PT50S"})
    void injectsWhatFieldReportR1Did(Workload workload, String name, long requests, Duration length) {
        var injection = population(workload, Profile.REPORT, name).injection();
        assertThat(requests(injection)).isEqualTo(requests);
        assertThat(length(injection)).isEqualTo(length);
    }

    @ParameterizedTest
    @CsvSource({"HELLO, warm-up, 35, PT5S", "HELLO, load, 2910, PT30S", "CPU, cpu, 605, PT20S"})
    void hasTheSameRatesForAThirdOfTheTimeInShort(
            Workload workload, String name, long requests, Duration length) {
        var injection = population(workload, Profile.SHORT, name).injection();
        assertThat(requests(injection)).isEqualTo(requests);
        assertThat(length(injection)).isEqualTo(length);
    }

    @ParameterizedTest
    @EnumSource(names = {"HELLO", "CPU", "LATENCY"})
    void comesForWholeSecondsHoweverShortTheRunIs(Workload workload) {
        for (var population : model(workload, Duration.ofMillis(10)).users()) {
            assertThat(population.injection()).filteredOn(step -> requests(List.of(step)) > 0)
                    .allSatisfy(step -> assertThat(length(List.of(step))).isEqualTo(Duration.ofSeconds(1)));
        }
    }

    @ParameterizedTest
    @CsvSource({"REPORT, 2640, PT13M, PT3M", "SHORT, 330, PT1M37.5S, PT22.5S"})
    void injectsWhatFieldReportR5Did(Profile profile, long users, Duration injected, Duration idle) {
        var run = TestRuns.of(Workload.CODE, profile);
        var injection = new CodeSimulation(run).injection();
        assertThat(requests(injection)).isEqualTo(users);
        assertThat(length(injection)).isBetween(injected.minusSeconds(1), injected.plusSeconds(1));
        assertThat(run.seconds(180)).isEqualTo(idle);
        assertThat(length(injection).plus(idle)).isBetween(
                run.length().minusSeconds(1), run.length().plusSeconds(1));
    }

    @Test
    void keepsFewerConnectionsInLessTimeAndNeverMore() {
        assertThat(TestRuns.of(Workload.KEEP_ALIVE, Profile.REPORT).atMost(10_000)).isEqualTo(10_000);
        assertThat(TestRuns.of(Workload.KEEP_ALIVE, Profile.SHORT).atMost(10_000)).isEqualTo(2_000);
        assertThat(TestRuns.of(Workload.KEEP_ALIVE, Duration.ofHours(1)).atMost(10_000)).isEqualTo(10_000);
    }

    private static Population population(Workload workload, Profile profile, String name) {
        return model(workload, workload.length(profile)).users().stream()
                .filter(population -> population.name().equals(name)).findFirst().orElseThrow();
    }

    private static OpenModel model(Workload workload, Duration length) {
        return (OpenModel) workload.load(TestRuns.of(workload, length));
    }

    private static long requests(List<OpenInjectionStep> injection) {
        return injection.stream().mapToLong(step -> step.asScala().users()).sum();
    }

    private static Duration length(List<OpenInjectionStep> injection) {
        return Duration.ofMillis(
                injection.stream().mapToLong(step -> step.asScala().duration().toMillis()).sum());
    }
}
