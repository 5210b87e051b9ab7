package io.sluice.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpDateTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "1994-11-06T08:49:37Z | Sun, 06 Nov 1994 08:49:37 GMT",
        "1970-01-01T00:00:00Z | Thu, 01 Jan 1970 00:00:00 GMT",
        "2028-02-29T23:59:59Z | Tue, 29 Feb 2028 23:59:59 GMT",
    })
    void isAnImfFixdate(Instant time, String expected) {
        assertThat(HttpDate.format(time.getEpochSecond())).isEqualTo(expected);
    }

    @Test
    void dateIsTheCurrentTime() {
        Instant before = Instant.now().minusSeconds(1);

        Instant date = ZonedDateTime.parse(HttpDate.at(System.currentTimeMillis()),
                DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();

        assertThat(date).isBetween(before, Instant.now());
    }
}
