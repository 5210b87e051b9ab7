package io.sluice.handlers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.handlers.HttpException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of a file of ten bytes. */
class ByteRangeTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bytes=0-0   | bytes 0-0/10
            bytes=0-9   | bytes 0-9/10
            bytes=0-    | bytes 0-9/10
            bytes=3-    | bytes 3-9/10
            bytes=9-    | bytes 9-9/10
            bytes=3-5   | bytes 3-5/10
            bytes=3-10  | bytes 3-9/10
            bytes=-1    | bytes 9-9/10
            bytes=-10   | bytes 0-9/10
            bytes=-11   | bytes 0-9/10
            BYTES=3-5   | bytes 3-5/10
            bytes= 3-5  | bytes 3-5/10
            bytes=3-5,  | bytes 3-5/10
            bytes=,,3-5 | bytes 3-5/10
            bytes=003-0000000000000000000000005   | bytes 3-5/10
            bytes=3-9223372036854775807           | bytes 3-9/10
            bytes=3-9223372036854775808           | bytes 3-9/10
            bytes=3-99999999999999999999999999999 | bytes 3-9/10
            bytes=-99999999999999999999999999999  | bytes 0-9/10
            """)
    void isReadAsTheStandardSays(String field, String contentRange) {
        assertThat(ByteRange.of(List.of(field), 10).contentRange(10)).isEqualTo(contentRange);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=1", "bytes=5-3",
        "bytes=--5", "bytes=5--6", "bytes=+1-2", "bytes=1-2-3", "bytes=0x1-0x2", "bytes=1.0-2", "bytes=1 - 2",
        "bytes=\u0661-\u0662", "bytes 1-2", "bytes:1-2", "bytes =1-2", "lines=1-2", "seconds=1-2", "=1-2",
        "1-2",
        "bytes=0-1,3-4", "bytes=0-1,20-30", "bytes=20-30,40-50", "bytes=0-1,x"})
    void isNoneWhereItIsMalformedOrOneOfSeveral(String field) {
        assertThat(ByteRange.of(List.of(field), 10)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10-", "bytes=10-10", "bytes=10-20", "bytes=-0", "bytes=-00",
        "bytes=9223372036854775807-", "bytes=9223372036854775808-",
        "bytes=99999999999999999999999999999-99999999999999999999999999999"})
    void isRefusedWhereNoByteOfItIsThere(String field) {
        assertThatThrownBy(() -> ByteRange.of(List.of(field), 10)).isInstanceOfSatisfying(HttpException.class,
                refused -> {
                    assertThat(refused.status().code()).isEqualTo(416);
                    assertThat(refused.headers().get("Content-Range")).isEqualTo("bytes */10");
                });
    }

    @Test
    void isNoneWithoutAHeaderOrWithTwoOrOfNothing() {
        assertThat(ByteRange.of(List.of(), 10)).isNull();
        assertThat(ByteRange.of(List.of("bytes=0-1", "bytes=0-1"), 10)).isNull();
        assertThat(ByteRange.of(List.of("bytes=0-1"), 0)).isNull();
        assertThat(ByteRange.of(List.of("bytes=-1"), 0)).isNull();
    }
}
