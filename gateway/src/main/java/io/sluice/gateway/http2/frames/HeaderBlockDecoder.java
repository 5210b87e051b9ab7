package io.sluice.gateway.http2.frames;

import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Netty's HPACK decoder without its checks. When they fail, there is no stream yet to reset or to respond on,
 * and the next frame on that stream would end the whole connection. {@link ReceivedHeaders} checks instead.
 */
final class HeaderBlockDecoder extends DefaultHttp2HeadersDecoder {
    private final long maxList;
    private final int maxFields;

    HeaderBlockDecoder(long maxList, int maxFields) {
        super(false, false, Http2CodecUtil.MAX_HEADER_LIST_SIZE);
        this.maxList = maxList;
        this.maxFields = maxFields;
    }

    @Override
    protected Http2Headers newHeaders() {
        return new ReceivedHeaders(maxList, maxFields);
    }

    /** Ignores the limit from SETTINGS, which {@link ReceivedHeaders} enforces. */
    @Override
    public void maxHeaderListSize(long max, long goAwayMax) {
    }

    /**
     * Returns the size in bytes of an encoded header block from which on it is not decoded and the connection
     * is ended.
     */
    @Override
    public long maxHeaderListSizeGoAway() {
        return 2 * maxList;
    }
}
