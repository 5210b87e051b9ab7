package io.sluice.handlers.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.sluice.handlers.HttpException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionsTest {
    private static final Instant CHANGED = Instant.parse("2024-06-15T12:00:00.75Z");
    private static final Validators STATE = Validators.of(10, CHANGED, CHANGED.plusSeconds(60));
    private static final Validators UNSETTLED = Validators.of(10, CHANGED, CHANGED.plusMillis(500));
    private static final String TAG = STATE.opaque();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            If-None-Match: TAG                                   | 304
            If-None-Match: W/TAG                                 | 304
            If-None-Match: *                                     | 304
            If-None-Match: "x", TAG                              | 304
            If-None-Match: "x,y" ,, W/TAG , "z"                  | 304
            If-None-Match: "x"; If-None-Match: TAG               | 304
            If-None-Match: "x"                                   | 200
            If-None-Match: "x, TAG                               | 200
            If-None-Match: a-b, TAG                              | 200
            If-None-Match: w/TAG                                 | 200
            If-None-Match: ``                                    | 200
            If-None-Match: "x"; If-Modified-Since: Sat, 15 Jun 2024 12:00:00 GMT | 200
            If-Modified-Since: Sat, 15 Jun 2024 12:00:00 GMT     | 304
            If-Modified-Since: Sat, 15 Jun 2024 12:00:01 GMT     | 304
            If-Modified-Since: Sat, 15 Jun 2024 11:59:59 GMT     | 200
            If-Modified-Since: Saturday, 15-Jun-24 12:00:00 GMT  | 304
            If-Modified-Since: Sat Jun 15 12:00:00 2024          | 304
            If-Modified-Since: yesterday                         | 200
            If-Modified-Since: Sun, 15 Jun 2024 12:00:00 GMT     | 200
            If-Modified-Since: Sat, 15 Jun 2024 12:00:00 GMT; If-Modified-Since: yesterday | 200
            If-Match: TAG                                        | 200
            If-Match: "x", TAG                                   | 200
            If-Match: *                                          | 200
            If-Match: W/TAG                                      | 412
            If-Match: "x"                                        | 412
            If-Match: ``                                         | 412
            If-Match: "x"; If-None-Match: TAG                    | 412
            If-Match: TAG; If-None-Match: TAG                    | 304
            If-Match: TAG; If-Unmodified-Since: Sat, 15 Jun 2024 11:59:59 GMT | 200
            If-Unmodified-Since: Sat, 15 Jun 2024 12:00:00 GMT   | 200
            If-Unmodified-Since: Sat, 15 Jun 2024 11:59:59 GMT   | 412
            If-Unmodified-Since: tomorrow                        | 200
            X: y                                                 | 200
            """)
    void areJudgedInTheirOrder(String fields, int status) {
        assertThat(status(fields, STATE)).isEqualTo(status);
    }

    private static int status(String fields, Validators state) {
        try {
            return conditions(fields).notModified(state) ? 304 : 200;
        } catch (HttpException refused) {
            return refused.status().code();
        }
    }

    private static Conditions conditions(String fields) {
        var headers = new DefaultHttpHeaders();
        for (String field : fields.replace("TAG", TAG).split("; ")) {
            int colon = field.indexOf(':');
            headers.add(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        return new Conditions(headers);
    }

    @Test
    void compareNoMoreTagsThanAnEventLoopCan() {
        assertThat(status("If-None-Match: " + "\"x\",".repeat(99) + "TAG", STATE)).isEqualTo(304);
        assertThat(status("If-None-Match: " + "\"x\",".repeat(100) + "TAG", STATE)).isEqualTo(200);
        assertThat(status("If-None-Match: \"x\"; ".repeat(100) + "If-None-Match: TAG", STATE)).isEqualTo(200);
        assertThat(status("If-Match: " + "\"x\",".repeat(100) + "TAG", STATE)).isEqualTo(412);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Range: bytes=0-1                                           | true
            Range: bytes=0-1; If-Range: TAG                            | true
            Range: bytes=0-1; If-Range: W/TAG                          | false
            Range: bytes=0-1; If-Range: "x"                            | false
            Range: bytes=0-1; If-Range: *                              | false
            Range: bytes=0-1; If-Range: Sat, 15 Jun 2024 12:00:00 GMT  | true
            Range: bytes=0-1; If-Range: Sat, 15 Jun 2024 12:00:01 GMT  | false
            Range: bytes=99-; If-Range: "x"                            | false
            If-Range: TAG                                              | false
            """)
    void haveARangeOnlyOfTheStateThatTheClientHas(String fields, boolean part) {
        assertThat(conditions(fields).range(STATE, 10) != null).isEqualTo(part);
    }

    @Test
    void trustNoTagOfAFileThatMayStillChangeUnnoticed() {
        assertThat(UNSETTLED.tag()).isEqualTo("W/" + STATE.tag());
        assertThat(status("If-None-Match: TAG", UNSETTLED)).isEqualTo(304);
        assertThat(status("If-Match: TAG", UNSETTLED)).isEqualTo(412);
        assertThat(status("If-Match: *", UNSETTLED)).isEqualTo(200);
        assertThat(conditions("Range: bytes=0-1; If-Range: TAG").range(UNSETTLED, 10)).isNull();
        assertThat(conditions("Range: bytes=0-1; If-Range: Sat, 15 Jun 2024 12:00:00 GMT")
                .range(UNSETTLED, 10)).isNull();
    }

    /** Date may be 100 ms old. */
    @Test
    void ofALateChangeShowATimeBeforeThatOfTheResponse() {
        for (Instant late : new Instant[] {CHANGED.plusSeconds(60), CHANGED, CHANGED.minusMillis(90)}) {
            Validators ahead = Validators.of(10, late, CHANGED);
            Instant shown = Validators.shown(ahead.lastModified(), CHANGED);

            assertThat(ahead.weak()).isTrue();
            assertThat(shown).isBeforeOrEqualTo(CHANGED.minusMillis(100));
            assertThat(conditions("If-Modified-Since: " + HttpDates.format(shown)).notModified(ahead))
                    .isFalse();
        }
    }

    @Test
    void tagDependsOnTimeAndSize() {
        assertThat(Validators.of(10, CHANGED.plusNanos(1), CHANGED.plusSeconds(60)).tag())
                .isNotEqualTo(STATE.tag());
        assertThat(Validators.of(11, CHANGED, CHANGED.plusSeconds(60)).tag()).isNotEqualTo(STATE.tag());
    }
}
