package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.OriginPattern;
import java.time.Duration;
import java.util.Set;

/**
 * The CORS policy of a route: {@code cors} (the Fetch standard, "CORS protocol").
 *
 * @param origins the origins whose pages may read responses
 * @param headers the allowed request headers; {@code *} for any
 * @param expose the response headers that pages may read, besides the CORS-safelisted ones; {@code *} for any
 * @param credentials whether browsers may send cookies and other credentials
 * @param maxAge how long browsers may cache a preflight
 */
public record CorsConfig(
        Set<OriginPattern> origins,
        Set<HeaderName> headers,
        Set<HeaderName> expose,
        boolean credentials,
        @Range(max = Range.DAY) Duration maxAge) {
}
