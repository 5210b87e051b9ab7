package io.sluice.handlers.write;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Binds the values of a request to a statement. */
@FunctionalInterface
public interface StatementBinding {

    /**
     * Binds all parameters.
     *
     * @param values the values of the request, and those that earlier statements handed on
     * @param element the values of an element of an array; empty if the statement is not for each element
     */
    void bind(PreparedStatement statement, @Nullable Object[] values, @Nullable Object[] element)
            throws SQLException;
}
