package io.sluice.handlers.query;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.SqlErrorConfig;
import io.sluice.config.type.NamedSql;
import java.util.Map;
import java.util.Optional;

/** Configurations of queries that return an array of rows. */
final class QueryConfigs {

    private QueryConfigs() {
    }

    static HandlerConfig.Query of(String sql, Map<String, ParameterConfig> parameters,
                                  Map<String, SqlErrorConfig> errors) {
        return new HandlerConfig.Query("db", NamedSql.parse(sql), Optional.empty(), false, Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                10, false, parameters, errors, Map.of(), false, false, Optional.empty(), Optional.empty(),
                Optional.empty());
    }
}
