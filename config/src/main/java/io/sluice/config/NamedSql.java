package io.sluice.config;

import java.util.ArrayList;
import java.util.List;

/**
 * SQL whose {@code :name} parameters became JDBC's {@code ?}. Quoted text, comments, PostgreSQL's
 * {@code ::casts} and dollar quotes are left alone.
 *
 * @param jdbc the SQL with {@code ?}
 * @param parameters the name behind each {@code ?}, in order; a name may stand more than once
 */
public record NamedSql(String jdbc, List<String> parameters) {

    /**
     * Reads SQL with named parameters.
     *
     * @throws IllegalArgumentException where a quote or comment does not end, or a {@code ?} stands
     */
    public static NamedSql parse(String sql) {
        var jdbc = new StringBuilder(sql.length());
        var names = new ArrayList<String>();
        for (int at = 0; at < sql.length(); ) {
            int end = sql.charAt(at) == ':' ? endOfColon(sql, at) : endOfOpaque(sql, at);
            if (sql.charAt(at) == ':' && end > at + 1 && sql.charAt(at + 1) != ':') {
                names.add(sql.substring(at + 1, end));
                jdbc.append('?');
            } else {
                jdbc.append(sql, at, end);
            }
            at = end;
        }
        if (jdbc.toString().isBlank()) {
            throw new IllegalArgumentException("an SQL statement");
        }
        return new NamedSql(jdbc.toString(), List.copyOf(names));
    }

    /** Whether it begins with SELECT. */
    public boolean isSelect() {
        String start = jdbc.stripLeading();
        return start.length() > 6 && start.regionMatches(true, 0, "SELECT", 0, 6)
                && !isNamePart(start.charAt(6));
    }

    private static int endOfColon(String sql, int at) {
        int end = at + 1;
        if (end < sql.length() && sql.charAt(end) == ':') {
            return end + 1;
        }
        if (end < sql.length() && isNamePart(sql.charAt(end)) && !Character.isDigit(sql.charAt(end))) {
            while (end < sql.length() && isNamePart(sql.charAt(end))) {
                end++;
            }
        }
        return end;
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    private static int endOfOpaque(String sql, int at) {
        return switch (sql.charAt(at)) {
            case '\'', '"' -> after(sql, sql.substring(at, at + 1), at + 1);
            case '-' -> sql.startsWith("--", at) ? endOfLine(sql, at) : at + 1;
            case '/' -> sql.startsWith("/*", at) ? after(sql, "*/", at + 2) : at + 1;
            case '$' -> endOfDollarQuote(sql, at);
            case '?' -> {
                if (!sql.startsWith("??", at)) {
                    throw new IllegalArgumentException(
                            ":name for a parameter, or ?? for an operator, in place of ?");
                }
                yield at + 2;
            }
            default -> at + 1;
        };
    }

    private static int endOfDollarQuote(String sql, int at) {
        int tagEnd = at + 1;
        while (tagEnd < sql.length() && isNamePart(sql.charAt(tagEnd))) {
            tagEnd++;
        }
        boolean opens = tagEnd < sql.length() && sql.charAt(tagEnd) == '$'
                && (at == 0 || !isNamePart(sql.charAt(at - 1)));
        return opens ? after(sql, sql.substring(at, tagEnd + 1), tagEnd + 1) : at + 1;
    }

    private static int endOfLine(String sql, int at) {
        int end = sql.indexOf('\n', at);
        return end < 0 ? sql.length() : end;
    }

    private static int after(String sql, String closing, int from) {
        int end = sql.indexOf(closing, from);
        if (end < 0) {
            throw new IllegalArgumentException("a closing " + closing);
        }
        return end + closing.length();
    }
}
