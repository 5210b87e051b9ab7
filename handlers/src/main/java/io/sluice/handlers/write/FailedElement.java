package io.sluice.handlers.write;

import io.sluice.handlers.Mistake;
import io.sluice.offload.jdbc.SqlState;
import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.function.Predicate;

/** The database has refused the statement of a step for one element of an array in the body. */
public final class FailedElement extends SQLException {
    private static final long serialVersionUID = 1L;
    private static final String UNSUPPORTED = "0A000";

    private final String array;
    private final int index;
    private final SQLException error;

    private FailedElement(String array, int index, SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
        this.array = array;
        this.index = index;
        error = cause;
    }

    /**
     * Runs a statement for all elements.
     *
     * @param array the name of the array
     * @param elements the number of its elements, at least one
     * @param binding binds an element to the statement
     * @param singly whether each element is sent alone, so that it is known which one fails
     * @param ofRequest indicates whether an error is one of the request
     * @return the rows that each of them has changed
     * @throws Unknown if an element may be at fault, and was sent together with others
     */
    static int[] run(PreparedStatement statement, String array, int elements, Binding binding,
                     boolean singly, Predicate<SQLException> ofRequest) throws SQLException {
        var changed = new int[elements];
        for (int i = 0; i < elements; i++) {
            binding.bind(i);
            if (!singly) {
                statement.addBatch();
                continue;
            }
            try {
                changed[i] = statement.executeUpdate();
            } catch (SQLException e) {
                throw new FailedElement(array, i, e);
            }
        }
        return singly ? changed : runBatch(statement, ofRequest);
    }

    private static int[] runBatch(PreparedStatement statement, Predicate<SQLException> ofRequest)
            throws SQLException {
        try {
            return statement.executeBatch();
        } catch (BatchUpdateException e) {
            SQLException error = e.getCause() instanceof SQLException cause ? cause // has the constraint
                    : e.getNextException() == null ? e : e.getNextException();
            if (SqlState.of(error).equals(UNSUPPORTED)) {
                throw new Unsupported(error);
            }
            throw ofRequest.test(error) ? new Unknown(error) : error;
        }
    }

    /** Returns whether the rows that each element has changed are unknown. */
    static boolean isUncounted(int[] changed) {
        return Arrays.stream(changed).anyMatch(count -> count == Statement.SUCCESS_NO_INFO);
    }

    /** Binds an element to a statement. */
    @FunctionalInterface
    interface Binding {
        void bind(int index) throws SQLException;
    }

    /** One of several elements may have failed. Drivers do not tell which, as they send several in one. */
    static sealed class Unknown extends SQLException {
        private static final long serialVersionUID = 1L;

        Unknown(SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
        }
    }

    /** The database does not support these elements together, or a value of one of them. */
    static final class Unsupported extends Unknown {
        private static final long serialVersionUID = 1L;

        Unsupported(SQLException cause) {
            super(cause);
        }
    }

    /** Returns the database's error. */
    public SQLException error() {
        return error;
    }

    /** Returns a mistake of the element. */
    public Mistake mistake(String detail) {
        return Mistake.ofElement(array, index, detail);
    }

    /** Returns a mistake of a member of the element. */
    public Mistake mistake(String member, String detail) {
        return Mistake.ofMember(member, detail).within(array, index);
    }

    /** Returns the name of the array. */
    public String array() {
        return array;
    }
}
