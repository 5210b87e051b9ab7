package io.sluice.gateway.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonLineEncoderTest {

    @Test
    void writesOneLineWhateverTheMessageHolds() {
        String line = encode("two\nlines and \"quotes\" {}", new IllegalStateException("broken"));

        assertThat(line).endsWith("\n").satisfies(text -> assertThat(text.strip()).doesNotContain("\n"));
        JsonNode json = JsonMapper.shared().readTree(line);
        assertThat(json.get("message").asString()).isEqualTo("two\nlines and \"quotes\" arg");
        assertThat(json.get("level").asString()).isEqualTo("WARN");
        assertThat(json.get("requestId").asString()).isEqualTo("abc");
        assertThat(json.get("exception").asString()).contains("IllegalStateException: broken", "\tat ");
    }

    @Test
    void leavesAddressesReadable() {
        assertThat(encode("see http://localhost:8080/", null)).contains("see http://localhost:8080/");
    }

    private static String encode(String message, Throwable failure) {
        var context = new LoggerContext();
        var event = new LoggingEvent("fqcn", context.getLogger("test"), Level.WARN, message, failure,
                new Object[] {"arg"});
        event.setMDCPropertyMap(Map.of("requestId", "abc"));
        var encoder = new JsonLineEncoder();
        encoder.setContext(context);
        encoder.start();
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
