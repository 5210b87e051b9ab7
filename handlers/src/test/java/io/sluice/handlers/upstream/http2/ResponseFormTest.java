package io.sluice.handlers.upstream.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.AsciiString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseFormTest {
    private final ResponseForm form = new ResponseForm(2);

    private static ResponseFields fields(String... namesAndValues) {
        var fields = (ResponseFields) new ResponseFields.Decoder().newHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(AsciiString.of(namesAndValues[i]), AsciiString.of(namesAndValues[i + 1]));
        }
        return fields;
    }

    @Test
    void acceptsEachPartInItsPlace() {
        assertThat(form.fields(fields(":status", "103"), false)).isNull();
        assertThat(form.hasBegun()).isFalse();
        assertThat(form.fields(fields(":status", "200", "content-length", "3"), false)).isNull();
        assertThat(form.hasBegun()).isTrue();
        assertThat(form.data(3)).isNull();
        assertThat(form.fields(fields("a", "b"), true)).isNull();
        assertThat(form.end()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"100, true, an end after an informational response", "101, false, 101 in HTTP/2"})
    void refusesInformationalResponses(String status, boolean end, String flaw) {
        assertThat(form.fields(fields(":status", status), end)).isEqualTo(flaw);
    }

    @Test
    void boundsInformationalResponses() {
        form.fields(fields(":status", "100"), false);
        form.fields(fields(":status", "100"), false);
        assertThat(form.fields(fields(":status", "100"), false))
                .isEqualTo("too many informational responses");
    }

    @Test
    void refusesPartsOutOfPlace() {
        assertThat(form.fields(fields("a", "b"), true)).isEqualTo("no :status");
        assertThat(form.data(1)).isEqualTo("a body without a head");
        form.fields(fields(":status", "200"), false);
        assertThat(form.fields(fields(":status", "200"), true)).isEqualTo("fields within the body");
        assertThat(form.fields(fields("a", "b"), false)).isEqualTo("fields within the body");
    }

    @ParameterizedTest
    @CsvSource({"x, '[x]'", "-1, '[-1]'", "1234567890123456789, '[1234567890123456789]'"})
    void refusesAContentLengthThatIsNoNumber(String length, String shown) {
        assertThat(form.fields(fields(":status", "200", "content-length", length), false))
                .isEqualTo("Content-Length: %s (expected: one number)", shown);
        assertThat(form.hasBegun()).isFalse();
    }

    @Test
    void comparesTheBodyWithItsContentLength() {
        form.fields(fields(":status", "200", "content-length", "3"), false);
        assertThat(form.data(2)).isNull();
        assertThat(form.end()).isEqualTo("a body shorter than its Content-Length");
        assertThat(form.data(2)).isEqualTo("a body longer than its Content-Length");
    }

    @ParameterizedTest
    @CsvSource({"200, true", "204, false", "304, false"})
    void expectsNoBodyUnderSomeContentLengths(String status, boolean toHead) {
        if (toHead) {
            form.respondsToHead();
        }
        assertThat(form.fields(fields(":status", status, "content-length", "3"), true)).isNull();
        assertThat(form.end()).isNull();
    }

    @Test
    void refusesAHeadThatLacksItsBody() {
        assertThat(form.fields(fields(":status", "200", "content-length", "3"), true))
                .isEqualTo("no body under a Content-Length");
    }
}
