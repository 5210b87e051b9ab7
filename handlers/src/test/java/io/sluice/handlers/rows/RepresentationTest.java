package io.sluice.handlers.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.HttpException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepresentationTest {

    private static HttpHeaders accept(String value) {
        return new DefaultHttpHeaders().add(HttpHeaderNames.ACCEPT, value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                                         | JSON
            */*                                                        | JSON
            application/json                                           | JSON
            APPLICATION/JSON; charset=utf-8                            | JSON
            text/csv                                                   | CSV
            text/*                                                     | CSV
            text/html, text/*;q=0.5                                    | CSV
            application/x-ndjson                                       | NDJSON
            application/json;q=0.5, text/csv;q=0.6                     | CSV
            application/json;q=0.5, */*;q=0.6                          | CSV
            application/json;q=0, application/*                        | NDJSON
            text/csv, */*                                              | CSV
            text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8 | JSON
            application/json; IEEE754Compatible=true                   | JSON_EXACT
            application/json;IEEE754Compatible=false                   | JSON
            application/x-ndjson;q=0.9;IEEE754Compatible=true, text/csv;q=0.1 | NDJSON_EXACT
            application/json;ieee754compatible=true, application/json;q=0.1 | JSON_EXACT
            application/json, application/json;IEEE754Compatible=true;q=0.1, text/csv;q=0.5 | JSON
            application/json;q=0, application/json;IEEE754Compatible=true;q=0.2, text/csv;q=0.1 | JSON_EXACT
            application/json;IEEE754Compatible=true;q=0, */*           | JSON
            application/json;version=2;q=0, application/json           | JSON
            application/json;charset=utf-8, */*;q=0.1                  | JSON
            application/json;q=0, application/json;IEEE754Compatible=true | JSON_EXACT
            text/csv;q=7, application/json;q=0.1                       | JSON
            """)
    void theHighestWeightWinsThenTheMoreExactName(String accept, Representation expected) {
        assertThat(Representation.preferred(accept(accept))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/json;q=0", "*/*;q=0", "json", ";", "text/csv;q=0.0000"})
    void nothingThatFitsIs406(String accept) {
        assertThatExceptionOfType(HttpException.class)
                .isThrownBy(() -> Representation.preferred(accept(accept))).satisfies(e -> {
                    assertThat(e.status().code()).isEqualTo(406);
                    assertThat(e.headers().get(HttpHeaderNames.VARY)).isEqualTo("accept");
                });
    }
}
