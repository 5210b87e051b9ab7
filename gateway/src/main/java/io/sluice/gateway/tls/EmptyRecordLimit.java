package io.sluice.gateway.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose peer sends many records in a row without data, such as KeyUpdate messages (RFC
 * 8446 section 4.6.3), which cost the gateway keys and responses. BoringSSL rejects that itself, the JDK does
 * not. It stands in front of the handler of the JDK's TLS and gives it one record at a time.
 */
final class EmptyRecordLimit extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(EmptyRecordLimit.class);
    /** The number that BoringSSL accepts. */
    private static final int MAX_IN_ROW = 32;
    private static final int HEADER = 5;
    private static final int LENGTH_HIGH = 3;

    /** The bytes of the current record's header that have arrived. */
    private int header;
    /** The bytes that the current record lacks after its header. */
    private int missing;
    private int inRow;
    private boolean established;

    /** Begins to count at the end of the handshake. Data pass what is added to the pipeline here. */
    void count(ChannelPipeline pipeline) {
        established = true;
        pipeline.addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                inRow = 0;
                ctx.fireChannelRead(message);
            }
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        var in = (ByteBuf) message;
        try {
            while (in.isReadable() && inRow <= MAX_IN_ROW) {
                ctx.fireChannelRead(in.readRetainedSlice(lengthOfPart(in)));
            }
        } finally {
            in.release();
        }
        if (inRow > MAX_IN_ROW) {
            log.debug("{} sends records without data", ctx.channel());
            ctx.close();
        }
    }

    /** Returns the length of the current record's part in a buffer, and counts the record at its end. */
    private int lengthOfPart(ByteBuf in) {
        int at = in.readerIndex();
        for (; header < HEADER && at < in.writerIndex(); at++, header++) {
            if (header >= LENGTH_HIGH) {
                missing = missing << Byte.SIZE | in.getUnsignedByte(at);
            }
        }
        if (header == HEADER) {
            int part = Math.min(missing, in.writerIndex() - at);
            missing -= part;
            at += part;
            if (missing == 0) {
                header = 0;
                inRow += established ? 1 : 0;
            }
        }
        return at - in.readerIndex();
    }
}
