package io.sluice.config.type;

import io.sluice.config.type.SqlLexer.Kind;
import io.sluice.config.type.SqlLexer.Lexeme;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An SQL statement whose {@code :name} parameters are replaced with JDBC's {@code ?}. Quoted text, comments,
 * PostgreSQL's {@code ::casts} and dollar quotes are unchanged.
 *
 * @param jdbc the SQL with {@code ?}
 * @param parameters the name of the parameter of each {@code ?}, in order; a name may occur several times
 */
public record NamedSql(String jdbc, List<String> parameters) {
    public static final String EXPECTED = "an SQL statement, or sql-file";
    private static final Set<String> READS = Set.of("SELECT", "VALUES", "TABLE", "SHOW", "WITH");
    private static final Set<String> CHANGES = Set.of("INSERT", "UPDATE", "DELETE", "MERGE");

    /**
     * Parses SQL with named parameters.
     *
     * @throws IllegalArgumentException if a quote or comment does not end, or there is a {@code ?} or a
     *     second statement; the message is what was expected
     */
    public static NamedSql parse(String sql) {
        var jdbc = new StringBuilder(sql.length());
        var names = new ArrayList<String>();
        boolean ended = false;
        boolean empty = true;
        boolean afterParameter = false;
        for (Lexeme lexeme : SqlLexer.split(sql)) {
            boolean ends = lexeme.is(";");
            if (lexeme.is("?")) {
                throw new IllegalArgumentException(
                        ":name for a parameter, or ?? for an operator, in place of ?");
            }
            if (ended && !ends && lexeme.kind() != Kind.SPACE) {
                throw new IllegalArgumentException("one statement, with no other behind its ;");
            }
            boolean isParameter = lexeme.kind() == Kind.PARAMETER;
            String text = isParameter ? "?" : lexeme.text();
            if ((isParameter || afterParameter) && text.startsWith("?") && jdbc.toString().endsWith("?")) {
                jdbc.append(' '); // ?? is an operator
            }
            if (isParameter) {
                names.add(lexeme.text().substring(1));
            }
            jdbc.append(text);
            afterParameter = isParameter;
            ended |= ends;
            empty &= ends || lexeme.kind() == Kind.SPACE;
        }
        if (empty) {
            throw new IllegalArgumentException("an SQL statement");
        }
        return new NamedSql(jdbc.toString(), List.copyOf(names));
    }

    /**
     * Returns the SQL with {@code ?}, in which an array stands for a list: {@code IN (:ids)} becomes {@code =
     * ANY (?)}, and {@code NOT IN (:ids)} becomes {@code <> ALL (?)}, which mean the same for any number of
     * elements.
     *
     * @param arrays the names of parameters that are arrays
     */
    public String jdbc(Set<String> arrays) {
        List<Lexeme> all = SqlLexer.split(jdbc);
        int[] code = IntStream.range(0, all.size())
                .filter(i -> all.get(i).kind() != Kind.SPACE).toArray();
        List<String> texts = all.stream().map(Lexeme::text).collect(Collectors.toCollection(ArrayList::new));
        int ordinal = 0;
        for (int i = 0; i < code.length; i++) {
            boolean isArray = all.get(code[i]).is("?") && arrays.contains(parameters.get(ordinal++));
            if (isArray && isAlone(all, code, i) && all.get(code[i - 2]).is("IN")) {
                boolean negated = i > 2 && all.get(code[i - 3]).is("NOT");
                texts.set(code[i - 2], negated ? "<> ALL" : "= ANY");
                if (negated) {
                    texts.set(code[i - 3], "");
                }
            }
        }
        return String.join("", texts);
    }

    /** Returns whether the lexeme has parentheses of its own, and something before them. */
    private static boolean isAlone(List<Lexeme> all, int[] code, int at) {
        return at > 1 && at + 1 < code.length
                && all.get(code[at - 1]).is("(") && all.get(code[at + 1]).is(")");
    }

    /** Returns whether the statement begins with SELECT. */
    public boolean isSelect() {
        return code().getFirst().is("SELECT");
    }

    /** Returns whether the statement is an INSERT, UPDATE, DELETE or MERGE, also after its WITH. */
    public boolean changesRows() {
        List<Lexeme> code = code();
        int depth = 0;
        for (int i = 0; i < code.size(); i++) {
            depth += code.get(i).is("(") ? 1 : code.get(i).is(")") ? -1 : 0;
            if (depth == 0 && (i == 0 ? CHANGES.contains(code.get(i).text().toUpperCase(Locale.ROOT))
                    : code.getFirst().is("WITH") && beginsChange(code, i))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the keyword by which the statement changes data, such as INSERT, CREATE or SELECT INTO, or may
     * do so; empty for a statement that only reads. Changes by functions that it calls are not detected.
     */
    public Optional<String> change() {
        List<Lexeme> code = code();
        int first = 0;
        while (first < code.size() - 1 && code.get(first).is("(")) {
            first++;
        }
        String verb = code.get(first).text().toUpperCase(Locale.ROOT);
        if (!READS.contains(verb)) {
            return Optional.of(verb);
        }
        for (int i = first + 1; i < code.size(); i++) {
            if (beginsChange(code, i)) {
                return Optional.of(code.get(i).text().toUpperCase(Locale.ROOT));
            }
            if (code.get(i).is("INTO")) {
                return Optional.of("SELECT INTO");
            }
        }
        return Optional.empty();
    }

    /**
     * Within {@code WITH x AS (DELETE FROM ...)} or after it, also with {@code SEARCH ... SET s} or
     * {@code CYCLE ... USING p} between; elsewhere such words are columns and functions.
     */
    private static boolean beginsChange(List<Lexeme> code, int at) {
        return CHANGES.contains(code.get(at).text().toUpperCase(Locale.ROOT))
                && (code.get(at - 1).is("(") || code.get(at - 1).is(")")
                || at > 1 && (code.get(at - 2).is("SET") || code.get(at - 2).is("USING")))
                && at + 1 < code.size() && code.get(at + 1).kind() != Kind.SYMBOL;
    }

    /** Returns whether the statement has the word RETURNING, or is a SELECT. */
    public boolean returnsRows() {
        return isSelect() || code().stream().anyMatch(lexeme -> lexeme.is("RETURNING"));
    }

    /** Returns whether the statement says {@code :name IS NULL}. */
    public boolean asksForNull(String name) {
        List<Lexeme> code = code();
        int ordinal = 0;
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i).is("?") && parameters.get(ordinal++).equals(name) && i + 2 < code.size()
                    && code.get(i + 1).is("IS") && code.get(i + 2).is("NULL")) {
                return true;
            }
        }
        return false;
    }

    /** Returns the JDBC text without the {@code ;} at its end, for use within another statement. */
    public String subquery() {
        return SqlLexer.split(jdbc).stream().filter(lexeme -> !lexeme.is(";")).map(Lexeme::text)
                .collect(Collectors.joining());
    }

    /** Returns the SQL with its {@code :name} parameters. */
    @Override
    public String toString() {
        var names = parameters.iterator();
        return SqlLexer.split(jdbc).stream()
                .map(lexeme -> lexeme.is("?") ? ':' + names.next() : lexeme.text())
                .collect(Collectors.joining());
    }

    private List<Lexeme> code() {
        return SqlLexer.split(jdbc).stream().filter(lexeme -> lexeme.kind() != Kind.SPACE).toList();
    }
}
