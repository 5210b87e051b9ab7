package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTimeoutTest {

    @ParameterizedTest
    @CsvSource({"1ms, 1", "250ms, 250", "5s, 5000", "1m, 60000", "007s, 7000", "99999999m, 5999999940000"})
    void numberWithUnitIsParsed(String value, long millis) {
        assertThat(RequestTimeout.parse(value)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "ms", "0s", "000ms", "-1s", "+1s", "1.5s", "5 s", " 5s", "5S",
        "5h", "5us", "123456789ms", "99999999999999999999s", "5s, 6s", "٥s"})
    void invalidTimeoutsAreRejected(String value) {
        assertThatThrownBy(() -> RequestTimeout.parse(value))
                .isInstanceOfSatisfying(HttpException.class,
                        e -> assertThat(e.status()).isEqualTo(HttpResponseStatus.BAD_REQUEST))
                .hasMessageContaining("X-Request-Timeout: " + value + " (expected: a positive whole number");
    }
}
