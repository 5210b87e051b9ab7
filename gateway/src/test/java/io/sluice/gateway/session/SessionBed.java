package io.sluice.gateway.session;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;

/** A gateway whose database has notes with owners, and lets each caller see its own. */
final class SessionBed implements AutoCloseable {
    private static final String SCHEMA = """
            DROP SCHEMA IF EXISTS %1$s CASCADE;
            CREATE SCHEMA %1$s;
            DO $$ BEGIN CREATE ROLE %1$s_app NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
            CREATE TABLE %1$s.notes (id BIGINT GENERATED ALWAYS AS IDENTITY,
              owner TEXT NOT NULL DEFAULT current_setting('app.user'), body TEXT);
            INSERT INTO %1$s.notes (owner, body)
              SELECT who, n FROM unnest(ARRAY['alice', 'bob', '']) who, generate_series(1, 3) n;
            ALTER TABLE %1$s.notes ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON %1$s.notes USING (owner = current_setting('app.user'));
            CREATE FUNCTION %1$s.write() RETURNS INT LANGUAGE sql AS
              'INSERT INTO %1$s.notes (body) VALUES (''w''); SELECT 1';
            GRANT USAGE ON SCHEMA %1$s TO %1$s_app;
            GRANT ALL ON ALL TABLES IN SCHEMA %1$s TO %1$s_app;
            """;
    private static final String CONFIG = """
            sluice.log.access = off
            sluice.tokens { alice.sha256 = "%s", bob.sha256 = "%s" }
            sluice.offload.pools.notes { workers = %d }
            sluice.databases.notes {
              url = "%s", user = "%s", password = "%s", pool = notes, connection-timeout = 20s
              session.local { "app.user" = caller, "app.tenant" = "header X-Tenant"
                "app.source" = "text a 'b" }
            }
            %s
            """;

    private final RunningGateway gateway;
    private final String schema;

    /** Starts it, with HOCON of the test's own in which %s is the schema, and a path begins a query. */
    SessionBed(String schema, int workers, String url, String more) throws Exception {
        this.schema = schema;
        PostgresServer postgres = PostgresServer.get();
        execute(SCHEMA.formatted(schema));
        gateway = RunningGateway.start(CONFIG.formatted(sha256("alice"), sha256("bob"), workers, url,
                postgres.user(), postgres.password(), more.replace("%s", schema)
                .replace("{ path", "{ handler = query, database = notes, path")));
    }

    private static String sha256(String token) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes()));
    }

    /** Executes SQL as the owner of the tables, who sees all rows. */
    static void execute(String sql) throws SQLException {
        PostgresServer postgres = PostgresServer.get();
        try (Connection connection = DriverManager.getConnection(postgres.url(), postgres.user(),
                postgres.password()); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    RunningGateway gateway() {
        return gateway;
    }

    /** Sends a request of a caller; of nobody for an empty name. */
    HttpResponse<String> ask(String caller, String method, String target) throws Exception {
        HttpRequest.Builder request = gateway.request(target).method(method, BodyPublishers.noBody());
        if (!caller.isEmpty()) {
            request.header("Authorization", "Bearer " + caller);
        }
        return gateway.send(request);
    }

    @Override
    public void close() throws SQLException {
        gateway.close();
        execute("DROP SCHEMA %1$s CASCADE; DROP ROLE %1$s_app".formatted(schema));
    }
}
