package io.sluice.handlers.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocationTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            /a          | /a                 | /a/
            /a          | /a?b=%20&c         | /a/?b=%20&c
            /a          | http://x/a?b       | /a/?b
            /a          | //evil.example/../a | /a/
            /evil.com   | //evil.com         | /evil.com/
            /a b/ä      | /x                 | /a%20b/%C3%A4/
            /100%25     | /x                 | /100%25/
            /a"<>^`{}\\ | /x                 | /a%22%3C%3E%5E%60%7B%7D%5C/
            /a:b@c;d    | /x                 | /a:b@c;d/
            """)
    void isAPathOnThisServer(String path, String target, String location) {
        assertThat(Location.ofDirectory(path, target)).isEqualTo(location);
    }
}
