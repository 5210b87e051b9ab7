package io.sluice.config.session;

import io.sluice.config.key.Range;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a database's sessions: {@code sluice.databases.<name>.session}.
 *
 * @param applicationName the name that the database shows; absent: {@code sluice-} and the database's name
 * @param role the role that sessions take on after the login
 * @param searchPath the schemas in which names without one are found
 * @param statementTimeout the longest time of a statement
 * @param readOnly whether transactions are read-only
 * @param local settings of each request's transaction, and their sources
 */
public record SessionConfig(
        Optional<String> applicationName,
        Optional<String> role,
        Optional<Set<String>> searchPath,
        @Range(min = 1, max = Range.HOUR) Optional<Duration> statementTimeout,
        boolean readOnly,
        Map<String, SettingSource> local) {

    /** The settings of a database without any. */
    public static final SessionConfig NONE = new SessionConfig(Optional.empty(), Optional.empty(),
            Optional.empty(), Optional.empty(), false, Map.of());
}
