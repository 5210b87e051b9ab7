package io.sluice.config.type;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An endpoint of an upstream and its share of the requests, written {@code http://10.0.0.7:8080} or
 * {@code http://10.0.0.7:8080 weight=3}.
 *
 * @param weight 1..100, relative to the other endpoints
 */
public record WeightedEndpoint(EndpointUrl url, int weight) {
    public static final String EXPECTED =
            EndpointUrl.EXPECTED + "; behind it, if needed, weight=1 to weight=100";

    private static final Pattern WEIGHTED = Pattern.compile("(\\S+)(?:\\s+weight=([1-9][0-9]?|100))?");

    /**
     * Reads a URL and a weight, which is 1 if there is none.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static WeightedEndpoint parse(String text) {
        Matcher parts = WEIGHTED.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new WeightedEndpoint(EndpointUrl.parse(parts.group(1)),
                parts.group(2) == null ? 1 : Integer.parseInt(parts.group(2)));
    }

    @Override
    public String toString() {
        return weight == 1 ? url.toString() : url + " weight=" + weight;
    }
}
