package io.sluice.handlers.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An element of Accept (RFC 9110 section 12.5.1).
 *
 * @param type in lower case: {@code text/csv}, {@code text/*} or {@code *}{@code /*}
 * @param parameters in lower case, such as {@code charset=utf-8}; unknown ones are ignored
 * @param weight 0 to 1
 */
record MediaRange(String type, Set<String> parameters, double weight) {
    private static final Pattern WEIGHT = Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

    /** Parses the elements of Accept; malformed ones are left out. */
    static List<MediaRange> parse(String accept) {
        var ranges = new ArrayList<MediaRange>();
        for (String element : accept.toLowerCase(Locale.ROOT).split(",")) {
            List<String> parts = Arrays.stream(element.split(";", -1)).map(String::strip).toList();
            List<String> weights = parts.stream().skip(1).filter(part -> part.startsWith("q=")).toList();
            if (parts.getFirst().contains("/") && weights.stream().allMatch(MediaRange::isWeight)) {
                double weight = weights.isEmpty() ? 1 : Double.parseDouble(weights.getFirst().substring(2));
                ranges.add(new MediaRange(parts.getFirst(),
                        parts.stream().skip(1).collect(Collectors.toUnmodifiableSet()), weight));
            }
        }
        return ranges;
    }

    private static boolean isWeight(String parameter) {
        return WEIGHT.matcher(parameter).matches();
    }

    /** Returns whether a media type without parameters is in the range. */
    boolean matches(String mediaType) {
        return type.equals("*/*") || type.equals(mediaType)
                || type.endsWith("/*") && mediaType.startsWith(type.substring(0, type.length() - 1));
    }

    /** Returns how exactly the range names a type: the higher, the more. */
    int specificity() {
        return type.equals("*/*") ? 0 : type.endsWith("/*") ? 1 : parameters.isEmpty() ? 2 : 3;
    }

    /** Returns whether what it matches is to be preferred over what the other matches. */
    boolean isBetterThan(MediaRange other) {
        return weight > other.weight
                || weight == other.weight && Math.min(2, specificity()) > Math.min(2, other.specificity());
    }
}
