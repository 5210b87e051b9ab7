package io.sluice.gateway;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.gateway.limits.OpenFiles;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.metrics.PoolMeters;
import io.sluice.handlers.files.KeptFiles;
import io.sluice.handlers.websocket.Topics;
import io.sluice.offload.Offload;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.process.Programs;
import io.sluice.offload.process.SandboxException;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The resources of handlers: pools, databases, topics, programs, open files. */
final class Backends implements AutoCloseable {
    private final GatewayConfig config;
    private final Meters meters;
    private final Map<String, Offload> pools = new LinkedHashMap<>();
    private final Map<String, PoolMeters> poolMeters = new LinkedHashMap<>();
    private final Map<String, Database> databases = new LinkedHashMap<>();
    private final Map<String, Topics> topics = new LinkedHashMap<>();
    private final SpillSpace spillSpace;
    /** By the name of their route. */
    private final Map<String, Programs> programs = new LinkedHashMap<>();
    private final KeptFiles keptFiles = new KeptFiles(OpenFiles.forAnswers());

    /** Of a configuration; nothing has started yet. */
    Backends(GatewayConfig config, Meters meters) {
        this.config = config;
        this.meters = meters;
        spillSpace = new SpillSpace(config.offload().spill());
    }

    /** Starts them, but for databases, which {@link #connect} does; to be closed even where this fails. */
    void start() throws StartException, InterruptedException {
        config.offload().pools().forEach((name, pool) -> {
            poolMeters.put(name, meters.pool(name));
            pools.put(name, Offload.start(name, pool, poolMeters.get(name)));
            poolMeters.get(name).bind(pools.get(name));
        });
        meters.bind(spillSpace);
        PoolMeters spillReaders = meters.pool("spill");
        spillReaders.bind(spillSpace.start(spillReaders));
        config.topics().forEach((name, topic) -> {
            topics.put(name, new Topics(topic));
            meters.bind(name, topics.get(name));
        });
        config.databases().forEach((name, database) ->
                databases.put(name, new Database(name, database, pools.get(database.pool()))));
        for (var route : config.routes().entrySet()) {
            if (route.getValue().handler() instanceof HandlerConfig.WsCode code) {
                startPrograms(route.getKey(), code);
            }
        }
    }

    /**
     * Connects to databases, and runs their scripts; blocks until that is done. What needs none of them need
     * not wait for it. One after the other: two of them may be one database, by another user.
     *
     * @throws StartException where one cannot be used
     */
    void connect() throws StartException {
        for (Map.Entry<String, DatabaseConfig> entry : config.databases().entrySet()) {
            requireDriver(entry.getKey(), entry.getValue().url().text());
            databases.get(entry.getKey()).connect(meters.registry());
        }
        for (Map.Entry<String, DatabaseConfig> entry : config.databases().entrySet()) {
            for (String script : entry.getValue().initScript().orElse(Set.of())) {
                run(script, entry.getKey());
            }
            databases.get(entry.getKey()).open();
        }
    }

    private void run(String script, String database) throws StartException {
        try {
            databases.get(database).runScript(InitScript.read(script));
        } catch (IOException | SQLException e) {
            throw new StartException("sluice.databases.%s.init-script: %s: %s"
                    .formatted(database, script, e.getMessage()), e);
        }
    }

    /** Without the URL, in which there may be a password. */
    private static void requireDriver(String database, String url) throws StartException {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new StartException(("sluice.databases.%s.url: no driver for it (expected: "
                    + "jdbc:postgresql:…, jdbc:h2:…, or another whose driver is on the class path)")
                    .formatted(database), e);
        }
    }

    private void startPrograms(String route, HandlerConfig.WsCode code)
            throws StartException, InterruptedException {
        var started = new Programs(code.program(), pools.get(code.pool()));
        programs.put(route, started);
        try {
            started.selfTest();
        } catch (SandboxException e) {
            throw new StartException(
                    "sluice.routes.%s.program.sandbox: %s".formatted(route, e.getMessage()), e);
        }
    }

    Map<String, Offload> pools() {
        return pools;
    }

    Map<String, PoolMeters> poolMeters() {
        return poolMeters;
    }

    Map<String, Database> databases() {
        return databases;
    }

    SpillSpace spillSpace() {
        return spillSpace;
    }

    Map<String, Topics> topics() {
        return topics;
    }

    /** Files that are open for answers of all routes. */
    KeptFiles keptFiles() {
        return keptFiles;
    }

    /** How many of them there may be; none where no route answers with files. */
    int openFilesOfAnswers() {
        boolean any = config.routes().values().stream()
                .anyMatch(route -> route.handler() instanceof HandlerConfig.Files);
        return any ? keptFiles.limit() : 0;
    }

    Map<String, Programs> programs() {
        return programs;
    }

    /** Pools first: their work needs the others to its end. */
    @Override
    public void close() throws IOException {
        topics.values().forEach(Topics::close);
        pools.values().forEach(Offload::close);
        databases.values().forEach(Database::close);
        programs.values().forEach(Programs::close);
        spillSpace.close();
    }
}
