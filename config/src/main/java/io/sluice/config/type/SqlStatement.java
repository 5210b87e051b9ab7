package io.sluice.config.type;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the statements of an SQL file. A line {@code -- name: find-order} begins a statement, as in yesql
 * and aiosql.
 *
 * @param name the rest of that line; empty for the text before the first such line
 * @param line the line of the name, or of the first line of an unnamed statement; from 1
 * @param first the line of the first character of the text; from 1
 * @param text the SQL, without white space around it
 */
public record SqlStatement(String name, int line, int first, String text) {
    private static final Pattern NAME = Pattern.compile("\\s*--\\s*name\\s*:(.*)");
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_-]+");

    /**
     * Returns the statements of a file, in its order. White space and comments before the first name are no
     * statement.
     */
    public static List<SqlStatement> split(String file) {
        var statements = new ArrayList<SqlStatement>();
        List<String> lines = file.lines().toList();
        Matcher name = NAME.matcher("");
        int begin = 0;
        for (int at = 0; at <= lines.size(); at++) {
            boolean last = at == lines.size();
            if (last || at > 0 && name.reset(lines.get(at)).matches()) {
                statements.add(of(lines, begin, at));
                begin = at;
            }
        }
        if (statements.size() > 1 && statements.getFirst().name().isEmpty()
                && statements.getFirst().isBlank()) {
            statements.removeFirst();
        }
        return statements;
    }

    private static SqlStatement of(List<String> lines, int begin, int end) {
        Matcher name = NAME.matcher(begin < end ? lines.get(begin) : "");
        int first = name.matches() ? begin + 1 : begin;
        String named = name.matches() ? name.group(1).strip() : "";
        while (first < end && lines.get(first).isBlank()) {
            first++;
        }
        int line = named.isEmpty() ? first : begin;
        return new SqlStatement(named, line + 1, first + 1,
                String.join("\n", lines.subList(first, end)).strip());
    }

    /** Returns whether there is no SQL but comments. */
    private boolean isBlank() {
        try {
            return SqlLexer.split(text).stream().allMatch(lexeme -> lexeme.kind() == SqlLexer.Kind.SPACE);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns whether the name consists of letters, digits, - and _. */
    public boolean hasValidName() {
        return VALID.matcher(name).matches();
    }
}
