package io.sluice.loadtest.experiments.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SlowAttackSiteTest {

    @Test
    void configurationHasTheRoutesOfTheDriverAndIsDeleted() throws Exception {
        Path config;
        Path file;
        try (var site = SlowAttackSite.configured()) {
            config = site.config().file();
            file = site.file();
            assertThat(Files.size(file)).isEqualTo(4 << 20);
            assertThat(config).content().contains("\"" + SlowAttackSite.HELLO + "\"",
                    "\"" + SlowAttackSite.UPLOAD + "\"", "\"/download/**\"",
                    "directory = \"%s\"".formatted(file.getParent()));
            assertThat(SlowAttackSite.DOWNLOAD).isEqualTo("/download/" + file.getFileName());
        }
        assertThat(config).doesNotExist();
        assertThat(file.getParent()).doesNotExist();
    }
}
