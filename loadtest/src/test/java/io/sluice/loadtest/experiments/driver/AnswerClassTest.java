package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerClassTest {

    @ParameterizedTest
    @CsvSource({"200, 1, OK", "200, 0, OTHER", "503, 0, REFUSED", "504, 9, LATE", "500, 9, OTHER",
            "404, 9, OTHER", "204, 0, OTHER"})
    void tellsWhatAnAnswerMeans(int status, long bodyBytes, AnswerClass expected) {
        assertThat(AnswerClass.of(status, bodyBytes)).isEqualTo(expected);
    }
}
