package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.ZoneName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DatabaseLoginTest {

    /** H2 refuses a setting that is there twice, and takes its name in any case. */
    @Test
    void aUrlOfH2MaySayThatItIsNotLazy() throws SQLException {
        assertThatOneConnectsTo("jdbc:h2:mem:;LAZY_QUERY_EXECUTION=FALSE");
        assertThatOneConnectsTo("jdbc:h2:mem:;lazy_query_execution=false");
    }

    private static void assertThatOneConnectsTo(String url) throws SQLException {
        var login = new DatabaseLogin(new DatabaseConfig(url, "", "", "sql", Optional.empty(),
                new ByteSize(1 << 20), new ZoneName("UTC"), Duration.ofSeconds(10), Duration.ofHours(1)));
        try (Connection connection = login.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }
}
