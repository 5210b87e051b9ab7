package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of a content coding, with zstd, br and gzip available, preferred in this order. */
class AcceptEncodingTest {
    private static final List<String> CODINGS = List.of("zstd", "br", "gzip");

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            gzip                            | gzip
            gzip, deflate, br               | br
            gzip, deflate, br, zstd         | zstd
            GZIP                            | gzip
            x-gzip                          | gzip
            gzip;q=1.0, br;q=0.9            | gzip
            gzip ; q=0.001                  | gzip
            gzip;q=0.5,br;q=0.5             | br
            *                               | zstd
            *;q=0.1                         | zstd
            zstd;q=0, *                     | br
            *;q=0.5, gzip                   | gzip
            br;q=0.2, *;q=0.1               | br
            gzip, identity                  | gzip
            identity;q=0, *                 | zstd
            identity;q=0, gzip;q=0.1        | gzip
            identity;q=0.5, gzip;q=0.6      | gzip
            identity;q=0.6, gzip;q=0.5      | -
            identity, *;q=0.5               | -
            identity                        | -
            identity;q=0                    | -
            gzip;q=0                        | -
            gzip;q=0.000                    | -
            *;q=0                           | -
            deflate, compress               | -
            gzip;q=2                        | -
            gzip;q=-1                       | -
            gzip;q=                         | -
            gzip;q=0.1234                   | -
            gzip;q=abc                      | -
            gzip;x=1                        | -
            gzip br                         | -
            ;q=1                            | -
            ,, gzip ,                       | gzip
            gzip;q=x, br                    | br
            """)
    void chooseWhatTheClientLikesBest(String field, String coding) {
        assertThat(new AcceptEncoding(List.of(field)).best(CODINGS)).isEqualTo(coding);
    }

    @Test
    void readsTheFirst64Elements() {
        assertThat(new AcceptEncoding(List.of("a,".repeat(62), "gzip", "br")).best(CODINGS))
                .isEqualTo("gzip");
    }

    @Test
    void choosesNoneForAClientThatSaysNothing() {
        assertThat(new AcceptEncoding(List.of()).best(CODINGS)).isNull();
        assertThat(new AcceptEncoding(List.of("")).best(CODINGS)).isNull();
    }

    @Test
    void readsSeveralFieldsAsOne() {
        assertThat(new AcceptEncoding(List.of("gzip;q=0.5", "br;q=0.6")).best(CODINGS)).isEqualTo("br");
        assertThat(new AcceptEncoding(List.of("gzip")).best(List.<String>of())).isNull();
    }
}
