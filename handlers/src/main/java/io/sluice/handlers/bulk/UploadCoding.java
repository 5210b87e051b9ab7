package io.sluice.handlers.bulk;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/** The content coding of an upload, which is decoded by the worker that reads it. */
enum UploadCoding {
    IDENTITY, GZIP, DEFLATE;

    /** Returns the coding of a body; 415 with Accept-Encoding for an unknown one, and for several. */
    static UploadCoding of(HttpHeaders headers) {
        String name = String.join(",", headers.getAll(HttpHeaderNames.CONTENT_ENCODING));
        return switch (name.strip().toLowerCase(Locale.ROOT)) {
            case "", "identity" -> IDENTITY;
            case "gzip", "x-gzip" -> GZIP;
            case "deflate" -> DEFLATE;
            default -> throw new HttpException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "content-encoding: " + name + " (expected: gzip or deflate)")
                    .with(HttpHeaderNames.ACCEPT_ENCODING, "gzip, deflate");
        };
    }

    /**
     * Returns the decoded stream; closing it closes the coded one.
     *
     * @param limit the most bytes; more are a 413
     */
    InputStream decoded(InputStream coded, long limit) throws IOException {
        return switch (this) {
            case IDENTITY -> coded;
            case GZIP -> new Bounded(new Gzip(coded), limit);
            case DEFLATE -> new Bounded(new Deflate(coded), limit);
        };
    }

    /** Returns the name of the coding in HTTP. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Throws if there is something after the end: bytes that are no further member would be ignored. */
    private static int atEnd(int some, int left, InputStream coded) throws IOException {
        if (some < 0 && (left > 0 || coded.available() > 0)) {
            throw new ZipException("bytes behind the end");
        }
        return some;
    }

    private static final class Gzip extends GZIPInputStream {
        /** The checksum and length at the end of a member, which the inflater does not take. */
        private static final int TRAILER = 8;
        /** The most empty members in a row. The superclass calls itself for the member after each end. */
        private static final int MAX_EMPTY = 64;

        private int nesting;

        Gzip(InputStream coded) throws IOException {
            super(coded, 16 * 1024);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (nesting > MAX_EMPTY) {
                throw new ZipException("too many empty members");
            }
            nesting++;
            try {
                return atEnd(super.read(bytes, offset, length), inf.getRemaining() - TRAILER, in);
            } finally {
                nesting--;
            }
        }
    }

    private static final class Deflate extends InflaterInputStream {
        Deflate(InputStream coded) {
            super(coded);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return atEnd(super.read(bytes, offset, length), inf.getRemaining(), in);
        }
    }

    private static final class Bounded extends FilterInputStream {
        private final long limit;
        private long count;

        Bounded(InputStream in, long limit) {
            super(in);
            this.limit = limit;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int some = in.read(bytes, offset, length);
            count += Math.max(0, some);
            if (count > limit) {
                throw new HttpException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                        "the decoded body is too large (expected: at most " + limit + " bytes)");
            }
            return some;
        }
    }
}
