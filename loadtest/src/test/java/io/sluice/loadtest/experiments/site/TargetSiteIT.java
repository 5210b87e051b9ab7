package io.sluice.loadtest.experiments.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.BuiltGateway;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@BuiltGateway.Awaited
class TargetSiteIT {

    @Test
    void configurationHasTheRoutesOfTheDriverAndIsDeleted() throws Exception {
        Path config;
        Path directory;
        Path keys;
        try (var site = TargetSite.of("jdbc:x", BuiltGateway.jar())) {
            config = site.config().file();
            directory = site.directory();
            keys = site.keys();
            for (int size : TargetSite.FILE_SIZES) {
                assertThat(Files.readAllBytes(directory.resolve(Integer.toString(size))))
                        .isEqualTo(TargetSite.content(size)).hasSize(size);
                assertThat(TargetSite.file(size)).isEqualTo("/files/" + size);
            }
            assertThat(config).content().contains(
                    "\"" + TargetSite.HELLO + "\"", "\"" + TargetSite.ECHO + "\"",
                    "\"" + TargetSite.ROWS + "{id}\"", "\"" + TargetSite.WIDE + "\"",
                    "\"" + TargetSite.LONG + "\"", "\"" + TargetSite.COMPRESSED + "\"",
                    "\"" + TargetSite.DOCUMENTS + "\"", "\"" + TargetSite.IMPORT + "\"",
                    "\"" + TargetSite.WS_ECHO + "\"",
                    "\"" + TargetSite.WS_RPC + "\"", "\"/ws/topics/{topic}\"", "\"/topics/{topic}\"",
                    "sluice.databases.items.url = \"jdbc:x\"",
                    "directory = \"%s\"".formatted(directory));
        }
        assertThat(config).doesNotExist();
        assertThat(directory).doesNotExist();
        assertThat(keys).doesNotExist();
    }
}
