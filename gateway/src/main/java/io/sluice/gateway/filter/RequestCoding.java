package io.sluice.gateway.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.compression.Decompressor;
import io.netty.handler.codec.compression.JdkZlibDecompressor;
import io.netty.handler.codec.compression.ZlibWrapper;
import io.netty.handler.codec.compression.ZstdDecompressor;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content codings of requests (RFC 9110 section 8.4.1, RFC 8878). Brotli is none of them: its decoder
 * fills its whole window, up to 16 MiB, before it returns, which is too much for an event loop.
 */
enum RequestCoding {
    GZIP, DEFLATE, ZSTD;

    private static final int MAX_CODINGS = 2;
    /** Binary logarithm of the largest window of zstd: 8 MiB, RFC 9659 section 3. */
    private static final int ZSTD_WINDOW = 23;
    /** The largest piece of output in bytes; zstd's is as large. */
    private static final int PIECE = 64 * 1024;
    /** The length of a gzip member without data, in bytes. */
    private static final int MIN_GZIP = 18;
    private static final int GZIP_MAGIC = 0x1F8B;

    /**
     * Returns the codings of a request's body in the order in which they were applied.
     *
     * @throws HttpException 415 with Accept-Encoding for an unknown coding, and for more than two
     */
    static List<RequestCoding> of(HttpHeaders headers) {
        String names = String.join(",", headers.getAll(HttpHeaderNames.CONTENT_ENCODING));
        var codings = new ArrayList<RequestCoding>(1);
        for (String name : names.split(",", -1)) {
            String coding = name.strip().toLowerCase(Locale.ROOT);
            if (!coding.isEmpty() && !HttpHeaderValues.IDENTITY.contentEquals(coding)) {
                codings.add(available().filter(known -> known.isNamed(coding)).findFirst()
                        .orElseThrow(() -> refusal(names)));
                if (codings.size() > MAX_CODINGS) {
                    throw refusal(names);
                }
            }
        }
        return codings;
    }

    private static HttpException refusal(String names) {
        String known = available().map(Object::toString).collect(Collectors.joining(", "));
        return new HttpException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                "content-encoding: %s (expected: at most %d of %s)".formatted(names, MAX_CODINGS, known))
                .with(HttpHeaderNames.ACCEPT_ENCODING, known);
    }

    private static Stream<RequestCoding> available() {
        return Stream.of(values())
                .filter(coding -> coding != ZSTD || ContentCoding.ZSTD.missing() == null);
    }

    private boolean isNamed(String coding) {
        return coding.equals(toString()) || this == GZIP && coding.equals("x-gzip");
    }

    /** Returns whether a body can be of this coding, by its length and its first bytes. */
    boolean canBe(ByteBuf body) {
        return this != GZIP || body.readableBytes() >= MIN_GZIP
                && body.getUnsignedShort(body.readerIndex()) == GZIP_MAGIC;
    }

    /** Returns whether a body of this coding has its end in itself, and is cut off without that. */
    boolean hasEnd() {
        return this == DEFLATE;
    }

    /** Returns a decoder, to be closed, as it holds native memory. */
    Decompressor decoder(ByteBufAllocator alloc) {
        return switch (this) {
            case GZIP -> JdkZlibDecompressor.builder().wrapper(ZlibWrapper.GZIP)
                    .decompressConcatenated(true).maxAllocation(PIECE).build(alloc);
            case DEFLATE -> JdkZlibDecompressor.builder().wrapper(ZlibWrapper.ZLIB)
                    .maxAllocation(PIECE).build(alloc);
            case ZSTD -> ZstdStream.decoder(alloc);
        };
    }

    /** Returns the name of the coding in HTTP. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A class of its own, so that the outer one loads without the zstd library. */
    private static final class ZstdStream {
        static Decompressor decoder(ByteBufAllocator alloc) {
            return ZstdDecompressor.builder().maxWindowLog(ZSTD_WINDOW).build(alloc);
        }
    }
}
