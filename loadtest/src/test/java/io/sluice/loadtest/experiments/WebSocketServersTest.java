package io.sluice.loadtest.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class WebSocketServersTest {

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no such limit")
    void saysThatTheLimitOfOpenFilesIsTooLow() {
        assertThatThrownBy(() -> WebSocketServers.need(2_000_000_000))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(
                        "open files: \\d+ \\(expected: at least 2000000200, see ulimit -n\\)");
        assertThatCode(() -> WebSocketServers.need(0)).doesNotThrowAnyException();
    }

    @Test
    void servesWhatTheDriverAsksFor() throws Exception {
        try (var servers = WebSocketServers.configured()) {
            assertThat(Files.readString(servers.config().file()))
                    .contains("\"" + WebSocketServers.ECHO + "\"", "\"/ws/topics/{topic}\"",
                            "\"/topics/{topic}\"");
        }
    }
}
