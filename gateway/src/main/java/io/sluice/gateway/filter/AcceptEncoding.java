package io.sluice.gateway.filter;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client's preferences for content codings (RFC 9110 section 12.5.3). */
final class AcceptEncoding {
    private static final Pattern ELEMENT = Pattern.compile(
            "(?<coding>[^\\s;]+)(\\s*;\\s*q=(?<quality>0(\\.[0-9]{0,3})?|1(\\.0{0,3})?))?");
    /** The most elements that are read, so that a field of 32 KiB does not keep the event loop busy. */
    private static final int MAX_ELEMENTS = 64;
    private static final String IDENTITY = "identity";
    private static final String ANY = "*";

    private final Map<String, Double> qualities = new HashMap<>();

    /** Parses the first 64 elements of Accept-Encoding; ignores malformed ones. */
    AcceptEncoding(List<String> fields) {
        String[] elements = String.join(",", fields).split(",", MAX_ELEMENTS + 1);
        for (String element : Arrays.asList(elements).subList(0, Math.min(MAX_ELEMENTS, elements.length))) {
            Matcher matcher = ELEMENT.matcher(element.strip().toLowerCase(Locale.ROOT));
            if (matcher.matches()) {
                String coding = matcher.group("coding");
                String quality = matcher.group("quality");
                qualities.put(coding.startsWith("x-") ? coding.substring(2) : coding,
                        quality == null ? 1 : Double.parseDouble(quality));
            }
        }
    }

    /**
     * Returns the coding that the client prefers; the first one among equals; null if it prefers no coding.
     *
     * @param codings the available codings
     */
    <T> @Nullable T best(List<T> codings) {
        T best = null;
        double most = qualities.getOrDefault(IDENTITY, 0.0);
        for (T coding : codings) {
            double quality = qualities.getOrDefault(coding.toString(), qualities.getOrDefault(ANY, 0.0));
            if (quality > most || best == null && quality == most && quality > 0) {
                best = coding;
                most = quality;
            }
        }
        return best;
    }
}
