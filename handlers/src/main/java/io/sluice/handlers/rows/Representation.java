package io.sluice.handlers.rows;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MediaRange;
import java.util.List;
import java.util.Set;

/**
 * A representation of rows. In those of exact numbers, integers of 64 bits and decimals are strings, since
 * many clients read numbers as doubles; a client asks for them by OData's media type parameter.
 */
public enum Representation {
    /** JSON, with all numbers as numbers. */
    JSON("application/json", ""),
    /** JSON with exact numbers. */
    JSON_EXACT("application/json;IEEE754Compatible=true", ";exact"),
    /** CSV (RFC 4180). */
    CSV("text/csv; charset=utf-8", ";csv"),
    /** One JSON object a line, with all numbers as numbers. */
    NDJSON("application/x-ndjson", ";ndjson"),
    /** One JSON object a line, with exact numbers. */
    NDJSON_EXACT("application/x-ndjson;IEEE754Compatible=true", ";ndjson;exact");

    /** The exact ones, which a client has to name, precede the others. */
    private static final List<Representation> BY_PRECEDENCE =
            List.of(JSON_EXACT, JSON, CSV, NDJSON_EXACT, NDJSON);
    private static final Set<String> EXACT = Set.of("ieee754compatible=true");

    private final AsciiString mediaType;
    private final String suffix;

    Representation(String mediaType, String suffix) {
        this.mediaType = AsciiString.cached(mediaType);
        this.suffix = suffix;
    }

    /** Returns the media type, with its parameters. */
    public AsciiString mediaType() {
        return mediaType;
    }

    /** Returns what distinguishes its entity tags from those of the others, as strong tags need it. */
    public String suffix() {
        return suffix;
    }

    /** Returns whether each row is a JSON object. */
    boolean isJson() {
        return this != CSV;
    }

    boolean isLines() {
        return this == NDJSON || this == NDJSON_EXACT;
    }

    boolean isExact() {
        return this == JSON_EXACT || this == NDJSON_EXACT;
    }

    /**
     * Returns the representation that a client prefers: that of the highest weight, of these that which it
     * names more exactly, of these the first.
     *
     * @throws HttpException 406 if it accepts none
     */
    public static Representation preferred(HttpHeaders request) {
        List<String> fields = request.getAll(HttpHeaderNames.ACCEPT);
        if (fields.isEmpty()) {
            return JSON;
        }
        String accept = fields.size() == 1 ? fields.getFirst() : String.join(",", fields);
        if (accept.equals("*/*") || accept.equals("application/json") || accept.isBlank()) {
            return JSON;
        }
        List<MediaRange> ranges = MediaRange.parse(accept);
        Representation best = null;
        MediaRange bestRange = null;
        for (Representation candidate : BY_PRECEDENCE) {
            MediaRange range = MediaRange.of(ranges, candidate.type(),
                    candidate.isExact() ? EXACT : Set.of());
            if (range != null && range.weight() > 0 && (bestRange == null || range.isBetterThan(bestRange))
                    && (!candidate.isExact() || range.parameters().containsAll(EXACT))) {
                best = candidate;
                bestRange = range;
            }
        }
        if (best == null) {
            throw new HttpException(HttpResponseStatus.NOT_ACCEPTABLE,
                    "Accept (expected: application/json, text/csv or application/x-ndjson)")
                    .with(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT);
        }
        return best;
    }

    /** Returns the media type without parameters. */
    private String type() {
        String text = mediaType.toString();
        int parameters = text.indexOf(';');
        return parameters < 0 ? text : text.substring(0, parameters);
    }
}
