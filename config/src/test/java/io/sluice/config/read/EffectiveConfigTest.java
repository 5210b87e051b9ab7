package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.sluice.config.HoconFile;
import io.sluice.config.read.EffectiveConfig.Entry;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EffectiveConfigTest {
    private static final String WITH_SECRETS = """
            sluice {
              offload.pools.p {}
              databases.shop { url = "jdbc:postgresql://me:hunter2@db/shop", pool = p, password = hunter2 }
              tokens.a.sha256 = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
            }
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    private Entry entry(LoadedConfig loaded, String path) {
        return loaded.effective().entries().stream().filter(entry -> entry.path().equals(path)).findAny()
                .orElseThrow();
    }

    @Test
    void saysWhereEachValueComesFrom() {
        file.write("ports.conf", "\nsluice.admin.port = 5");
        LoadedConfig loaded = file.loaded("include \"ports.conf\"\nsluice {\n server.host = \"::1\"\n"
                + "offload.pool-defaults.workers = 3\n offload.pools.p {}\n}", "sluice.server.backlog=7");

        assertThat(entry(loaded, "sluice.server.host"))
                .isEqualTo(new Entry("sluice.server.host", "::1", directory + "/main.conf:3"));
        assertThat(entry(loaded, "sluice.admin.port"))
                .isEqualTo(new Entry("sluice.admin.port", 5, directory + "/ports.conf:2"));
        assertThat(entry(loaded, "sluice.server.backlog"))
                .isEqualTo(new Entry("sluice.server.backlog", 7, "command line"));
        assertThat(entry(loaded, "sluice.offload.pools.p.workers").origin()).endsWith("main.conf:4");
        assertThat(entry(loaded, "sluice.offload.pools.p.deadline"))
                .returns("10s", Entry::value)
                .returns(true, entry -> entry.origin().matches("reference\\.conf:[1-9][0-9]+"));
    }

    @Test
    void isHoconForTheSameConfiguration() {
        LoadedConfig loaded = file.loaded("""
                include classpath("sample.conf")
                sluice {
                  tokens = null, tokens {}
                  topics { news {}, "a.ü" { last-messages = 1MiB } }
                  routes.text.tokens = null
                  routes.sql { path = /sql, handler = query, database = shop, deadline = null
                    sql = "SELECT ':x', :a::int, ??, :b -- :c", parameters { a.type = long, b.type = text } }
                  routes.json.body { empty {}, list = [1, { a = null }], none = null, "d.e" = "x\\ny" }
                  routes.socket { path = "/s/{topic}", handler = ws-topic, topics = "a.ü" }
                }
                """);

        assertThat(file.load(loaded.effective().toString())).isEqualTo(loaded.config());
    }

    @Test
    void hasEveryKeyOfAnEntryInOrder() {
        LoadedConfig loaded = file.loaded("sluice.routes.x { path = /x, handler = text, text = hi }");

        assertThat(loaded.effective().entries()).extracting(Entry::path)
                .filteredOn(path -> path.startsWith("sluice.routes.")).containsExactly(
                        "sluice.routes.x.path", "sluice.routes.x.methods", "sluice.routes.x.deadline",
                        "sluice.routes.x.max-body", "sluice.routes.x.handler", "sluice.routes.x.text",
                        "sluice.routes.x.content-type", "sluice.routes.x.status");
        assertThat(loaded.effective().toMap()).extracting("sluice")
                .extracting("routes").extracting("x").extracting("methods").isEqualTo(List.of("GET"));
        assertThat(loaded.effective().toMap().get("origins")).asInstanceOf(MAP)
                .containsEntry("sluice.routes.x.methods", entry(loaded, "sluice.routes.x.methods").origin());
    }

    @Test
    void secretsAreMasked() {
        LoadedConfig loaded = file.loaded(WITH_SECRETS);

        assertThat(entry(loaded, "sluice.databases.shop.password").value()).isEqualTo("***");
        assertThat(entry(loaded, "sluice.databases.shop.url").value())
                .isEqualTo("jdbc:postgresql://***@db/shop");
        assertThat(entry(loaded, "sluice.tokens.a.sha256").value()).isEqualTo("***");
        assertThat(Arrays.asList(loaded.toString(), loaded.effective().toString(),
                loaded.effective().toMap().toString()))
                .allSatisfy(text -> assertThat(text).doesNotContain("hunter2", "ba7816bf"));
    }
}
