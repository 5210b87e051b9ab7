package io.sluice.handlers.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.sluice.handlers.HttpException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormTest {
    private static final String URL_ENCODED = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data; boundary=b";

    private static List<FormField> read(String type, byte[] body) {
        return Form.of(type).read(Unpooled.wrappedBuffer(body));
    }

    private static String shown(String type, String body) {
        return read(type, body.getBytes(UTF_8)).stream().map(field -> field.name() + '='
                + (field.file() == null ? field.text()
                : field.fileName() + ':' + new String(field.file(), ISO_8859_1)))
                .collect(Collectors.joining(" | "));
    }

    private static void assertRefused(String type, byte[] body, String detail) {
        assertThatThrownBy(() -> read(type, body)).isInstanceOfSatisfying(HttpException.class, e -> {
            assertThat(e.status().code()).isEqualTo(400);
            assertThat(e).hasMessage("body (expected: " + detail + ')');
        });
    }

    private static String part(String headers, String value) {
        return "--b\r\n" + headers + "\r\n\r\n" + value + "\r\n";
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "a=1&b=x+y%2Bz; a=1 | b=x y+z", "a=%C3%BC; a=ü", "a; a=", "a=&=b; a= | =b", "a=b=c; a=b=c",
        "&&a=1&; a=1", "a=1&a=2; a=1 | a=2", "a=ü; a=ü", "``; ``",
    })
    void fieldsAreDecoded(String body, String fields) {
        assertThat(shown(URL_ENCODED, body)).isEqualTo(fields);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%4", "a=%4g", "a=%%41", "%=1", "a=1%&b=2", "a=%u0041"})
    void malformedEscapesAreRefused(String body) {
        assertRefused(URL_ENCODED, body.getBytes(UTF_8), "a form with two hexadecimal digits behind each %");
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        for (String body : new String[] {"a=\u00fc", "a=%FC", "a=%C0%AF", "%ED%A0%80=1"}) {
            assertRefused(URL_ENCODED, body.getBytes(ISO_8859_1), "a form in UTF-8");
        }
        assertRefused(MULTIPART, (part("Content-Disposition: form-data; name=a", "\u00fc") + "--b--")
                .getBytes(ISO_8859_1), "a form in UTF-8");
    }

    @Test
    void aHundredThousandFieldsAreRefused() {
        assertThat(shown(URL_ENCODED, "a=1&".repeat(1024))).hasSize(1024 * 6 - 3);
        String detail = "a form of at most 1024 fields";
        assertRefused(URL_ENCODED, "a=1&".repeat(100_000).getBytes(UTF_8), detail);
        String part = part("Content-Disposition: form-data; name=a", "");
        assertThat(read(MULTIPART, (part.repeat(1024) + "--b--").getBytes(UTF_8))).hasSize(1024);
        assertRefused(MULTIPART, part.repeat(100_000).getBytes(UTF_8), detail);
    }

    @Test
    void partsAreTextsAndFiles() {
        assertThat(shown(MULTIPART, part("Content-Disposition: form-data; name=\"a\"", "1")
                + part("content-disposition:form-data;name=\"grüße\";x=\"\"", "ü\r\n--\r\n--c\r\n")
                + part("Content-Disposition: form-data; filename=\"a\\\"b\\c;.png\"; name=f\r\n"
                        + "Content-Type: image/png\r\nContent-Transfer-Encoding: BINARY", "\r\n\0\r\n-")
                + part("Content-Disposition: form-data; name=g; filename=\"\"\r\n"
                        + "Content-Type: application/octet-stream", "")
                + part("Content-Disposition: form-data; name=t\r\nContent-Type: text/plain; charset=UTF-8",
                        "x")
                + "--b--\r\nepilogue"))
                .isEqualTo("a=1 | grüße=ü\r\n--\r\n--c\r\n | f=a\"b\\c;.png:\r\n\0\r\n- | g=: | t=x");
        assertThat(shown("Multipart/Form-Data; BOUNDARY=\"a b\"",
                "preamble\r\n--a b  \r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--a b--"))
                .isEqualTo("a=1");
        assertThat(shown(MULTIPART, "--b--")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "`` | multipart/form-data with its delimiters, whole",
        "a=1 | multipart/form-data with its delimiters, whole",
        "--c^^--c-- | multipart/form-data with its delimiters, whole",
        "--b^Content-Disposition: form-data; name=a^^1 | multipart/form-data with its delimiters, whole",
        "--b^Content-Disposition: form-data; name=a^^1^--b | multipart/form-data with its delimiters, whole",
        "--b^Content-Disposition: form-data; name=a^^1^--bc | multipart/form-data with its delimiters, whole",
        "--b^Content-Disposition: form-data; name=a^--b-- | parts with at most 4 KiB of headers and a blank"
                + " line behind them",
        "--b^--b-- | parts with at most 4 KiB of headers and a blank line behind them",
        "--b^^^1^--b-- | parts with Content-Disposition: form-data and a name",
        "--b^Content-Disposition: form-data^^1^--b-- | parts with Content-Disposition: form-data and a name",
        "--b^Content-Disposition: file; name=a^^1^--b-- | parts with Content-Disposition: form-data"
                + " and a name",
        "--b^Content-Disposition: form-data; name=a; name=b^^1^--b--"
                + " | parts with Content-Disposition: form-data and a name",
        "--b^Content-Disposition: form-data; name=\"a^^1^--b-- | parts with Content-Disposition: form-data"
                + " and a name",
        "--b^Content-Disposition: form-data; name=a^Content-Disposition: form-data; name=b^^1^--b--"
                + " | parts with one line for each header",
        "--b^no header^^1^--b-- | parts with one line for each header",
        "--b^Content-Disposition: form-data; name=a^Content-Transfer-Encoding: base64^^1^--b--"
                + " | parts without a Content-Transfer-Encoding",
        "--b^Content-Disposition: form-data; name=a^Content-Type: text/plain; charset=latin1^^1^--b--"
                + " | a form in UTF-8",
    })
    void malformedPartsAreRefused(String body, String detail) {
        assertRefused(MULTIPART, body.replace("^", "\r\n").getBytes(UTF_8), detail);
    }

    @Test
    void headersOfAPartAreBounded() {
        String disposition = "Content-Disposition: form-data; name=a\r\nX: ";
        String detail = "parts with at most 4 KiB of headers and a blank line behind them";

        assertThat(shown(MULTIPART, part(disposition + "x".repeat(4000), "1") + "--b--")).isEqualTo("a=1");
        assertRefused(MULTIPART, (part(disposition + "x".repeat(5000), "1") + "--b--").getBytes(UTF_8),
                detail);
    }

    /** A megabyte of beginnings of the delimiter. */
    @Test
    void delimitersAreFoundInLinearTime() {
        String beginnings = "\r\n--".concat("-".repeat(60)).repeat(16_000);
        String type = "multipart/form-data; boundary=" + "-".repeat(69) + "b";

        assertRefused(type, beginnings.getBytes(UTF_8), "multipart/form-data with its delimiters, whole");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "multipart/form-data", "multipart/form-data; boundary=", "text/plain",
        "multipart/form-data; boundary=\"b ", "multipart/form-data; boundary=\"b \"",
        "multipart/form-data; boundary=b; boundary=c", "multipart/mixed; boundary=b",
        "application/x-www-form-urlencoded; charset=latin1", "multipart/form-data; boundary=a\"b"})
    void otherTypesAreNoForms(String type) {
        assertThat(Form.of(type)).isNull();
    }
}
