package io.sluice.handlers.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a chunked body strictly (RFC 9112 section 7.1). The bytes that are not data have a limit, which
 * grows only with the data: a peer must not keep the gateway reading extensions for ever. Confined to the
 * event loop.
 */
public final class ChunkedBody {
    /** For Netty's decoder under this one: only chunked bodies have trailers. */
    public static final HttpHeadersFactory NO_TRAILERS = new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
            return EmptyHttpHeaders.INSTANCE;
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return EmptyHttpHeaders.INSTANCE;
        }
    };

    private static final int MAX_PIECE = 64 * 1024;
    private static final short LINE_END = '\r' << 8 | '\n';
    /** Allowed framing bytes for each byte of data; a chunk of one byte needs five. */
    private static final int PER_BYTE = 8;

    private enum State { SIZE, DATA, DATA_END, TRAILERS, BROKEN }

    private final int longestLine;
    private final Predicate<CharSequence> mayBeTrailer;
    private State state = State.SIZE;
    /** The number of bytes that may still be framing instead of data. */
    private long spare;
    private int trailersLeft;
    private int trailerBytes;
    /** Null until the first trailer. */
    private @Nullable FlatHeaders trailers;
    private int chunkLeft;

    /**
     * Creates a decoder of one body.
     *
     * @param longestLine the most bytes of a line, and of all trailers
     * @param maxTrailers the most trailer fields
     * @param mayBeTrailer accepts the names of trailer fields; another field makes the body malformed
     */
    public ChunkedBody(int longestLine, int maxTrailers, Predicate<CharSequence> mayBeTrailer) {
        this.longestLine = longestLine;
        this.mayBeTrailer = mayBeTrailer;
        spare = longestLine;
        trailersLeft = maxTrailers;
    }

    /**
     * Returns the next piece of the body, owned by the caller; null if more input is needed. A malformed body
     * ends with a last piece whose decoder result is a failure; further input is dropped.
     */
    public @Nullable HttpContent next(ByteBuf in) {
        try {
            return parse(in);
        } catch (IllegalArgumentException | TooLongHttpHeaderException e) {
            state = State.BROKEN;
            in.skipBytes(in.readableBytes());
            var broken = new DefaultLastHttpContent();
            broken.setDecoderResult(DecoderResult.failure(e));
            return broken;
        }
    }

    /** Returns the bytes of the trailer fields that have arrived. */
    public int trailerBytes() {
        return trailerBytes;
    }

    /** Returns the number of trailer fields that have arrived. */
    public int trailers() {
        return trailers == null ? 0 : trailers.size();
    }

    private @Nullable HttpContent parse(ByteBuf in) {
        while (in.isReadable()) {
            switch (state) {
                case DATA -> {
                    return data(in);
                }
                case DATA_END -> {
                    if (in.readableBytes() < 2) {
                        return null;
                    }
                    requireLineEnd(in.readShort());
                    spare -= 2;
                    state = State.SIZE;
                }
                case BROKEN -> in.skipBytes(in.readableBytes());
                default -> {
                    String line = line(in);
                    if (line == null) {
                        return null;
                    }
                    if (state == State.SIZE) {
                        size(ChunkLine.size(line));
                    } else if (line.isEmpty()) {
                        return trailers == null ? LastHttpContent.EMPTY_LAST_CONTENT
                                : new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER, trailers);
                    } else {
                        trailer(line);
                    }
                }
            }
        }
        return null;
    }

    private void size(int size) {
        chunkLeft = size;
        state = State.DATA;
        if (size == 0) {
            state = State.TRAILERS;
            spare = Math.min(spare, longestLine); // trailers are held until their end
        }
    }

    private HttpContent data(ByteBuf in) {
        int length = Math.min(Math.min(chunkLeft, in.readableBytes()), MAX_PIECE);
        chunkLeft -= length;
        spare += (long) PER_BYTE * length;
        if (chunkLeft == 0) {
            state = State.DATA_END;
        }
        return new DefaultHttpContent(in.readRetainedSlice(length));
    }

    /** Returns the next line without its end; null if it has not arrived completely. */
    private @Nullable String line(ByteBuf in) {
        int most = (int) Math.min(spare, longestLine);
        int length = in.bytesBefore(Math.min(in.readableBytes(), most), (byte) '\n');
        if (length < 0) {
            if (in.readableBytes() >= most) {
                throw new TooLongHttpHeaderException("too much around the chunks of a body");
            }
            return null;
        }
        requireLineEnd(length == 0 ? 0 : in.getShort(in.readerIndex() + length - 1));
        String line = in.toString(in.readerIndex(), length - 1, StandardCharsets.ISO_8859_1);
        in.skipBytes(length + 1);
        spare -= length + 1;
        return line;
    }

    private static void requireLineEnd(int bytes) {
        if (bytes != LINE_END) {
            throw new IllegalArgumentException("CR and LF behind a chunk and at the end of a line");
        }
    }

    private void trailer(String line) {
        if (--trailersLeft < 0) {
            throw new TooLongHttpHeaderException("too many trailer fields");
        }
        int colon = line.indexOf(':');
        String name = line.substring(0, Math.max(0, colon));
        if (!mayBeTrailer.test(name)) {
            throw new IllegalArgumentException("a trailer field that may be one");
        }
        trailerBytes += line.length();
        if (trailers == null) {
            trailers = new FlatHeaders(1);
        }
        trailers.add(name, value(line, colon + 1));
    }

    /** Returns the value without surrounding blanks, which are SP and HTAB only (RFC 9110 section 5.5). */
    private static String value(String line, int from) {
        int start = from;
        int end = line.length();
        while (start < end && isBlank(line.charAt(start))) {
            start++;
        }
        while (start < end && isBlank(line.charAt(end - 1))) {
            end--;
        }
        return line.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
