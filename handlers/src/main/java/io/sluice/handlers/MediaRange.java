package io.sluice.handlers;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An element of Accept (RFC 9110 section 12.5.1).
 *
 * @param type in lower case: {@code text/csv}, {@code text/*} or {@code *}{@code /*}
 * @param parameters in lower case, such as {@code charset=utf-8}; unknown ones are ignored, and the weight is
 *     none
 * @param weight 0 to 1
 */
public record MediaRange(String type, Set<String> parameters, double weight) {
    private static final Pattern WEIGHT = Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

    /** The most elements that are read, so that a field of 32 KiB does not keep the event loop busy. */
    private static final int MAX_ELEMENTS = 64;
    /** The most parameters of an element that is read: thousands could be chosen to collide in a set. */
    private static final int MAX_PARAMETERS = 16;

    /** Parses the first 64 elements of Accept; malformed ones are left out. */
    public static List<MediaRange> parse(String accept) {
        var ranges = new ArrayList<MediaRange>();
        String[] elements = accept.toLowerCase(Locale.ROOT).split(",", MAX_ELEMENTS + 1);
        for (String element : Arrays.asList(elements).subList(0, Math.min(MAX_ELEMENTS, elements.length))) {
            List<String> parts = Arrays.stream(element.split(";", MAX_PARAMETERS + 2))
                    .map(String::strip).toList();
            List<String> weights = parts.stream().skip(1).filter(part -> part.startsWith("q=")).toList();
            if (parts.size() <= MAX_PARAMETERS + 1 && parts.getFirst().contains("/")
                    && weights.stream().allMatch(MediaRange::isWeight)) {
                double weight = weights.isEmpty() ? 1 : Double.parseDouble(weights.getFirst().substring(2));
                ranges.add(new MediaRange(parts.getFirst(), parts.stream().skip(1)
                        .filter(part -> !part.startsWith("q=")).collect(Collectors.toUnmodifiableSet()),
                        weight));
            }
        }
        return ranges;
    }

    private static boolean isWeight(String parameter) {
        return WEIGHT.matcher(parameter).matches();
    }

    /**
     * Returns the range that decides about a media type, the most specific one.
     *
     * @param mediaType without parameters
     * @param parameters those of the type, in lower case
     * @return null if the type is in none
     */
    public static @Nullable MediaRange of(List<MediaRange> ranges, String mediaType,
                                          Set<String> parameters) {
        MediaRange best = null;
        int most = -1;
        for (MediaRange range : ranges) {
            int rank = range.matches(mediaType) ? range.rank(parameters) : -1;
            if (rank > most) {
                best = range;
                most = rank;
            }
        }
        return best;
    }

    /**
     * Returns how exactly the range names a type with these parameters: the higher, the more. One of other
     * parameters names another variant: it excludes none but that, and is worth less than the plain type.
     */
    private int rank(Set<String> ofType) {
        if (!parameters.isEmpty() && !ofType.containsAll(parameters)) {
            return weight == 0 ? -1 : specificity();
        }
        return specificity() == 2 ? parameters.isEmpty() ? 3 : 4 : specificity();
    }

    /**
     * Returns the range by which a client accepts a media type, if it prefers none of the others.
     *
     * @param mediaType without parameters, as the others
     * @return null if it does not accept the type, or prefers another one; also without Accept
     */
    public static @Nullable MediaRange preferring(String mediaType, HttpHeaders request, String... others) {
        List<MediaRange> ranges = parse(String.join(",", request.getAll(HttpHeaderNames.ACCEPT)));
        MediaRange range = of(ranges, mediaType, Set.of());
        if (range == null || range.weight == 0) {
            return null;
        }
        for (String name : others) {
            MediaRange other = of(ranges, name, Set.of());
            if (other != null && other.isBetterThan(range)) {
                return null;
            }
        }
        return range;
    }

    /** Returns whether a media type without parameters is in the range. */
    private boolean matches(String mediaType) {
        return type.equals("*/*") || type.equals(mediaType)
                || type.endsWith("/*") && mediaType.startsWith(type.substring(0, type.length() - 1));
    }

    /** Returns how exactly the range names a type without parameters: the higher, the more. */
    private int specificity() {
        return type.equals("*/*") ? 0 : type.endsWith("/*") ? 1 : 2;
    }

    /** Returns whether what it matches is to be preferred over what the other matches. */
    public boolean isBetterThan(MediaRange other) {
        return weight > other.weight
                || weight == other.weight && specificity() > other.specificity();
    }
}
