package io.sluice.gateway;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.jdbc.InitScript;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connects the new databases of a site and runs the scripts that the previous site has not run there.
 *
 * @param configBefore the configuration of the previous site; null at the start
 */
record DatabaseConnector(GatewayConfig config, @Nullable GatewayConfig configBefore,
                         ResourceSet<Database> databases) {

    /**
     * Connects one after the other, as two of them may be one database with different users. Blocks.
     *
     * @throws StartException if a database cannot be used
     */
    void connect() throws StartException {
        Map<String, Resource<Database>> started = databases.started();
        for (Map.Entry<String, Resource<Database>> entry : started.entrySet()) {
            entry.getValue().object().connect(entry.getValue().meters().registry());
        }
        for (Map.Entry<String, Resource<Database>> entry : started.entrySet()) {
            for (String script : scripts(entry.getKey())) {
                run(script, entry.getKey());
            }
            entry.getValue().object().open();
        }
    }

    /**
     * Returns the scripts to run. If only other settings than the URL have changed, the database has the
     * results of the previous site's scripts.
     */
    private Set<String> scripts(String database) {
        DatabaseConfig now = Resources.named(database, config.databases());
        DatabaseConfig before = configBefore == null ? null : configBefore.databases().get(database);
        var scripts = new LinkedHashSet<>(now.initScript().orElse(Set.of()));
        if (before != null && before.url().equals(now.url())) {
            scripts.removeAll(before.initScript().orElse(Set.of()));
        }
        return scripts;
    }

    private void run(String script, String database) throws StartException {
        try {
            Resources.named(database, databases.objects()).runScript(InitScript.read(script));
        } catch (IOException | SQLException e) {
            throw new StartException("sluice.databases.%s.init-script: %s: %s"
                    .formatted(database, script, e.getMessage()), e);
        }
    }
}
