package io.sluice.handlers.write;

import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The query's own statement, whose result is the response. */
@FunctionalInterface
public interface OwnStatement {

    /**
     * Runs it and writes the response. Blocks.
     *
     * @param values the values of the request, and those that earlier statements handed on
     * @param isFirst whether no other statement precedes in the transaction
     */
    void run(@Nullable Object[] values, boolean isFirst) throws SQLException, IOException;
}
