package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of answers over {@code ws-rpc}. Apostrophes stand for quotes. */
class ResponseTextTest {

    private static String text(String id, String contentType, byte[] content) {
        var alloc = PooledByteBufAllocator.DEFAULT;
        ByteBuf body = alloc.buffer().writeZero(2).writeBytes(content).skipBytes(2);
        var answer = new ResponseText(alloc, new ResponseMemory(() -> { }), id, 200,
                new BodyCheck(contentType), body);
        while (!answer.isWhole()) {
            assertThat(answer.step()).isLessThan(32 * 1024);
        }
        ByteBuf text = answer.take();
        answer.release();
        assertThat(body.refCnt()).isZero();
        String written = text.toString(StandardCharsets.UTF_8).replace('"', '\'');
        text.release();
        return written;
    }

    private static String text(String id, String contentType, String body) {
        return text(id, contentType, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void emptyBodyIsOmitted() {
        assertThat(text("null", "application/json", "")).isEqualTo("{'id':null,'status':200}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json; charset=utf-8", "Application/JSON ;x=y",
        "application/problem+json", "application/vnd.a+json;v=1"})
    void jsonBodyIsEmbedded(String contentType) {
        for (String json : new String[] {"{'a':[1, 'ü']}", " [1]\n", "1", "null", "'x'"}) {
            assertThat(text("'ü'", contentType, json))
                    .isEqualTo("{'id':'ü','status':200,'body':" + json + "}");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", value = {
        "text/plain       | käse 😀      | 'käse 😀'",
        "-                | {}           | '{}'",
        "application/jsonx | 1           | '1'",
        "json             | 1            | '1'",
        "text/x+json      | 1            | '1'",
        "application/json | x            | 'x'",
        "application/json | 1 2          | '1 2'",
        "application/json | {}}          | '{}}'",
        "application/json | [1,          | '[1,'",
        "application/json | NaN          | 'NaN'",
        "application/json | {'a':'b      | '{\\'a\\':\\'b'",
    })
    void otherBodiesBecomeStrings(String contentType, String body, String text) {
        assertThat(text("1", contentType, body)).isEqualTo("{'id':1,'status':200,'body':" + text + "}");
    }

    @Test
    void ambiguousJsonBecomesAString() {
        assertThat(text("1", "application/json", "\0{\0}"))
                .isEqualTo("{'id':1,'status':200,'body':'\\u0000{\\u0000}'}");
        assertThat(text("1", "application/json", "\uFEFF{}"))
                .isEqualTo("{'id':1,'status':200,'body':'\uFEFF{}'}");
        assertThat(text("1", "application/json", " ")).isEqualTo("{'id':1,'status':200,'body':' '}");
    }

    @Test
    void bytesThatAreNoTextAreBase64() {
        for (String contentType : new String[] {null, "text/plain", "application/json"}) {
            assertThat(text("1", contentType, new byte[] {'"', (byte) 0xFF, '"'}))
                    .isEqualTo("{'id':1,'status':200,'body':'Iv8i','encoding':'base64'}");
        }
        // Half of a surrogate pair, and a NUL as two bytes.
        assertThat(text("1", null, new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80})).contains("base64");
        assertThat(text("1", null, new byte[] {(byte) 0xC0, (byte) 0x80})).contains("base64");
        assertThat(text("1", null, new byte[100]).length()).isEqualTo(
                "{'id':1,'status':200,'body':''}".length() + 600);
        assertThat(text("1", null, bytes(300))).doesNotContain("\n").contains("'encoding':'base64'");
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xFF);
        return bytes;
    }
}
