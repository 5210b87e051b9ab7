package io.sluice.gateway.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The check of statements after a start, where its own connection fails. */
class BackgroundCheckIT {

    @Test
    void isTriedAgainUntilItHasAConnection() throws Exception {
        var driver = new FullDatabase();
        DriverManager.registerDriver(driver);
        try (var log = new CheckWarnings(); var _ = RunningGateway.start("""
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.main { url = "%s", user = sa, pool = main }
                sluice.routes.one { path = /, handler = query, database = main, sql = "SELECT 1 FROM none" }
                """.formatted(FullDatabase.URL))) {
            log.awaitThat("the statements of database main wait",
                    "sluice.routes.one.sql: Table \"NONE\"");
            assertThat(driver.refused).hasValue(2);
        } finally {
            DriverManager.deregisterDriver(driver);
        }
    }

    /** H2, except that the check gets its connection at the third attempt. */
    private static final class FullDatabase implements Driver {
        static final String URL = "jdbc:full:checked";

        private final Driver h2 = new org.h2.Driver();
        private final AtomicInteger refused = new AtomicInteger();

        @Override
        public Connection connect(String url, Properties properties) throws SQLException {
            if (!acceptsURL(url)) {
                return null;
            }
            if (Thread.currentThread().getName().equals("statement-check") && refused.get() < 2) {
                refused.incrementAndGet();
                throw new SQLException("too many clients", "53300");
            }
            return h2.connect("jdbc:h2:mem:checked", properties);
        }

        @Override
        public boolean acceptsURL(String url) {
            return url.equals(URL);
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public java.util.logging.Logger getParentLogger() {
            return java.util.logging.Logger.getGlobal();
        }
    }
}
