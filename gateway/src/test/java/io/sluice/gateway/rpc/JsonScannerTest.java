package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.json.Json;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/** The JSON scanner, compared with Jackson's parser. Apostrophes stand for quotes. */
class JsonScannerTest {

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "false", "0", "-0", "10", "-1.50e+3", "1E5", "0e-1", "0.0", "''",
        "'a'", "'ü€😀'", "'\\u00e4\\n\\/\\'\\\\'", "[]", "{}", " [ 1 , { 'a' : [ ] , '' : { } } , 'x' ] ",
        "[[],[],[[]]]", "{'a':{'b':{'c':[{}]}}}", "\t\r\n1"})
    void validValuesAreAccepted(String text) {
        assertIsValue(text, true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x", "tru", "nul ", "truer", "NaN", "+1", "01", "-", "-a", "1.", ".5",
        "1.e5", "1e", "1e+", "'", "'a", "'\\", "'\\x'", "'\\u12", "'\\u12g4'", "'\n'", "'\u0001'", "[", "[1",
        "[1,", "[,1]", "[1,]", "[1 2]", "[1}", "]", "{", "{1:2}", "{'a'}", "{'a':}", "{'a':1,}", "{,}",
        "{'a':1]", "{'a' 1}", "1 2", "{}}", "[]x", "\u0000", "\uFEFF1", "/**/1"})
    void invalidValuesAreRejected(String text) {
        assertIsValue(text, false);
    }

    @Test
    void nestingHasABound() {
        assertIsValue("[".repeat(500) + "]".repeat(500), true);
        assertIsValue("{'a':".repeat(500) + "1" + "}".repeat(500), true);
        assertIsValue("[".repeat(501) + "]".repeat(501), false);
        assertIsValue("[{'a':".repeat(130) + "1" + "}]".repeat(130), true);
        assertIsValue("[{'a':".repeat(130) + "1" + "]}".repeat(130), false);
    }

    @Test
    void resultEqualsThatOfAParser() {
        var random = new Random(7);
        String value = "[{'a':-1.5e+3,'bc':[true,false,null,'\\u00e4\\n'],'':{}},[],'x y',0]";
        String alphabet = "[]{},:'\\ue+-.019 tfnlaxA";
        int valid = 0;
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder(value);
            for (int edits = random.nextInt(3); edits >= 0; edits--) {
                int at = random.nextInt(text.length());
                text.replace(at, at + random.nextInt(2), random.nextInt(3) == 0 ? ""
                        : String.valueOf(alphabet.charAt(random.nextInt(alphabet.length()))));
            }
            boolean parsed = isParsed(bytes(text.toString()));
            valid += parsed ? 1 : 0;
            assertThat(isValue(bytes(text.toString()), random.nextInt(1, 9))).as(text.toString())
                    .isEqualTo(parsed);
        }
        assertThat(valid).isBetween(1_000, 19_000);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"`1,2`, 1", "`[1] ]`, 3", "`'a'b`, 3", "`{'a':x}`, 5",
        "`[tx]`, 2",
        "`'\n'`, 1", "`-1x`, 2", "`[1.x]`, 3"})
    void scanReturnsTheEndOrTheFirstInvalidByte(String text, int at) {
        byte[] bytes = bytes(text);
        assertThat(new JsonScanner().scan(ByteBuffer.wrap(bytes), 0, bytes.length)).isEqualTo(at);
    }

    private static void assertIsValue(String text, boolean expected) {
        byte[] bytes = bytes(text);
        assertThat(isParsed(bytes)).isEqualTo(expected);
        for (int step = 1; step < 5; step++) {
            assertThat(isValue(bytes, step)).isEqualTo(expected);
        }
        assertThat(isValue(bytes, Math.max(1, bytes.length))).isEqualTo(expected);
    }

    /** Scans in pieces of a length. */
    private static boolean isValue(byte[] bytes, int step) {
        var scanner = new JsonScanner();
        int at = 0;
        for (int to = 0; to < bytes.length && at == to; ) {
            to = Math.min(bytes.length, to + step);
            at = scanner.scan(ByteBuffer.wrap(bytes), at, to);
        }
        while (at < bytes.length && ObjectScanner.isSpace(bytes[at])) {
            at++;
        }
        return at == bytes.length && scanner.isWhole() && !scanner.isBroken();
    }

    private static boolean isParsed(byte[] bytes) {
        // Jackson takes a NUL for the sign of UTF-16, and skips a byte order mark.
        if (bytes.length > 0 && (bytes[0] == 0 || bytes[0] == (byte) 0xEF)) {
            return false;
        }
        try (JsonParser json = Json.parser(new ByteArrayInputStream(bytes))) {
            boolean some = json.nextToken() != null;
            json.skipChildren();
            return some && json.nextToken() == null;
        } catch (JacksonException _) {
            return false;
        }
    }

    private static byte[] bytes(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
