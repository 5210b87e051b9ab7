package io.sluice.handlers.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDatesTest {
    private static final Instant TIME = Instant.parse("1994-11-06T08:49:37Z");

    @Test
    void areWrittenInOneWay() {
        assertThat(HttpDates.format(TIME)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"})
    void areReadInThree(String value) {
        assertThat(HttpDates.parse(value)).isEqualTo(TIME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
        "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 25:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt", "Son, 06 Nov 1994 08:49:37 GMT"})
    void areNoneOtherwise(String value) {
        assertThat(HttpDates.parse(value)).isNull();
    }
}
