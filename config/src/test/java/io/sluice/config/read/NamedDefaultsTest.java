package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.ParameterConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.session.SessionConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.DatabaseUrl;
import io.sluice.config.type.Method;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.ScalarType;
import io.sluice.config.type.Secret;
import io.sluice.config.type.ZoneName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedDefaultsTest {
    private static final String NAMED = """
            sluice {
              offload.pools.io {}
              databases.shop { url = "jdbc:x", pool = io }
              routes {
                text { path = /text, handler = text, text = hi }
                echo { path = /echo, handler = echo }
                query { path = /query, handler = query, database = shop, sql = "SELECT :id"
                        parameters.id.type = long }
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

    @Test
    void namedEntriesGetTheDefaultsOfReferenceConf() {
        GatewayConfig config = file.load(NAMED);

        assertThat(config.offload().pools())
                .containsEntry("io",
                        PoolConfig.of(PoolConfig.Kind.PLATFORM, 10, 1000, Duration.ofSeconds(10)));
        assertThat(config.databases()).containsEntry("shop", new DatabaseConfig(
                new DatabaseUrl("jdbc:x"), "", new Secret(""), "io", Optional.empty(),
                new ByteSize(2 << 20), new ZoneName("UTC"), Duration.ofSeconds(1), Duration.ofSeconds(2),
                Optional.empty(), Map.of(), SessionConfig.NONE, true));
        assertThat(config.routes().get("text")).isEqualTo(new RouteConfig(PathTemplate.parse("/text"),
                Set.of(Method.GET), Optional.of(Duration.ofSeconds(30)), Optional.empty(), Optional.empty(),
                new ByteSize(1 << 20),
                Optional.empty(), Optional.empty(), Optional.empty(), List.of(),
                new HandlerConfig.Text("hi", "text/plain; charset=utf-8", 200)));
        assertThat(config.routes().get("echo").methods())
                .containsExactly(Method.GET, Method.POST, Method.PUT, Method.PATCH, Method.DELETE);
        assertThat(config.routes().get("query").handler()).isEqualTo(new HandlerConfig.Query("shop",
                NamedSql.parse("SELECT :id"), Optional.empty(), false, Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 1000, false,
                Map.of("id", new ParameterConfig(
                        new ParameterType(ScalarType.LONG, false), Optional.empty(), Optional.empty(),
                        Optional.empty(), Optional.empty(), true)), Map.of(), Map.of(), false, false,
                Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void usersHaveDefaultsOfTheirOwnAndKindsWinOverRoutes() {
        GatewayConfig config = file.load(NAMED + """
                sluice {
                  offload.pool-defaults.workers = 3
                  database-defaults.user = me
                  route-defaults { deadline = 7s, methods = [PATCH] }
                  handler-defaults { text.status = 202, echo.deadline = 8s }
                  parameter-defaults.required = false
                }
                """);

        assertThat(config.offload().pools().get("io").workers()).isEqualTo(3);
        assertThat(config.databases().get("shop").user()).isEqualTo("me");
        assertThat(config.routes().get("text").deadline()).contains(Duration.ofSeconds(7));
        assertThat(config.routes().get("text").methods()).containsExactly(Method.PATCH);
        assertThat(((HandlerConfig.Text) config.routes().get("text").handler()).status()).isEqualTo(202);
        assertThat(config.routes().get("echo").deadline()).contains(Duration.ofSeconds(8));
        assertThat(config.routes().get("echo").methods()).hasSize(5);
        assertThat(((HandlerConfig.Query) config.routes().get("query").handler()).parameters().get("id"))
                .returns(false, ParameterConfig::required);
    }

    @Test
    void keysOfAnEntryOverrideTheDefaults() {
        GatewayConfig config = file.load(NAMED + """
                sluice {
                  route-defaults.deadline = 7s
                  handler-defaults.text.deadline = 8s
                  routes.text { deadline = 9s, methods = [PUT] }
                }
                """);

        assertThat(config.routes().get("text").deadline()).contains(Duration.ofSeconds(9));
        assertThat(config.routes().get("text").methods()).containsExactly(Method.PUT);
    }
}
