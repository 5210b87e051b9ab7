package io.sluice.gateway.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextLineEncoderTest {
    private static final String TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3} ";
    private static final String FORGED = "a\r\n10:00:00.000 INFO  Main - forged\u001b[2J\u0085\u2028\t\0end";
    private static final String ESCAPED =
            "a\\r\\n10:00:00.000 INFO  Main - forged\\u001b[2J\\u0085\\u2028\\t\\u0000end";

    @Test
    void aMessageIsOneLine() {
        assertThat(lines("one {}", null, Map.of("requestId", "abc"))).singleElement().asString()
                .matches(TIME + "WARN  Main \\[abc] - one arg");
        assertThat(lines("two", null, Map.of())).singleElement().asString()
                .matches(TIME + "WARN  Main - two");
    }

    @Test
    void lineBreaksOfMessagesAreEscaped() {
        assertThat(lines(FORGED, null, Map.of())).singleElement().asString().endsWith(" - " + ESCAPED);
    }

    @Test
    void lineBreaksOfExceptionMessagesAreEscaped() {
        var failure = new IllegalStateException(FORGED, new IllegalArgumentException(FORGED));
        failure.addSuppressed(new RuntimeException(FORGED));

        List<String> lines = lines("failed", failure, Map.of());

        assertThat(lines).contains("java.lang.IllegalStateException: " + ESCAPED,
                "Caused by: java.lang.IllegalArgumentException: " + ESCAPED,
                "\tSuppressed: java.lang.RuntimeException: " + ESCAPED);
        assertThat(lines.subList(2, lines.size())).allMatch(line ->
                line.startsWith("\t") || line.startsWith("Caused by: "));
    }

    @Test
    void anExceptionMayHaveNoMessage() {
        assertThat(lines("failed", new IllegalStateException(), Map.of()).get(1))
                .isEqualTo("java.lang.IllegalStateException");
    }

    private static List<String> lines(String message, Throwable failure, Map<String, String> mdc) {
        var context = new LoggerContext();
        var event = new LoggingEvent("fqcn", context.getLogger("io.sluice.Main"), Level.WARN, message,
                failure, new Object[] {"arg"});
        event.setMDCPropertyMap(mdc);
        return new String(new TextLineEncoder().encode(event), StandardCharsets.UTF_8).lines().toList();
    }
}
