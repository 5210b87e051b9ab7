package io.sluice.config.type;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits SQL into lexemes by PostgreSQL's rules: {@code E'\''}, nested comments, dollar quotes, {@code ::}.
 * H2's rules are a subset of them.
 */
final class SqlLexer {
    private final String sql;
    private int at;

    /** The kinds of lexemes; {@code SPACE} is white space or a comment. */
    enum Kind { SPACE, WORD, QUOTED, PARAMETER, SYMBOL }

    /** A part of the SQL. */
    record Lexeme(Kind kind, String text) {

        boolean is(String symbolOrWord) {
            return kind != Kind.QUOTED && text.equalsIgnoreCase(symbolOrWord);
        }
    }

    private SqlLexer(String sql) {
        this.sql = sql;
    }

    /**
     * Returns the lexemes; joined, they are the SQL again.
     *
     * @throws IllegalArgumentException if a quote or comment does not end, or a comment is one that MariaDB
     *     executes
     */
    static List<Lexeme> split(String sql) {
        var lexer = new SqlLexer(sql);
        var lexemes = new ArrayList<Lexeme>();
        while (lexer.at < sql.length()) {
            int start = lexer.at;
            Kind kind = lexer.next();
            lexemes.add(new Lexeme(kind, sql.substring(start, lexer.at)));
        }
        return lexemes;
    }

    private Kind next() {
        char c = sql.charAt(at);
        if (Character.isWhitespace(c)) {
            at++;
            return Kind.SPACE;
        }
        if (sql.startsWith("--", at)) {
            int end = sql.indexOf('\n', at);
            at = end < 0 ? sql.length() : end;
            return Kind.SPACE;
        }
        if (sql.startsWith("/*", at)) {
            if (sql.startsWith("!", at + 2) || sql.startsWith("M!", at + 2)) {
                throw new IllegalArgumentException("no /*!, whose text MariaDB executes");
            }
            skipComment();
            return Kind.SPACE;
        }
        if (isNamePart(c)) {
            return word();
        }
        return switch (c) {
            case '\'', '"' -> quoted(String.valueOf(c));
            case '$' -> dollar();
            case ':' -> colon();
            case '?' -> symbol(sql.startsWith("??", at) ? 2 : 1);
            default -> symbol(1);
        };
    }

    /** Names may contain a $, but not begin with one; of strings, only E'' has backslash escapes. */
    private Kind word() {
        int start = at;
        while (at < sql.length() && (isNamePart(sql.charAt(at)) || sql.charAt(at) == '$')) {
            at++;
        }
        boolean escapes = at == start + 1 && "eE".indexOf(sql.charAt(start)) >= 0 && sql.startsWith("'", at);
        return escapes ? escapedText() : Kind.WORD;
    }

    private Kind escapedText() {
        for (at++; at < sql.length(); at++) {
            if (sql.charAt(at) == '\\' || sql.startsWith("''", at)) {
                at++;
            } else if (sql.charAt(at) == '\'') {
                at++;
                return Kind.QUOTED;
            }
        }
        throw unclosed("'");
    }

    private Kind quoted(String quote) {
        int end = sql.indexOf(quote, at + quote.length());
        if (end < 0) {
            throw unclosed(quote);
        }
        at = end + quote.length();
        return Kind.QUOTED;
    }

    private Kind dollar() {
        int end = at + 1;
        while (end < sql.length() && isNamePart(sql.charAt(end))) {
            end++;
        }
        boolean opens = end < sql.length() && sql.charAt(end) == '$'
                && !Character.isDigit(sql.charAt(at + 1));
        return opens ? quoted(sql.substring(at, end + 1)) : symbol(1);
    }

    private Kind colon() {
        if (sql.startsWith("::", at)) {
            return symbol(2);
        }
        if (!beginsName(at + 1)) {
            return symbol(1);
        }
        at = endOfName(at + 1);
        if (sql.startsWith(".", at) && beginsName(at + 1)) { // :order.id
            at = endOfName(at + 1);
        }
        return Kind.PARAMETER;
    }

    private boolean beginsName(int place) {
        return place < sql.length() && isNamePart(sql.charAt(place))
                && !Character.isDigit(sql.charAt(place));
    }

    private int endOfName(int place) {
        int end = place;
        while (end < sql.length() && isNamePart(sql.charAt(end))) {
            end++;
        }
        return end;
    }

    private Kind symbol(int length) {
        at += length;
        return Kind.SYMBOL;
    }

    private void skipComment() {
        int depth = 0;
        do {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < sql.length());
        if (depth > 0) {
            throw unclosed("*/");
        }
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || Character.isSurrogate(c);
    }

    private static IllegalArgumentException unclosed(String closing) {
        return new IllegalArgumentException("a closing " + closing);
    }
}
