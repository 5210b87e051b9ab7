package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.MediaTypePattern;
import java.util.Set;

/**
 * The compression of a route's responses: {@code compression}.
 *
 * @param encodings in descending order of preference
 * @param minSize shorter bodies are sent uncompressed
 * @param types the media types of responses that are compressed
 */
public record CompressionConfig(
        Set<Encoding> encodings,
        @Range(max = Range.GIB) ByteSize minSize,
        Set<MediaTypePattern> types) {

    /** A content coding (RFC 9110 section 8.4.1, RFC 7932, RFC 8878); its name in HTTP is in lower case. */
    public enum Encoding { ZSTD, BR, GZIP }
}
