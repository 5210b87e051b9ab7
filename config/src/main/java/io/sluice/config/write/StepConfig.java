package io.sluice.config.write;

import io.sluice.config.key.Range;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.SqlName;
import java.util.Optional;

/**
 * A statement that runs before the query's, in the same transaction.
 *
 * @param name the name under which later statements use the columns of its first row
 * @param sqlFile the file from which the statement was read, with {@code #} and its name
 * @param each the array in the body for each of whose elements it runs
 * @param none the status if it changes or returns no row; absent: that is no error
 * @param noneDetail the text for the client in that case; absent: that of the gateway
 */
public record StepConfig(Optional<SqlName> name, NamedSql sql, Optional<String> sqlFile,
                         Optional<SqlName> each, @Range(min = 400, max = 499) Optional<Integer> none,
                         Optional<String> noneDetail) {
}
