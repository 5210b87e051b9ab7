package io.sluice.config.type;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The path of a route: literal segments, {@code {captures}} and, at its end, {@code **}.
 *
 * @param segments empty for {@code /}
 */
public record PathTemplate(List<Segment> segments) {
    public static final String EXPECTED = "a path, such as /orders/{id}";

    /** A part of the path between two slashes. */
    public sealed interface Segment {
    }

    /** Matches a segment with this text. */
    public record Literal(String text) implements Segment {
        @Override
        public String toString() {
            return text;
        }
    }

    /** Matches any one non-empty segment. */
    public record Capture(String name) implements Segment {
        @Override
        public String toString() {
            return '{' + name + '}';
        }
    }

    /** Matches the rest of a path, which may be empty. */
    public record Rest() implements Segment {
        /** The name under which the rest is captured. */
        public static final String NAME = "**";

        @Override
        public String toString() {
            return NAME;
        }
    }

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static PathTemplate parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("a path that begins with /, such as /orders/{id}");
        }
        var segments = new ArrayList<Segment>();
        var names = new HashSet<String>();
        String[] parts = text.length() == 1 ? new String[0] : text.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            Segment segment = segment(parts[i], i == parts.length - 1);
            if (segment instanceof Capture(String name) && !names.add(name)) {
                throw new IllegalArgumentException("each {name} once");
            }
            segments.add(segment);
        }
        return new PathTemplate(List.copyOf(segments));
    }

    private static Segment segment(String part, boolean last) {
        if (part.equals(Rest.NAME)) {
            if (!last) {
                throw new IllegalArgumentException("** only as the last segment");
            }
            return new Rest();
        }
        if (part.startsWith("{") && part.endsWith("}")) {
            String name = part.substring(1, part.length() - 1);
            if (name.isEmpty() || !name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_')) {
                throw new IllegalArgumentException("letters, digits and _ between { and }");
            }
            return new Capture(name);
        }
        if (part.isEmpty() || part.equals(".") || part.equals("..")) {
            throw new IllegalArgumentException("no empty, . or .. segment and no / at the end");
        }
        if (part.chars().anyMatch(c -> c <= ' ' || c == 0x7F || "{}*?#%\\".indexOf(c) >= 0)) {
            throw new IllegalArgumentException(
                    "segments that are literal text, a whole {name}, or ** at the end");
        }
        return new Literal(part);
    }

    /** Returns whether the template has a capture of that name. */
    public boolean captures(String name) {
        // Does not use the record's equals, whose linkage at run time would delay the start.
        return segments.stream()
                .anyMatch(segment -> segment instanceof Capture(String own) && own.equals(name));
    }

    /**
     * Returns the template without the names of its captures: templates of one shape match the same paths.
     */
    public String shape() {
        return segments.stream().map(segment -> segment instanceof Capture ? "{}" : segment.toString())
                .collect(Collectors.joining("/", "/", ""));
    }

    @Override
    public String toString() {
        return segments.stream().map(Segment::toString).collect(Collectors.joining("/", "/", ""));
    }
}
