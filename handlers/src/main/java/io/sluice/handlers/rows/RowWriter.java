package io.sluice.handlers.rows;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;

/**
 * Writes the rows of a result; the writer of each column is selected once, by its SQL type. Immutable, so
 * that the results of a statement can share it.
 */
public final class RowWriter {
    private static final String DUPLICATE_COLUMN = "42701";
    private static final String UNDEFINED_COLUMN = "42703";

    private final String[] names;
    private final SerializedString[] serialized;
    private final ColumnWriter[] columns;
    /** The number in the result of each column, from 1. */
    private final int[] numbers;
    /** The number in the result of the column that is left out; 0 for none. */
    private final int omitted;

    private RowWriter(String[] names, ColumnWriter[] columns, int[] numbers, int omitted) {
        this.names = names;
        serialized = Arrays.stream(names).map(RowWriter::serialized).toArray(SerializedString[]::new);
        this.columns = columns;
        this.numbers = numbers;
        this.omitted = omitted;
    }

    /**
     * Creates a writer for rows of these columns.
     *
     * @param without the name of a column that is not written; null for none
     * @throws SQLException if two of them have the same name, or there is no such column
     */
    public static RowWriter of(ResultSetMetaData types, @Nullable String without) throws SQLException {
        int count = types.getColumnCount();
        String[] names = new String[count];
        ColumnWriter[] columns = new ColumnWriter[count];
        int[] numbers = new int[count];
        Set<String> distinct = HashSet.newHashSet(count);
        int omitted = 0;
        int written = 0;
        for (int i = 1; i <= count; i++) {
            String name = types.getColumnLabel(i);
            if (!distinct.add(name)) {
                throw new SQLException("two columns of the result are called " + name
                        + " (expected: a name for each: " + name + " AS other)", DUPLICATE_COLUMN);
            }
            if (name.equals(without)) {
                omitted = i;
            } else {
                names[written] = name;
                columns[written] = ColumnWriter.of(types, i);
                numbers[written++] = i;
            }
        }
        if (without != null && omitted == 0) {
            throw new SQLException("the result has no column " + without + ", only " + distinct,
                    UNDEFINED_COLUMN);
        }
        return written == count ? new RowWriter(names, columns, numbers, 0)
                : new RowWriter(Arrays.copyOf(names, written), Arrays.copyOf(columns, written),
                        Arrays.copyOf(numbers, written), omitted);
    }

    /**
     * Returns whether {@link #of} would return an equal writer, which costs less than to create it.
     *
     * @param without as in {@link #of}
     */
    public boolean isFor(ResultSetMetaData types, @Nullable String without) throws SQLException {
        int count = columns.length + (omitted == 0 ? 0 : 1);
        if (types.getColumnCount() != count
                || omitted != 0 && !types.getColumnLabel(omitted).equals(without)) {
            return false;
        }
        for (int i = 0; i < columns.length; i++) {
            if (!types.getColumnLabel(numbers[i]).equals(names[i])
                    || ColumnWriter.of(types, numbers[i]) != columns[i]) {
                return false;
            }
        }
        return true;
    }

    /** The quoted form is computed before the writer is shared between threads. */
    private static SerializedString serialized(String name) {
        var serialized = new SerializedString(name);
        serialized.asQuotedUTF8();
        return serialized;
    }

    /** Returns the number of columns that are written. */
    public int columns() {
        return columns.length;
    }

    /** Returns the number in the result of the column that is not written, from 1; 0 if there is none. */
    public int omitted() {
        return omitted;
    }

    /** Begins an output of one row. */
    public RowOutput single(Representation as, OutputStream to) throws IOException {
        return output(as, as.isLines() ? JsonOutput.Frame.LINES : JsonOutput.Frame.NONE, to);
    }

    /** Begins an output of any number of rows. */
    public RowOutput list(Representation as, OutputStream to) throws IOException {
        return output(as, as.isLines() ? JsonOutput.Frame.LINES : JsonOutput.Frame.ARRAY, to);
    }

    private RowOutput output(Representation as, JsonOutput.Frame frame, OutputStream to) throws IOException {
        return as.isJson() ? new JsonOutput(to, serialized, frame, as.isExact()) : new CsvOutput(to, names);
    }

    /**
     * Begins an output of one value.
     *
     * @throws SQLException if the rows have several columns
     */
    public RowOutput value(OutputStream to) throws SQLException {
        if (columns.length != 1) {
            throw new SQLException("the result has " + columns.length + " columns (expected: 1, as the route "
                    + "has a content-type)", UNDEFINED_COLUMN);
        }
        return new ValueOutput(to);
    }

    /** Writes the current row, and returns the approximate size of its values in bytes. */
    public long write(RowOutput out, ResultSet row) throws SQLException, IOException {
        long bytes = 0;
        out.beginRow();
        for (int i = 0; i < columns.length; i++) {
            out.beginColumn(i);
            bytes += columns[i].write(out, row, numbers[i]);
        }
        out.endRow();
        return bytes;
    }
}
