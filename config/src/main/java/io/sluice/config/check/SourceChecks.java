package io.sluice.config.check;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.topic.SourceConfig;
import io.sluice.config.type.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks the {@code source} of each topics. */
final class SourceChecks {
    private final @Nullable Map<String, DatabaseConfig> databases;
    /** The names of topics by the table or slot that they read. */
    private final Map<List<Object>, String> readers = new HashMap<>();

    SourceChecks(@Nullable Map<String, DatabaseConfig> databases) {
        this.databases = databases;
    }

    void check(String topics, SourceConfig config, Setting at) {
        DatabaseConfig database = DatabaseChecks.known(databases, config.database());
        if (database != null && !database.isFor("postgresql")) {
            at.at("database").wrong("one of PostgreSQL, whose url begins with jdbc:postgresql:");
        }
        if (at.at("outbox").isSet()) {
            checkOutbox(at);
            checkReader(topics, config, config.outbox(), at.at("outbox"));
        } else if (at.at("publication").isSet()) {
            checkPublication(config, at);
            checkReader(topics, config, config.slot(), at.at("slot"));
        } else {
            at.at("outbox").missing("a table, or publication, slot and tables");
        }
    }

    /** Two readers would share the messages. */
    private void checkReader(String topics, SourceConfig config, Optional<?> read, Setting at) {
        if (config.database() != null && read.isPresent()) {
            String other = readers.putIfAbsent(List.of(config.database(), read.get()), topics);
            if (other != null) {
                at.wrong("one that topics " + other + " do not read");
            }
        }
    }

    private static void checkOutbox(Setting at) {
        for (String key : new String[] {"publication", "slot"}) {
            if (at.at(key).isSet()) {
                at.at(key).wrong("either outbox or " + key);
            }
        }
    }

    private static void checkPublication(SourceConfig config, Setting at) {
        if (!at.at("slot").isSet()) {
            at.at("slot").missing("the name of a replication slot");
        }
        if (config.tables() == null) {
            return;
        }
        if (config.tables().isEmpty()) {
            at.at("tables").locatedAt(at.at("publication")).missing(
                    "the topics of the publication's tables, such as { orders = \"orders.{id}\" }");
        }
        config.tables().keySet().forEach(table -> {
            try {
                TableName.parse(table);
            } catch (IllegalArgumentException e) {
                at.at("tables").at(table).wrong(table, String.valueOf(e.getMessage()));
            }
        });
    }
}
