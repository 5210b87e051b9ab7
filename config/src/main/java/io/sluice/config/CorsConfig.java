package io.sluice.config;

import io.sluice.config.type.HeaderName;
import io.sluice.config.type.OriginPattern;
import java.time.Duration;
import java.util.Set;

/**
 * Which pages of other origins may use a route: {@code cors} (the Fetch standard, "CORS protocol").
 *
 * @param origins of those pages
 * @param headers that their requests may have; {@code *} for any
 * @param expose what they may read of an answer's headers, beside what all may; {@code *} for any
 * @param credentials whether browsers may send cookies and the like
 * @param maxAge for which browsers may remember what is allowed
 */
public record CorsConfig(
        Set<OriginPattern> origins,
        Set<HeaderName> headers,
        Set<HeaderName> expose,
        boolean credentials,
        @Range(max = Range.DAY) Duration maxAge) {
}
