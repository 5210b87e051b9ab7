package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginPatternTest {

    @ParameterizedTest
    @CsvSource({
        "self, http://a.example, a.example, true", "self, https://a.example, a.example, true",
        "self, https://A.Example, a.eXample, true", "self, http://a.example:8080, a.example:8080, true",
        "self, http://[::1]:8080, [::1]:8080, true", "self, http://a.example:8080, a.example, false",
        "self, http://a.example, a.example:8080, false", "self, http://b.example, a.example, false",
        "self, http://a.example.evil, a.example, false", "self, ws://a.example, a.example, false",
        "self, null, null, false", "self, a.example, a.example, false", "self, http://, '', true",
        "*, null, a, true", "*, https://anywhere.example, a, true", "*, '', a, true",
        "https://a.example, https://a.example, b, true", "https://a.example, HTTPS://A.EXAMPLE, b, true",
        "https://A.example, https://a.example, b, true", "https://a.example, http://a.example, b, false",
        "https://a.example, https://a.example:444, b, false",
        "https://a.example, https://aXexample, b, false",
        "https://a.example:444, https://a.example:444, b, true",
        "http://localhost:*, http://localhost, b, true", "http://localhost:*, http://localhost:1, b, true",
        "http://localhost:*, http://localhost:65535, b, true",
        "http://localhost:*, https://localhost:1, b, false",
        "http://localhost:*, http://localhost2, b, false",
        "http://localhost:*, http://localhost:1.evil, b, false",
        "http://localhost:*, http://localhost:1@evil, b, false",
        "http://[::1]:*, http://[::1]:80, b, true", "http://[::1]:*, http://[::1], b, true",
        "https://a.example:443, https://a.example, b, true", "http://a:80, http://a, b, true",
        "http://a:443, http://a, b, false", "http://[::1]:80, http://[::1], b, true",
        "http://[::1], http://[::1]:80, b, false"})
    void matches(String pattern, String origin, String host, boolean matches) {
        assertThat(OriginPattern.parse(pattern).matches(origin, null, host)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "self, https://a.com, https, a.com, true",
        "self, http://a.com, https, a.com, false",
        "self, http://a.com, http, a.com:80, true", "self, https://a.com, https, a.com:443, true",
        "self, http://a.com, http, a.com:443, false", "self, https://a.com, https, a.com:80, false",
        "self, https://a.com, http, a.com, false",
        "https://a.com, https://a.com, http, b.com, true",
        "*, https://a.com, http, b.com, true"})
    void selfIsOfTheSchemeThatIsKnown(String pattern, String origin, String scheme, String host,
                                      boolean matches) {
        assertThat(OriginPattern.parse(pattern).matches(origin, scheme, host)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "a.example", "https://", "https://a.example/", "https://a.example/x",
        "ws://a.example", "file://", "https://a.example:", "https://a.example:x", "https://a.example:123456",
        "https://user@a.example", "https://a .example", "https://*.example", "**", "selfish", "http://::1", "http://[::1"})
    void isAnOriginOrSelfOrEverybody(String text) {
        assertThatThrownBy(() -> OriginPattern.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("self").hasMessageContaining("https://app.example.com");
    }

    @Test
    void isShownAsItIsCompared() {
        assertThat(OriginPattern.parse("HTTPS://A.Example")).hasToString("https://a.example")
                .isEqualTo(OriginPattern.parse("https://a.example"));
    }
}
