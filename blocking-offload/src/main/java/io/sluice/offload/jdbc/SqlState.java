package io.sluice.offload.jdbc;

import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The SQLSTATE of an error, in place of a general one of MariaDB where its number tells more. */
public final class SqlState {
    private static final Map<String, String> BY_NUMBER = Map.ofEntries(
            Map.entry("HY000 1020", "40001"), // a row that has changed since the snapshot
            Map.entry("HY000 1205", "HYT00"), // a lock timeout
            Map.entry("HY000 1526", "23514"), // a row of no partition
            Map.entry("HY000 1295", "0A000"), // a batch that is not supported, such as of INSERT ... SELECT
            Map.entry("HY000 1271", "22000"), // as below, with many texts and without telling whose they are
            Map.entry("HY000 1411", "22007"), // a text that is no date by the format
            Map.entry("42000 1139", "2201B"), // a regular expression
            Map.entry("01000 1265", "22000"), // a value that would be truncated
            Map.entry("70100 1317", "57014"), // KILL QUERY
            Map.entry("70100 1969", "57014"), // a statement timeout
            Map.entry("70100 1927", "08006")); // KILL

    /** Two or three texts that cannot be compared, such as with characters that a column lacks. */
    private static final Set<Integer> ILLEGAL_MIX = Set.of(1267, 1270);
    /** How MariaDB marks a value, but no column, in the message of such an error. */
    private static final String VALUE = "COERCIBLE";

    /** MariaDB's number of a syntax error, and the marks of one in a value, which is a part of the text. */
    private static final int SYNTAX = 1064;
    private static final Pattern OF_VALUE = Pattern.compile("near '-|syntax error, unexpected");

    private SqlState() {
    }

    /** Returns whether MariaDB has refused the text of a value, such as of a LIMIT below 0 or of a search. */
    public static boolean refusesText(SQLException error) {
        return error.getErrorCode() == SYNTAX && OF_VALUE.matcher(String.valueOf(error.getMessage())).find();
    }

    /** Returns the SQLSTATE; the text {@code null} if the error has none. */
    public static String of(SQLException error) {
        String state = String.valueOf(error.getSQLState());
        if (ILLEGAL_MIX.contains(error.getErrorCode())
                && String.valueOf(error.getMessage()).contains(VALUE)) {
            return "22000";
        }
        return BY_NUMBER.getOrDefault(state + ' ' + error.getErrorCode(), state);
    }
}
