package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.session.SessionConfig;
import io.sluice.config.type.ReadableFile;
import io.sluice.config.type.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseLoginTest {

    /** H2 refuses a setting that occurs twice. Upper and lower case of its name make no difference. */
    @Test
    void aUrlOfH2MaySayThatItIsNotLazy() throws SQLException {
        assertThatOneConnectsTo("jdbc:h2:mem:;LAZY_QUERY_EXECUTION=FALSE");
        assertThatOneConnectsTo("jdbc:h2:mem:;lazy_query_execution=false");
    }

    /** H2 refuses the property beside the other one. */
    @Test
    void aUrlOfH2MaySayHowItEnds(@TempDir Path directory) throws SQLException {
        assertThatOneConnectsTo("jdbc:h2:mem:;db_close_on_exit=true");
        assertThatOneConnectsTo("jdbc:h2:" + directory.resolve("shared") + ";AUTO_SERVER=TRUE");
        DatabaseConfig plain = config("jdbc:h2:" + directory.resolve("by-property"));
        new DatabaseLogin(new DatabaseConfig(plain.url(), plain.user(), plain.password(), plain.pool(),
                plain.initScript(), plain.fetchBuffer(), plain.timeZone(), plain.connectionTimeout(),
                plain.probeInterval(), Optional.empty(), Map.of("auto_server", new Secret("TRUE")),
                SessionConfig.NONE, true), "sluice").getConnection().close();
    }

    @Test
    void eachLoginReadsTheFirstLineOfThePasswordFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "s3cret\r\nrest");
        DatabaseConfig plain = config("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        var login = new DatabaseLogin(new DatabaseConfig(plain.url(), "sa", plain.password(), plain.pool(),
                plain.initScript(), plain.fetchBuffer(), plain.timeZone(), plain.connectionTimeout(),
                plain.probeInterval(), Optional.of(new ReadableFile(file)),
                Map.of("QUERY_TIMEOUT", new Secret("1234")), SessionConfig.NONE, true),
                "sluice-d");

        try (Connection connection = login.getConnection(); var statement = connection.createStatement()) {
            assertThat(statement.getQueryTimeout()).isEqualTo(2); // of the driver's properties, in seconds
            statement.execute("ALTER USER sa SET PASSWORD 'other'");
        }
        assertThatThrownBy(login::getConnection).isInstanceOf(SQLException.class);
        Files.writeString(file, "other\n");
        login.getConnection().close();
        Files.delete(file);
        assertThatThrownBy(login::getConnection).isInstanceOf(SQLException.class)
                .hasMessageContaining("password-file " + file);
    }

    @Test
    void settingsOfSessionsAreOptionsOfTheLogin() {
        DatabaseConfig plain = config("jdbc:postgresql:x");
        var session = new SessionConfig(Optional.empty(), Optional.of("my role"),
                Optional.of(new LinkedHashSet<>(List.of("Shop", "a\"b\\"))),
                Optional.of(Duration.ofSeconds(3)), true, Map.of());

        assertThat(SessionParameters.of(new DatabaseConfig(plain.url(), "", plain.password(), "sql",
                Optional.empty(), plain.fetchBuffer(), plain.timeZone(), plain.connectionTimeout(),
                plain.probeInterval(), Optional.empty(), Map.of("options", new Secret("-c jit=off")),
                session, true),
                "sluice-d")).containsOnly(Map.entry("ApplicationName", "sluice-d"), Map.entry("options",
                        "-c jit=off -c role=my\\ role -c search_path=\"Shop\",\"a\"\"b\\\\\" "
                        + "-c statement_timeout=3000 -c default_transaction_read_only=on"));
        assertThat(SessionParameters.of(config("jdbc:h2:mem:"), "sluice-d")).isEmpty();
    }

    private static DatabaseConfig config(String url) {
        return DatabaseConfigs.of(url, Duration.ofSeconds(10), Duration.ofHours(1));
    }

    private static void assertThatOneConnectsTo(String url) throws SQLException {
        var login = new DatabaseLogin(config(url), "sluice");
        try (Connection connection = login.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }
}
