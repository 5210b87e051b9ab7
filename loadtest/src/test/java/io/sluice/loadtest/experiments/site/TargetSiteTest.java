package io.sluice.loadtest.experiments.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TargetSiteTest {

    @Test
    void servesWhatTheDriverAsksForAndLeavesNothingBehind() throws Exception {
        Path config;
        Path directory;
        try (var site = TargetSite.of("jdbc:x")) {
            config = site.config().file();
            directory = site.directory();
            for (int size : TargetSite.FILE_SIZES) {
                assertThat(Files.readAllBytes(directory.resolve(Integer.toString(size))))
                        .isEqualTo(TargetSite.content(size)).hasSize(size);
                assertThat(TargetSite.file(size)).isEqualTo("/files/" + size);
            }
            assertThat(config).content().contains(
                    "\"" + TargetSite.HELLO + "\"", "\"" + TargetSite.ECHO + "\"",
                    "\"" + TargetSite.ROWS + "{id}\"", "\"" + TargetSite.WIDE + "\"",
                    "\"" + TargetSite.LONG + "\"", "\"" + TargetSite.COMPRESSED + "\"",
                    "\"" + TargetSite.DOCUMENTS + "\"", "\"" + TargetSite.WS_ECHO + "\"",
                    "\"" + TargetSite.WS_RPC + "\"", "\"/ws/topics/{topic}\"", "\"/topics/{topic}\"",
                    "sluice.databases.items.url = \"jdbc:x\"",
                    "directory = \"%s\"".formatted(directory));
        }
        assertThat(config).doesNotExist();
        assertThat(directory).doesNotExist();
    }
}
