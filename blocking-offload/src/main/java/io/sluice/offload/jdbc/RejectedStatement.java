package io.sluice.offload.jdbc;

import io.sluice.offload.jdbc.StatementCheck.Mistake;
import java.sql.SQLException;

/** Converts the error of a statement that a database has rejected to a message with its place. */
final class RejectedStatement {
    /** H2's mark of the place of a syntax error, in the SQL that its message quotes. */
    private static final String H2_MARK = "[*]";
    private static final String H2_NEW_LINE = "\\000a";
    private static final String H2_APPENDIX = "; SQL statement:";
    private static final int EXCERPT = 30;
    private static final int MAX_LENGTH = 500;

    private RejectedStatement() {
    }

    /**
     * Returns the message and the line.
     *
     * @param jdbc the statement with {@code ?}
     */
    static Mistake mistake(SQLException error, String jdbc) {
        return PostgresDriver.rejected(error, jdbc)
                .map(at -> new Mistake(line(at.sql(), at.position()), plain(at.message())
                        + (at.position() > 0 ? ", at: " + excerpt(at.sql(), at.position()) : "")))
                .orElseGet(() -> ofMessage(String.valueOf(error.getMessage())
                        .replace(H2_NEW_LINE, "\n")));
    }

    private static Mistake ofMessage(String message) {
        int appendix = message.indexOf(H2_APPENDIX);
        int mark = message.indexOf(H2_MARK);
        return new Mistake(line(message, mark + 1), plain(appendix < 0 ? message
                : message.substring(0, appendix)));
    }

    /** Returns the line of a position that counts from 1; 1 for no position. */
    private static int line(String sql, int position) {
        int end = Math.clamp(position - 1, 0, sql.length());
        return 1 + (int) sql.substring(0, end).chars().filter(c -> c == '\n').count();
    }

    private static String excerpt(String sql, int position) {
        int begin = Math.min(position - 1, sql.length());
        String rest = sql.substring(begin, Math.min(begin + EXCERPT, sql.length()));
        return rest.lines().findFirst().orElse("").strip();
    }

    private static String plain(String message) {
        String line = message.strip().replaceAll("\\s+", " ");
        return line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) + "…" : line;
    }
}
