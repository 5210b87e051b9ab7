package io.sluice.config.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The topic of a row or a request: text with columns or parameters in braces, such as {@code orders.{id}}.
 *
 * @param parts texts and columns in turn, beginning with a text, which may be empty
 */
public record TopicTemplate(List<String> parts) {
    public static final String EXPECTED = "a topic, such as orders.{id}";

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static TopicTemplate parse(String text) {
        var parts = new ArrayList<String>();
        int from = 0;
        while (true) {
            int open = text.indexOf('{', from);
            parts.add(literal(text.substring(from, open < 0 ? text.length() : open)));
            if (open < 0) {
                break;
            }
            int close = text.indexOf('}', open);
            if (close <= open + 1) {
                throw new IllegalArgumentException("a name between { and }, such as orders.{id}");
            }
            parts.add(text.substring(open + 1, close));
            from = close + 1;
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new TopicTemplate(List.copyOf(parts));
    }

    private static String literal(String text) {
        if (text.indexOf('}') >= 0) {
            throw new IllegalArgumentException("a { before each }, such as orders.{id}");
        }
        return text;
    }

    /** Returns the columns. */
    public List<String> columns() {
        var columns = new ArrayList<String>();
        for (int i = 1; i < parts.size(); i += 2) {
            columns.add(parts.get(i));
        }
        return columns;
    }

    /**
     * Returns the topic of a row or a request. Values add no segments: a dot in them is {@code %2E}, and a
     * percent sign {@code %25}.
     *
     * @param values returns the value of a column or parameter
     */
    public String of(UnaryOperator<String> values) {
        return with(name -> values.apply(name).replace("%", "%25").replace(".", "%2E"));
    }

    private String with(UnaryOperator<String> values) {
        var topic = new StringBuilder(parts.getFirst());
        for (int i = 1; i < parts.size(); i += 2) {
            topic.append(values.apply(parts.get(i))).append(parts.get(i + 1));
        }
        return topic.toString();
    }

    @Override
    public String toString() {
        return with(name -> '{' + name + '}');
    }
}
