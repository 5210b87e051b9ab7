package io.sluice.config.write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URI reference (RFC 3986) with {@code {columns}} of a row.
 *
 * @param texts the texts around the columns: one more than there are columns
 * @param columns the names of the columns, in order
 */
public record LocationTemplate(List<String> texts, List<String> columns) {
    public static final String EXPECTED = "a path or URL with columns of the row, such as \"/orders/{id}\"";

    private static final Pattern COLUMN = Pattern.compile("\\{([^{}]+)}");
    private static final Pattern BEGIN = Pattern.compile("(?:/|https?://).*");
    /** Characters of a URI (RFC 3986 section 2). */
    private static final Pattern TEXT =
            Pattern.compile("(?:[A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*");

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static LocationTemplate parse(String text) {
        var texts = new ArrayList<String>();
        var columns = new ArrayList<String>();
        Matcher column = COLUMN.matcher(text);
        int end = 0;
        while (column.find()) {
            texts.add(text.substring(end, column.start()));
            columns.add(column.group(1));
            end = column.end();
        }
        texts.add(text.substring(end));
        if (!BEGIN.matcher(text).matches()
                || !texts.stream().allMatch(part -> TEXT.matcher(part).matches())) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new LocationTemplate(List.copyOf(texts), List.copyOf(columns));
    }

    /** Returns the reference with a text for each column. */
    public String with(Function<String, String> column) {
        var with = new StringBuilder(texts.getFirst());
        for (int i = 0; i < columns.size(); i++) {
            with.append(column.apply(columns.get(i))).append(texts.get(i + 1));
        }
        return with.toString();
    }

    @Override
    public String toString() {
        return with(column -> '{' + column + '}');
    }
}
