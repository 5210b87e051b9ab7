package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.type.Sha256;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenConfigTest {
    /** The SHA-256 of "abc" (FIPS 180-2, appendix B.1). */
    private static final String HASH = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    private static final String EXPECTED = "the SHA-256 of a token, 64 hex digits";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void hashesAreReadInEitherCaseAndNotShown() {
        GatewayConfig config = file.load("sluice.tokens { a.sha256 = " + HASH.toUpperCase() + " }");

        assertThat(config.tokens()).containsEntry("a", new TokenConfig(new Sha256(HASH)));
        assertThat(config.tokens().get("a").sha256().bytes()).hasSize(32).startsWith(0xba, 0x78, 0x16);
        assertThat(config.toString()).doesNotContain(HASH);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tokens.a.sha256 = hunter2         | tokens.a.sha256: not shown (expected: HASH)
            tokens.a.sha256 = ""              | tokens.a.sha256: not shown (expected: HASH)
            tokens.a.sha256 = [hunter2]       | tokens.a.sha256: not shown (expected: HASH)
            tokens.a.sha256 = { b = hunter2 } | tokens.a.sha256: not shown (expected: HASH)
            tokens.a.sha256 = null            | tokens.a.sha256: not shown (expected: HASH)
            tokens.a {}                       | tokens.a.sha256: missing (expected: HASH)
            tokens.a = hunter2                | tokens.a: not shown (expected: an object { … })
            tokens = hunter2                  | tokens: not shown (expected: an object { … })
            tokens = [hunter2]                | tokens: not shown (expected: an object { … })
            """)
    void possibleTokensAreNotDisclosed(String written, String problem) {
        assertThat(file.problems("sluice." + written))
                .containsExactly("main.conf:1: sluice." + problem.replace("HASH", EXPECTED));
    }

    @Test
    void valuesOfUnknownKeysAreNotDisclosed() {
        assertThat(file.problems("sluice.tokens.a { sha256 = " + HASH + ", value = hunter2 }"))
                .containsExactly("main.conf:1: sluice.tokens.a.value: unknown key (expected: one of sha256)");
    }

    @Test
    void hashOfAnEmptyTokenIsReported() {
        assertThat(file.problems("sluice.tokens.a.sha256 = "
                + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
                .containsExactly("main.conf:1: sluice.tokens.a.sha256: not shown (expected: " + EXPECTED
                        + "; this is that of an empty text)");
    }

    @Test
    void aTokenHasOneName() {
        assertThat(file.problems("sluice.tokens {\n a.sha256 = " + HASH + "\n b.sha256 = "
                + HASH.toUpperCase() + "\n}")).containsExactly(
                "main.conf:3: sluice.tokens.b.sha256: that of a (expected: of a token of its own)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [alcie]      | alcie | one of alice; did you mean alice?
            [alice, bob] | bob   | one of alice
            "alice, bob" | bob   | one of alice
            []           | []    | a list [ … ] of at least one
            {}           | {}    | a list [ … ] of at least one
            5            | 5     | a list [ … ] of at least one
            [""]         | ""    | one of alice
            """)
    void routesNameTokensThatAreThere(String written, String value, String expected) {
        assertThat(file.problemsOfSampleWith("routes.text.tokens = " + written)).containsExactly(
                "main.conf:2: sluice.routes.text.tokens: %s (expected: %s)".formatted(value, expected));
    }

    @Test
    void routesSayWhereNoTokenIsDefined() {
        assertThat(file.problems("sluice.routes.x { path = /x, handler = index, tokens = [a] }"))
                .containsExactly("main.conf:1: sluice.routes.x.tokens: a "
                        + "(expected: a token that is defined; none is)");
    }

    @Test
    void tokensThatCouldNotBeReadAreNotBlamedOnRoutes() {
        assertThat(file.problemsOfSampleWith("tokens.alice.sha256 = x"))
                .containsExactly("main.conf:2: sluice.tokens.alice.sha256: not shown (expected: "
                        + EXPECTED + ")");
    }

    @Test
    void oneDefaultClosesAllRoutesButThoseThatSayOtherwise() {
        GatewayConfig config = file.load("""
                sluice {
                  tokens { a.sha256 = %s }
                  route-defaults.tokens = [a]
                  routes {
                    closed { path = /closed, handler = index }
                    open { path = /open, handler = index, tokens = null }
                  }
                }
                """.formatted(HASH));

        assertThat(config.routes().get("closed").tokens()).isEqualTo(Optional.of(Set.of("a")));
        assertThat(config.routes().get("open").tokens()).isEmpty();
    }
}
