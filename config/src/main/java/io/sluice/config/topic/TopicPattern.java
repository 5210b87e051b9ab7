package io.sluice.config.topic;

import java.util.Comparator;
import java.util.List;

/**
 * A pattern of topics, whose segments are separated by dots: {@code *} matches one segment that is not empty,
 * {@code **} at the end matches the rest, which may be empty. So {@code news.**} matches {@code news}, too.
 *
 * @param segments texts, {@code *}, and {@code **} as the last
 */
public record TopicPattern(List<String> segments) {
    /**
     * Orders patterns, the most specific first. Of two that match the same topic, that is the one which has a
     * text where the other one has a wildcard, or {@code *} in place of {@code **}.
     */
    public static final Comparator<TopicPattern> MOST_SPECIFIC_FIRST = TopicPattern::compare;

    private static final String ONE = "*";
    private static final String REST = "**";

    /**
     * Parses a pattern.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static TopicPattern parse(String text) {
        List<String> segments = List.of(text.split("\\.", -1));
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (segment.isEmpty() || segment.indexOf('*') >= 0 && !segment.equals(ONE)
                    && !(segment.equals(REST) && i == segments.size() - 1)) {
                throw new IllegalArgumentException(
                        "a topic, in which * stands for a segment and ** at the end for the rest, "
                        + "such as news.* or news.**");
            }
        }
        return new TopicPattern(segments);
    }

    /** Returns whether the pattern matches a topic. */
    public boolean matches(String topic) {
        int from = 0;
        for (String segment : segments) {
            if (segment.equals(REST)) {
                return true;
            }
            int dot = topic.indexOf('.', from);
            int end = dot < 0 ? topic.length() : dot;
            if (from > end || !matches(segment, topic, from, end)) {
                return false;
            }
            from = end + 1;
        }
        return from > topic.length();
    }

    private static boolean matches(String segment, String topic, int from, int end) {
        return segment.equals(ONE) ? end > from
                : segment.length() == end - from && topic.startsWith(segment, from);
    }

    private static int compare(TopicPattern a, TopicPattern b) {
        int common = Math.min(a.segments.size(), b.segments.size());
        for (int i = 0; i < common; i++) {
            String one = a.segments.get(i);
            String other = b.segments.get(i);
            int order = Integer.compare(wildcard(one), wildcard(other));
            if (order != 0 || !one.equals(other)) {
                return order != 0 ? order : one.compareTo(other);
            }
        }
        return Integer.compare(a.segments.size(), b.segments.size());
    }

    private static int wildcard(String segment) {
        return segment.equals(REST) ? 2 : segment.equals(ONE) ? 1 : 0;
    }

    @Override
    public String toString() {
        return String.join(".", segments);
    }
}
