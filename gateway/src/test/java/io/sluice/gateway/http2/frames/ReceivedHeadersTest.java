package io.sluice.gateway.http2.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.AsciiString;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceivedHeadersTest {
    private final ReceivedHeaders headers = new ReceivedHeaders(200, 3);

    @Test
    void sizeIncludesTheOverheadOfTheRfcAndExcessIsDropped() {
        add("a", "b".repeat(99)); // 132 bytes with the overhead
        add("c", "d".repeat(35)); // 68 bytes with the overhead

        assertThat(headers.tooLarge()).isFalse();
        add("", "");
        assertThat(headers.tooLarge()).isTrue();
        assertThat(headers).hasSize(2);
    }

    @Test
    void firstFlawIsReported() {
        add("A", "b");
        add(":method", "GET");

        assertThat(headers.flaw()).contains("lower-case");
    }

    @Test
    void knowsAPseudoHeaderThatNoTrailerMayBe() {
        add("a", "b");
        assertThat(headers.anyPseudo()).isFalse();
        add(":path", "/");

        assertThat(headers.anyPseudo()).isTrue();
    }

    @Test
    void countsFieldsButCookiesForOne() {
        var many = new ReceivedHeaders(9999, 3);
        for (String name : List.of(":method", ":path", "cookie", "cookie", "cookie", "a", "a")) {
            many.add(AsciiString.of(name), AsciiString.of("b"));
        }
        assertThat(many.tooLarge()).isFalse();
        many.add(AsciiString.of("c"), AsciiString.of("d"));

        assertThat(many.tooLarge()).isTrue();
    }

    private void add(String name, String value) {
        headers.add(AsciiString.of(name), AsciiString.of(value));
    }
}
