package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.type.Share;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryBudgetTest {

    @ParameterizedTest
    @CsvSource({"20, 100, 20", "20, 1000, 200", "50, 100, 50", "100, 100, 100", "20, 20, 4", "20, 10, 3",
        "1, 100, 3", "20, 0, 3"})
    void allowsAShareOfTheRequestsInFlightAndAtLeastThree(int percent, long inFlight, int expected) {
        var budget = new RetryBudget(new Share(percent), () -> inFlight);
        for (int i = 0; i < expected; i++) {
            assertThat(budget.begin()).isTrue();
        }
        assertThat(budget.begin()).isFalse();
        budget.end();
        assertThat(budget.begin()).as("after the end of another").isTrue();
        assertThat(budget.begin()).isFalse();
        assertThat(budget.begun()).isEqualTo(expected + 1);
        assertThat(budget.refused()).isEqualTo(2);
    }
}
