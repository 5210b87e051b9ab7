package io.sluice.loadtest.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class WebSocketServersTest {

    @Test
    void configurationHasTheRoutesOfTheDriver() throws Exception {
        try (var servers = WebSocketServers.configured()) {
            assertThat(Files.readString(servers.config().file()))
                    .contains("\"" + WebSocketServers.ECHO + "\"", "\"/ws/topics/{topic}\"",
                            "\"/topics/{topic}\"");
        }
    }
}
