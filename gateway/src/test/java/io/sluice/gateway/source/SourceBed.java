package io.sluice.gateway.source;

import static org.awaitility.Awaitility.await;

import io.sluice.config.GatewayConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.PostgresServer;
import io.sluice.offload.jdbc.InitScript;
import io.sluice.offload.source.MessageSink;
import io.sluice.offload.source.TopicSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;

/** A PostgreSQL table of a test, and sources that read it until the test ends. */
final class SourceBed implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** The name of the table, and the prefix of related objects. */
    final String name;
    private final String url;
    private final String user;
    private final String password;
    private final List<AutoCloseable> others = new ArrayList<>();
    private final Connection connection;

    SourceBed() throws SQLException {
        this(PostgresServer.get().url(), PostgresServer.get().user(), PostgresServer.get().password());
    }

    SourceBed(String url, String user, String password) throws SQLException {
        this(url, user, password, "t" + ProcessHandle.current().pid() + '_' + NUMBER.incrementAndGet());
    }

    SourceBed(String url, String user, String password, String name) throws SQLException {
        this.name = name;
        this.url = url;
        this.user = user;
        this.password = password;
        connection = connect();
    }

    /** Returns a wait of up to 30 s, enough for a busy machine. */
    static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30)).pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5));
    }

    /** Opens another connection, for concurrent transactions. */
    Connection connect() throws SQLException {
        return other(DriverManager.getConnection(url, user, password));
    }

    <T extends AutoCloseable> T other(T closeable) {
        others.add(closeable);
        return closeable;
    }

    /** Creates an outbox whose payloads have this type. */
    SourceBed outbox(String type) throws SQLException {
        try {
            execute(InitScript.read("sluice-outbox.sql").replace("sluice_outbox", name)
                    .replace("payload text", "payload " + type));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SourceBed outbox() throws SQLException {
        return outbox("text");
    }

    /** Creates a publication of tables, and a slot that is dropped after the test. */
    SourceBed slot(String tables) throws SQLException {
        execute("CREATE PUBLICATION $t FOR TABLE " + tables);
        execute("SELECT pg_create_logical_replication_slot('$t', 'pgoutput')");
        others.addFirst(this::dropSlot);
        return this;
    }

    /** Drops the slot. The server ends its side of the stream a moment after the reader. */
    private void dropSlot() throws SQLException {
        try (Connection last = DriverManager.getConnection(url, user, password)) {
            soon().ignoreExceptions().until(() -> {
                execute(last, "SELECT pg_drop_replication_slot('$t')");
                return true;
            });
        }
    }

    /** Starts a reader of the outbox, with further keys of its source. */
    TopicSource readOutbox(MessageSink sink, String keys) {
        return read(url, sink, "outbox = " + name + ", " + keys);
    }

    /** Starts a reader of the outbox that connects to the database by another URL. */
    TopicSource readOutbox(String by, MessageSink sink, String keys) {
        return read(by, sink, "outbox = " + name + ", " + keys);
    }

    /** Starts a reader of the slot. */
    TopicSource readSlot(MessageSink sink, String keys) {
        return read(url, sink, "publication = " + name + ", slot = " + name + ", " + keys);
    }

    private TopicSource read(String by, MessageSink sink, String keys) {
        GatewayConfig config = config(by, keys);
        var source = new TopicSource(name, config.topics().get(name).source().orElseThrow(),
                config.databases().get("db"), sink);
        others.add(source);
        source.start();
        return source;
    }

    /** Returns the configuration of a source. */
    private GatewayConfig config(String by, String keys) {
        try {
            Path file = Files.createTempFile("source", ".conf");
            try {
                Files.writeString(file, """
                        sluice.offload.pools.main {}
                        sluice.databases.db {
                          url = "%s", user = "%s", password = "%s", pool = main, connection-timeout = 20s
                        }
                        sluice.topics.%s.source { database = db, poll-interval = 50ms, %s }
                        """.formatted(by, user, password, name, keys));
                return new ConfigLoader(Map.of()).load(file).config();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Inserts a row of the outbox in a transaction of its own. */
    void insert(String topic, String payload) throws SQLException {
        insert(connection, topic, payload);
    }

    void insert(Connection by, String topic, String payload) throws SQLException {
        try (var statement = by.prepareStatement("INSERT INTO " + name + " (topic, payload) VALUES (?, ?)")) {
            statement.setString(1, topic);
            statement.setString(2, payload);
            statement.executeUpdate();
        }
    }

    /** Runs a statement in a transaction of its own; {@code $t} is the table. */
    void execute(String sql) throws SQLException {
        execute(connection, sql);
    }

    void execute(Connection by, String sql) throws SQLException {
        try (Statement statement = by.createStatement()) {
            statement.execute(sql.replace("$t", name));
        }
    }

    /** Returns the first value of the first row. */
    long number(String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.replace("$t", name))) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    long rows() {
        return number("SELECT count(*) FROM $t");
    }

    String url() {
        return url;
    }

    String user() {
        return user;
    }

    String password() {
        return password;
    }

    @Override
    public void close() {
        for (AutoCloseable other : others.reversed()) {
            try {
                other.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
