package io.sluice.loadtest.experiments.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.RowDatabase;
import io.sluice.loadtest.experiments.server.Variant;
import io.sluice.loadtest.experiments.wire.HttpAnswer;
import io.sluice.loadtest.experiments.wire.Traffic;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** All servers, and COPY, send the same rows as PostgreSQL's own JSON. */
@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class RowServersIT {

    private static final int ID = 20_500;
    private static final List<Variant> SERVERS =
            List.of(RowServers.PLATFORM, RowServers.BARE, RowServers.TOMCAT);
    private static RowServers servers;

    @BeforeAll
    static void start() throws Exception {
        servers = RowServers.start();
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
    }

    @Test
    void answerTheSame() throws Exception {
        var expected = List.of(
                rows("WHERE id = " + ID, ""),
                "[" + rows("WHERE id > " + ID + " ORDER BY id LIMIT 100", ",") + "]",
                "[" + rows("WHERE id > " + ID + " ORDER BY id LIMIT 10000", ",") + "]",
                "{\"updated\":1}");
        var bench = new Workbench(BuiltGateway.jar(), Timing.SHORT, Optional.empty(),
                new PrintStream(OutputStream.nullOutputStream()));
        // in parallel, since a server takes a second to start
        try (var threads = Executors.newCachedThreadPool()) {
            var all = threads.invokeAll(SERVERS.stream()
                    .map(variant -> (Callable<List<String>>) () -> answers(bench, variant)).toList());
            for (int n = 0; n < SERVERS.size(); n++) {
                assertThat(all.get(n).get()).as(SERVERS.get(n).name()).isEqualTo(expected);
            }
        }
        assertThat(select("SELECT count(*) || ' of ' || min(item) || ', ' || max(quantity) FROM orders"))
                .isEqualTo("3 of 20500, 2");
    }

    private static List<String> answers(Workbench bench, Variant variant) throws Exception {
        var bodies = new ArrayList<String>();
        try (var server = servers.start(bench, variant);
                var wire = Wire.open("127.0.0.1", server.port(), 0, new Traffic())) {
            wire.patience(Duration.ofMinutes(1));
            for (var load : RowLoad.ALL) {
                wire.send(load.request().apply(ID).bytes());
                var answer = HttpAnswer.read(wire);
                var body = new String(answer.body(), StandardCharsets.UTF_8);
                assertThat(answer.status()).as("%s, %s: %s", variant.name(), load.name(), body)
                        .isEqualTo(200);
                bodies.add(body);
            }
        }
        return bodies;
    }

    private static String rows(String where, String separator) throws SQLException {
        return select("""
                SELECT string_agg(row_to_json(t)::text, '%s')
                FROM (SELECT id, name, price FROM items %s) t""".formatted(separator, where));
    }

    private static String select(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(servers.database().url(), RowDatabase.USER, "");
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void areCopiedByPsql() throws Exception {
        assumeTrue(CopyClient.PROGRAM.isPresent());
        try (var client = CopyClient.Psql.start(CopyClient.PROGRAM.get(), servers.database())) {
            assertCopied(client);
        }
    }

    @Test
    void areCopiedByTheDriver() throws Exception {
        try (var client = CopyClient.Pgjdbc.connect(servers.database())) {
            assertCopied(client);
        }
    }

    private static void assertCopied(CopyClient client) throws SQLException {
        var expected = rows("WHERE id > " + ID + " ORDER BY id LIMIT 10000", "\n") + "\n";
        var twice = expected.repeat(2);
        var copied = new ByteArrayOutputStream();
        var out = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                copied.write(bytes, offset, length);
                if (copied.size() >= twice.length()) {
                    throw new IOException("enough");
                }
            }
        };
        assertThatThrownBy(() -> client.run(() -> CopyRate.copy(ID), out)).hasMessage("enough");
        assertThat(copied.toString(StandardCharsets.UTF_8)).startsWith(twice);
    }
}
