package io.sluice.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {

    @ParameterizedTest
    @ValueSource(strings = {
        "example.com", "EXAMPLE.com.", "localhost:8080", "a:", "127.0.0.1:1", "[::1]", "[2001:db8::7]:443",
        "[::ffff:192.0.2.1]", "my_service", "xn--bcher-kva.example", "b%C3%BCcher.example", "a!$&'()*+;=~b",
        "a:65535", "a:00080",
    })
    void hostWithOptionalPortIsValid(String text) {
        assertThat(Authority.isValid(text, 0, text.length())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", ":", ":80", "a:b", "a:80:80", "a:-1", "a:8 0", "::1", "[::1", "[]", "[::1]a", "[::1]:x", "[a b]",
        "[v1.x]", "[fe80::1%25eth0]", "user@a", "a,b", "a b", "a/b", "a?b", "a#b", "a\\b", "\"a\"", "<a>",
        "a:65536", "a:99999999999", "%", "%zz", "a%2", "[:::]", "[1.2.3.4]", "[1:2:3:4:5:6:7:8:9]",
        "é", "a\u0000", "a\t",
    })
    void invalidAuthoritiesAreRejected(String text) {
        assertThat(Authority.isValid(text, 0, text.length())).isFalse();
    }

    @Test
    void isLookedForBetweenBounds() {
        assertThat(Authority.isValid("http://a:80/", 7, 11)).isTrue();
        assertThat(Authority.isValid("http://a:80/", 7, 12)).isFalse();
        assertThat(Authority.isValid("http:///", 7, 7)).isFalse();
    }
}
