package io.sluice.handlers.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;

class JsonEscapesTest {
    private static String escaped(String text, int from) {
        ByteBuf bytes = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
        ByteBuf json = Unpooled.buffer();
        int length = bytes.readableBytes() - from;
        JsonEscapes.write(bytes, from, length, json);
        assertThat(JsonEscapes.length(bytes, from, length)).isEqualTo(json.readableBytes());
        return json.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "say \"hi\"\\\b\f\n\r\t", "\u0000\u0001\u001F\u007F", "grüße, 🙂"})
    void whatJsonRequiresIsEscaped(String text) {
        assertThat(escaped(text, 0)).doesNotContain("\n", "\u0000", "\u001F");
        assertThat(read(escaped(text, 0))).isEqualTo(text);
        String large = text.repeat(5000);
        assertThat(read(escaped("ab" + large, 2))).isEqualTo(large);
    }

    private static String read(String escaped) {
        try (JsonParser json = Json.parser('"' + escaped + '"')) {
            json.nextToken();
            return json.getString();
        }
    }
}
