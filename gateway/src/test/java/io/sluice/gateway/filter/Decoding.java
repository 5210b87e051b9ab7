package io.sluice.gateway.filter;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Decompresses bodies, as a client does. */
final class Decoding {

    private Decoding() {
    }

    static byte[] decode(String coding, byte[] body) throws IOException {
        try (InputStream stream = stream(coding, body)) {
            return stream.readAllBytes();
        }
    }

    /** Decompresses the beginning of a body, as far as it has arrived. */
    static byte[] decode(String coding, byte[] begin, int length) throws IOException {
        byte[] decoded = new byte[length];
        InputStream stream = stream(coding, begin);
        for (int i = 0; i < length; i++) {
            decoded[i] = (byte) stream.read();
        }
        return decoded;
    }

    private static InputStream stream(String coding, byte[] body) throws IOException {
        var in = new ByteArrayInputStream(body);
        return switch (coding) {
            case "gzip" -> new GZIPInputStream(in);
            case "br" -> {
                var brotli = new BrotliInputStream(in);
                brotli.enableEagerOutput();
                yield brotli;
            }
            case "zstd" -> new ZstdInputStream(in);
            default -> throw new AssertionError(coding);
        };
    }
}
