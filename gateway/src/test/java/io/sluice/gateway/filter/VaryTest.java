package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VaryTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            -                   | origin
            accept-encoding     | accept-encoding, origin
            Accept, Origin      | Accept, Origin
            ORIGIN              | ORIGIN
            *                   | *
            original            | original, origin
            """)
    void saysEachNameOnce(String before, String after) {
        var headers = new DefaultHttpHeaders();
        if (before != null) {
            headers.set("Vary", before);
        }
        Vary.on("origin", headers);

        assertThat(headers.getAll("Vary")).isEqualTo(List.of(after));
    }
}
