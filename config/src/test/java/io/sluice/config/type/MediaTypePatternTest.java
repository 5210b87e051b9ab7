package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypePatternTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            text/html         | text/html                  | true
            Text/HTML         | text/html; charset=utf-8   | true
            text/html         | TEXT/HTML ;a=b             | true
            text/html         | text/htm                   | false
            text/html         | text/html5                 | false
            text/*            | text/csv                   | true
            text/*            | texts/csv                  | false
            text/*            | application/text           | false
            application/*json | application/json           | true
            application/*json | application/problem+json   | true
            application/*json | application/json; x=y      | true
            application/*json | application/jsonp          | false
            application/*json | application/son            | false
            a/x*x             | a/x                        | false
            a/x*x             | a/xx                       | true
            image/svg+xml     | image/svg+xml              | true
            """)
    void meansTypesWhateverTheirParametersAre(String pattern, String type, boolean matches) {
        assertThat(MediaTypePattern.parse(pattern).matches(type)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "*/*", "text", "text/", "/html", "text/**", "text/*a*", "text/a b",
        "t*/a", "text/html; charset=utf-8", "text/a/b", "text/ä"})
    void isOneType(String text) {
        assertThatThrownBy(() -> MediaTypePattern.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("text/*");
    }
}
