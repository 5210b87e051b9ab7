package io.sluice.gateway.pipeline;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.sluice.config.ServerConfig;

/**
 * Netty's decoder, which refuses what RFC 9112 wants refused in headers and chunks, and with exactly
 * one space between the parts of a request line: Netty takes tabs, form feeds and bare CRs there too,
 * which others on the way may read differently (RFC 9112 section 3).
 */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int MAX_CHUNK = 64 * 1024;

    RequestDecoder(ServerConfig config) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(config.maxRequestLine().intBytes())
                .setMaxHeaderSize(config.maxHeaderBlock().intBytes())
                .setMaxChunkSize(MAX_CHUNK));
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        requireSingleSpace(line, start);
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        requireSingleSpace(line, start);
        return super.splitThirdWordInitialLine(line, start, length);
    }

    private static void requireSingleSpace(byte[] line, int wordStart) {
        if (wordStart < 2 || line[wordStart - 1] != ' ' || line[wordStart - 2] <= ' ') {
            throw new IllegalArgumentException("one space between the parts of the request line");
        }
    }
}
