package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.GatewayConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.read.ConfigDiff.Change;
import io.sluice.config.read.ConfigDiff.Kind;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigDiffTest {
    private static final String SITE = """
            sluice {
              offload.pools.p {}
              databases.shop { url = "jdbc:x", pool = p, password = old }
              routes {
                a { path = /a, handler = text, text = hi, cors.origins = ["*"] }
                b { path = /b, handler = json, body { x { y = 1, z = 2 } } }
              }
            }
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    private ConfigDiff diff(String change) {
        return ConfigDiff.between(file.load(SITE), file.load(SITE + "sluice {\n" + change + "\n}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            server.port = 9090            | server.port: 8080 -> 9090
            server.transport = epoll      | server.transport: nio -> epoll (needs a restart)
            routes.a.deadline = 5s        | routes.a.deadline: 30s -> 5s
            routes.a.deadline = null      | routes.a.deadline removed: 30s
            routes.a.first-byte = 90s     | routes.a.first-byte added: 90s
            routes.a.methods = [PUT, GET] | routes.a.methods: [GET] -> [PUT, GET]
            routes.a.cors = null          | routes.a.cors removed
            routes.a.cors.max-age = 2m    | routes.a.cors.max-age: 10m -> 2m
            routes.a.compression {}       | routes.a.compression added
            routes.b.body.x.y = 3         | routes.b.body.x.y: 1 -> 3
            databases.shop.password = new | databases.shop.password: *** -> ***
            databases.shop.user = me      | databases.shop.user:  -> me
            topics.news {}                | topics.news added
            offload.pool-defaults.workers = 4 | offload.pools.p.workers: 10 -> 4
            """)
    void tellsEachKey(String change, String told) {
        assertThat(diff(change).toString().lines()).containsExactly("sluice." + told);
    }

    @Test
    void isEmptyWhereOnlyTheTextDiffers() {
        ConfigDiff diff = diff("server.port = 8080, routes.a.deadline = 30000ms\n"
                + "routes.a.max-body = 1024KiB, databases.shop.connection-timeout = 1000ms");

        assertThat(diff.isEmpty()).isTrue();
        assertThat(diff).hasToString("");
    }

    @Test
    void tellsOfAnotherKindKeyByKey() {
        GatewayConfig text = file.load("sluice.routes.a { path = /a, handler = text, text = hi }");
        GatewayConfig index = file.load("sluice.routes.a { path = /a, handler = index }");

        assertThat(ConfigDiff.between(text, index).toString().lines())
                .containsExactly("sluice.routes.a.handler: text -> index",
                        "sluice.routes.a.text removed: hi",
                        "sluice.routes.a.content-type removed: text/plain; charset=utf-8",
                        "sluice.routes.a.status removed: 200");
    }

    @Test
    void addedOrRemovedEntryIsOneChange() {
        GatewayConfig one = file.load(SITE);
        GatewayConfig two = file.load(SITE + "sluice.routes.c { path = /c, handler = index }");
        Change added = ConfigDiff.between(one, two).changes().getFirst();

        assertThat(added).returns("sluice.routes.c", Change::path).returns("routes", Change::section)
                .returns(Kind.ADDED, Change::kind).returns(null, Change::before)
                .returns("/c", change -> ((Map<?, ?>) change.after()).get("path"));
        assertThat(ConfigDiff.between(two, one).changes()).containsExactly(
                new Change("sluice.routes.c", Kind.REMOVED, added.after(), null, false));
    }

    @Test
    void keysThatNeedARestartAreListed() {
        assertThat(diff("server { worker-threads = 9, max-headers = 9 }").restarts())
                .extracting(Change::path).containsExactly("sluice.server.worker-threads");
    }
}
