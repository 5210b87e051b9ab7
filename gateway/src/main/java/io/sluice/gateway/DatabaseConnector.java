package io.sluice.gateway;

import io.sluice.offload.jdbc.Database;
import io.sluice.offload.jdbc.InitScript;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Connects the new databases of a site and runs the scripts that the previous site has not run there. */
final class DatabaseConnector {

    private DatabaseConnector() {
    }

    /**
     * Connects to all at once, and changes nothing in the databases. Blocks.
     *
     * @throws StartException if one cannot be reached that replaces one which can: its routes would fail, and
     *     all gateways with the same file would be unready
     */
    static void connect(ResourceSet<Database> databases) throws StartException {
        databases.started().values().forEach(started -> started.object().startProbe());
        for (Resource<Database> started : databases.started().values()) {
            started.object().connect(started.meters().registry());
        }
        for (Map.Entry<String, Resource<Database>> started : databases.started().entrySet()) {
            Database former = databases.before(started.getKey());
            if (former != null && former.reachable() && !started.getValue().object().answers()) {
                throw new StartException(("sluice.databases.%s: it cannot be reached (expected: a database "
                        + "that answers, as the former one does)").formatted(started.getKey()), null);
            }
        }
    }

    /**
     * Runs scripts, and opens the databases to requests; one after the other, as two of them may be one
     * database with different users. Blocks.
     *
     * @throws StartException if a script fails; those before it have run
     */
    static void open(ResourceSet<Database> databases) throws StartException {
        for (Map.Entry<String, Resource<Database>> entry : databases.started().entrySet()) {
            Database database = entry.getValue().object();
            for (String script : scripts(database, databases.before(entry.getKey()))) {
                run(script, entry.getKey(), database);
            }
            database.open();
        }
    }

    /**
     * Returns the scripts to run. If only other settings than the URL have changed, the database has the
     * results of the previous site's scripts.
     */
    private static Set<String> scripts(Database database, @Nullable Database before) {
        var scripts = new LinkedHashSet<>(database.config().initScript().orElse(Set.of()));
        if (before != null && before.config().url().equals(database.config().url())) {
            scripts.removeAll(before.config().initScript().orElse(Set.of()));
        }
        return scripts;
    }

    private static void run(String script, String name, Database database) throws StartException {
        try {
            database.runScript(InitScript.read(script));
        } catch (IOException | SQLException e) {
            throw new StartException("sluice.databases.%s.init-script: %s: %s"
                    .formatted(name, script, e.getMessage()), e);
        }
    }
}
