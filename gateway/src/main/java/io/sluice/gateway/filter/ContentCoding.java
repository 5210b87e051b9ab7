package io.sluice.gateway.filter;

import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.handler.codec.compression.Brotli;
import io.netty.handler.codec.compression.Zstd;
import io.sluice.config.CompressionConfig.Encoding;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * The ways to compress. Levels are those from which on more time gains little. Windows are small, since a
 * compressor lives as long as its answer: it takes some 0.3 MiB, at most 0.5.
 */
enum ContentCoding {
    ZSTD, BR, GZIP;

    /** Why some are not to be had on this machine. Finding out loads them: before any is used, but once. */
    private static final Map<ContentCoding, Throwable> MISSING = new EnumMap<>(ContentCoding.class);
    private static final int ZSTD_LEVEL = 3;
    private static final int BROTLI_QUALITY = 4;
    private static final int GZIP_LEVEL = 4;
    /** The logarithm of the window's size, in bytes. */
    private static final int WINDOW = 17;
    private static final int BUFFER = 8 * 1024;

    static {
        try {
            Zstd.ensureAvailability();
        } catch (Throwable cause) {
            MISSING.put(ZSTD, cause);
        }
        try {
            Brotli.ensureAvailability();
        } catch (Throwable cause) {
            MISSING.put(BR, cause);
        }
    }

    static ContentCoding of(Encoding encoding) {
        return switch (encoding) {
            case ZSTD -> ZSTD;
            case BR -> BR;
            case GZIP -> GZIP;
        };
    }

    /** Why it is not to be had on this machine; null where it is. */
    Throwable missing() {
        return MISSING.get(this);
    }

    /** Compresses what is written; to be closed, as it holds memory of its own. A flush hands all on. */
    OutputStream into(OutputStream sink) throws IOException {
        return switch (this) {
            case ZSTD -> ZstdStream.into(sink);
            case BR -> BrotliStream.into(sink);
            case GZIP -> new GZIPOutputStream(sink, BUFFER, true) {
                {
                    def.setLevel(GZIP_LEVEL);
                }
            };
        };
    }

    /**
     * Compresses a whole body, which stays the caller's.
     *
     * @return owned by the caller
     */
    ByteBuf compress(ByteBuf body, ByteBufAllocator alloc) throws IOException {
        ByteBuf output = alloc.buffer(body.readableBytes() / 2 + 64);
        try (OutputStream coder = into(new ByteBufOutputStream(output))) {
            body.getBytes(body.readerIndex(), coder, body.readableBytes());
        } catch (Throwable e) {
            output.release();
            throw e;
        }
        return output;
    }

    /** As HTTP calls it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Apart: this class is there where the library is not. */
    private static final class ZstdStream {
        static OutputStream into(OutputStream sink) throws IOException {
            return new ZstdOutputStreamNoFinalizer(sink, RecyclingBufferPool.INSTANCE, ZSTD_LEVEL)
                    .setWindowLog(WINDOW);
        }
    }

    /** Apart, too. */
    private static final class BrotliStream {
        static OutputStream into(OutputStream sink) throws IOException {
            return new BrotliOutputStream(sink,
                    new Encoder.Parameters().setQuality(BROTLI_QUALITY).setWindow(WINDOW), BUFFER);
        }
    }
}
