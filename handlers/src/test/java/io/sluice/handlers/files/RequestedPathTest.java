package io.sluice.handlers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestedPathTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /static              | 1 | []                 | false
            /static/             | 1 | []                 | true
            /                    | 0 | []                 | true
            /a                   | 0 | [a]                | false
            /static/a/b.txt      | 1 | [a, b.txt]         | false
            /static/a/           | 1 | [a]                | true
            /sites/x/a           | 2 | [a]                | false
            /s/.well-known/a     | 1 | [.well-known, a]   | false
            /s/a b/ä             | 1 | [a b, ä]           | false
            /s/100%25            | 1 | [100%]             | false
            /s/%252Fa            | 1 | [%2Fa]             | false
            /s/a..b              | 1 | [a..b]             | false
            """)
    void pathBelowTheRouteIsSplitIntoNames(String path, int skip, String names, boolean directory) {
        RequestedPath requested = RequestedPath.of(path, skip);

        assertThat(requested.names()).hasToString(names);
        assertThat(requested.directory()).isEqualTo(directory);
    }

    /** The gateway normalises paths before this check, which refuses unnormalised ones all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"/s/..", "/s/../a", "/s/a/../..", "/s/.", "/s/./a", "/s//a", "/s/a//",
        "/s/.hidden", "/s/.git/config", "/s/a/.well-known/b", "/s/.well-known2", "/s/..a", "/s/...",
        "/s/..%2Fa", "/s/a%2Fb", "/s/%2F", "/s/..\\a", "/s/a\\..\\b", "/s/C:\\a", "/s/a\0",
        "/s/a\0.txt", "/s/a\nb", "/s/a\u0085"})
    void traversalAndHiddenNamesGet404(String path) {
        assertThatThrownBy(() -> RequestedPath.of(path, 1)).isInstanceOfSatisfying(HttpException.class,
                refused -> assertThat(refused.status()).isEqualTo(HttpResponseStatus.NOT_FOUND));
    }
}
