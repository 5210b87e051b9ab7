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
import org.jspecify.annotations.Nullable;

/**
 * The content codings. Higher levels than these cost time and gain little. Windows are small because each
 * running response holds a compressor, which takes 0.3 to 0.5 MiB.
 */
enum ContentCoding {
    ZSTD, BR, GZIP;

    /**
     * The causes of codings being unavailable on this machine. Initialising this class loads the native
     * libraries.
     */
    private static final Map<ContentCoding, Throwable> MISSING = new EnumMap<>(ContentCoding.class);
    private static final int ZSTD_LEVEL = 3;
    private static final int BROTLI_QUALITY = 4;
    private static final int GZIP_LEVEL = 4;
    /** Binary logarithm of the window's size in bytes. */
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

    /** Returns why the coding is unavailable on this machine; null if it is available. */
    @Nullable Throwable missing() {
        return MISSING.get(this);
    }

    /**
     * Returns a compressing stream. It must be closed, as it holds native memory; its flush writes all
     * output.
     */
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
     * Compresses a whole body, which the caller continues to own.
     *
     * @return the compressed body, owned by the caller
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

    /** Returns the name of the coding in HTTP. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A class of its own, so that the outer one loads without the zstd library. */
    private static final class ZstdStream {
        static OutputStream into(OutputStream sink) throws IOException {
            return new ZstdOutputStreamNoFinalizer(sink, RecyclingBufferPool.INSTANCE, ZSTD_LEVEL)
                    .setWindowLog(WINDOW);
        }
    }

    /** A class of its own, so that the outer one loads without the Brotli library. */
    private static final class BrotliStream {
        static OutputStream into(OutputStream sink) throws IOException {
            return new BrotliOutputStream(sink,
                    new Encoder.Parameters().setQuality(BROTLI_QUALITY).setWindow(WINDOW), BUFFER);
        }
    }
}
