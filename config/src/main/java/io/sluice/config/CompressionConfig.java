package io.sluice.config;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.MediaTypePattern;
import java.util.Set;

/**
 * How the answers of a route are compressed: {@code compression}.
 *
 * @param encodings the one that is wanted most first
 * @param minSize of the bodies that are compressed
 * @param types of the answers that are compressed
 */
public record CompressionConfig(
        Set<Encoding> encodings,
        @Range(max = Range.GIB) ByteSize minSize,
        Set<MediaTypePattern> types) {

    /** A content coding (RFC 9110 section 8.4.1, RFC 7932, RFC 8878); its name is what HTTP calls it. */
    public enum Encoding { ZSTD, BR, GZIP }
}
