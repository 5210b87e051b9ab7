package io.sluice.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.session.SettingSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseChecksTest {
    private static final String BEFORE = """
            sluice.offload.pools.p {}
            sluice.databases.d { url = "jdbc:postgresql:d", pool = p }
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void settingsAndTheirSourcesAreRead() throws Exception {
        Files.writeString(directory.resolve("password"), "s3cret");
        DatabaseConfig database = file.load(BEFORE + """
                sluice.databases.d {
                  password-file = "%s"
                  properties { targetServerType = primary }
                  session { role = app, search-path = [shop, public], statement-timeout = 10s
                    read-only = true
                    local { "app.user" = caller, "app.tenant" = "header X-Tenant"
                      "app.source" = "text a b" } }
                }
                """.formatted(directory.resolve("password"))).databases().get("d");

        assertThat(database.properties().get("targetServerType").text()).isEqualTo("primary");
        assertThat(database.session().searchPath().orElseThrow()).containsExactly("shop", "public");
        assertThat(database.session().statementTimeout()).contains(Duration.ofSeconds(10));
        assertThat(database.session().local()).isEqualTo(Map.of(
                "app.user", SettingSource.parse("caller"),
                "app.tenant", new SettingSource(SettingSource.Kind.HEADER, "X-Tenant"),
                "app.source", new SettingSource(SettingSource.Kind.TEXT, "a b")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            session.local { "a b" = caller } | session.local."a b": a b (expected: the name of a \
            setting, such as app.user)
            session.local { "a.b" = me } | session.local."a.b": me (expected: caller, header and \
            its name, or text and the value)
            session.local { role = "header X-Role" } | session.local.role: header X-Role \
            (expected: caller or a text: clients choose their headers)
            properties.password = s3cret | properties.password: not shown (expected: the key \
            password in its place)
            password-file = "" | password-file: "" (expected: a file)
            password = x, password-file = "/dev/null" | password-file: /dev/null (expected: either \
            password or password-file)
            url = "jdbc:postgresql:d?options=-c%20jit=off", session.role = x | session: not shown \
            (expected: no options= in the url, which would replace these)
            url = "jdbc:h2:mem:", session.role = x | session.role: x (expected: none: only for a \
            url that begins with jdbc:postgresql:, others have properties)
            url = "jdbc:h2:mem:", session.local { "a.b" = caller } | session.local: { … } \
            (expected: none: only for a url that begins with jdbc:postgresql:, others have \
            properties)
            init-script = x, session.read-only = true | init-script: x (expected: none, as \
            session.read-only = true)
            """)
    void mistakesHaveTheirLine(String keys, String problem) {
        assertThat(file.problems(BEFORE + "sluice.databases.d { " + keys + " }")).containsExactly(
                "main.conf:3: sluice.databases.d." + problem);
    }

    /** SET ROLE none would give this caller all rights of the login. */
    @Test
    void aTokenWithoutARoleOfItsNameIsRefused() {
        assertThat(file.problems(BEFORE + """
                sluice.tokens.none.sha256 = "%s"
                sluice.databases.d.session.local { "app.user" = caller, role = caller }
                """.formatted("0".repeat(64)))).containsExactly("main.conf:4: sluice.databases.d.session"
                + ".local.role: caller (expected: no token of the name none beside it, as that is no role)");
    }

    /** On other databases they would do nothing. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            constraints { items_key = item } | constraints: { … } (expected: none: only errors of PostgreSQL \
            name a constraint)
            show-raise = true | show-raise: true (expected: false: only PostgreSQL has RAISE)
            """)
    void keysForErrorsOfPostgresAreForItAlone(String keys, String problem) {
        String route = "sluice.routes.x { path = /x, handler = query, database = d, sql = \"SELECT 1\"\n"
                + keys + " }\n";
        for (String url : List.of("jdbc:h2:mem:x", "jdbc:mariadb://x/y")) {
            assertThat(file.problems(BEFORE + "sluice.databases.d.url = \"" + url + "\"\n" + route))
                    .containsExactly("main.conf:5: sluice.routes.x." + problem);
        }
        assertThat(file.load(BEFORE + route).routes()).containsKey("x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:h2:mem:      | SELECT 1      | false: H2 has no read-only transactions
            jdbc:postgresql:d | DELETE FROM a | a statement that only reads, not DELETE
            """)
    void aReadOnlyQueryReads(String url, String sql, String expected) {
        assertThat(file.problems(BEFORE + """
                sluice.databases.d.url = "%s"
                sluice.routes.x { path = /x, methods = [POST], handler = query, database = d, sql = "%s"
                  read-only = true }
                """.formatted(url, sql))).containsExactly(
                "main.conf:5: sluice.routes.x.read-only: true (expected: " + expected + ')');
    }
}
