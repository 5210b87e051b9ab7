package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.GatewayConfig;
import io.sluice.config.read.ConfigLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connections that the files of a process allow. */
class OpenFilesTest {
    private static final Map<String, String> POOL = Map.of("sluice.offload.pools.disk.workers", "5");

    private static final int FREE = 100_000;

    private static int room(Map<String, String> more) {
        var settings = new HashMap<>(POOL);
        settings.putAll(more);
        GatewayConfig config = new ConfigLoader(settings).loadResource("reference.conf").config();
        return OpenFiles.roomForConnections(FREE, config);
    }

    @Test
    void eachWorkerNeedsSome() {
        assertThat(room(Map.of())).isEqualTo(FREE - 5 * 4);
    }

    @Test
    void responsesMayHoldAQuarterOfTheLimitWhereFilesAreServed(@TempDir Path directory) {
        assertThat(room(Map.of("sluice.routes.f.path", "/**", "sluice.routes.f.handler", "files",
                "sluice.routes.f.directory", directory.toString(), "sluice.routes.f.pool", "disk")))
                .isEqualTo(FREE - 5 * 4 - OpenFiles.forAnswers());
    }
}
