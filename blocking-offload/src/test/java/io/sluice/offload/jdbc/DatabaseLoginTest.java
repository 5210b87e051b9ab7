package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatabaseLoginTest {

    /** H2 refuses a setting that occurs twice. Upper and lower case of its name make no difference. */
    @Test
    void aUrlOfH2MaySayThatItIsNotLazy() throws SQLException {
        assertThatOneConnectsTo("jdbc:h2:mem:;LAZY_QUERY_EXECUTION=FALSE");
        assertThatOneConnectsTo("jdbc:h2:mem:;lazy_query_execution=false");
    }

    private static void assertThatOneConnectsTo(String url) throws SQLException {
        var login = new DatabaseLogin(DatabaseConfigs.of(url, Duration.ofSeconds(10), Duration.ofHours(1)));
        try (Connection connection = login.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }
}
