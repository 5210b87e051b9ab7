package io.sluice.gateway.http2.frames;

import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Netty's HPACK decoder, without its checks: where it finds a field wrong or a list too large, there is no
 * stream yet that could be reset or answered, and what still comes on it ends the whole connection.
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

    /** What we have told the client is ours to count. */
    @Override
    public void maxHeaderListSize(long max, long goAwayMax) {
    }

    /** Of a block as it is sent, in bytes: from here on it is not even decoded, and the connection ended. */
    @Override
    public long maxHeaderListSizeGoAway() {
        return 2 * maxList;
    }
}
