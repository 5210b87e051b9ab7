package io.sluice.handlers.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrpcCallsTest {

    /** Some clients without a deadline send a timeout of 11,000 years, which counts as none. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"8759H, PT8759H", "5M, PT5M", "7S, PT7S", "100m, PT0.1S",
        "3u, PT0.000003S", "0n, PT0S", "99999999S, -", "99999999H, -", "-1S, -", "1, -", "123456789n, -",
        "'', -"})
    void takesTheTimeoutOfACall(String field, Duration timeout) {
        assertThat(GrpcCalls.timeout(field).orElse(null)).isEqualTo(timeout);
    }
}
