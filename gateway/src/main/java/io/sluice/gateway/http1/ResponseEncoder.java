package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.AsciiString;
import io.sluice.gateway.exchange.HeadResponse;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.handlers.Relayed;
import io.sluice.handlers.message.FlatHeaders;

/**
 * Netty's encoder, which also sets Server and Date, and encodes a response to HEAD as the head that GET would
 * get, without a body. Small whole responses are encoded by {@link SmallResponse}.
 */
final class ResponseEncoder extends HttpResponseEncoder {
    private static final int COLON_AND_SPACE = ':' << 8 | ' ';
    private static final byte[] END_OF_HEAD = {'\r', '\n'};
    private static final int CRLF = '\r' << 8 | '\n';

    private final ResponseHeaders answerHeaders;

    /** Creates an encoder that sets these header fields. */
    ResponseEncoder(ResponseHeaders answerHeaders) {
        this.answerHeaders = answerHeaders;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof FullHttpResponse answer && SmallResponse.is(answer)
                && !isContentAlwaysEmpty(answer)) {
            ByteBuf encoded;
            try {
                encoded = SmallResponse.encode(answer, rest(answer), ctx.alloc());
            } finally {
                answer.release();
            }
            ctx.write(encoded, promise);
        } else {
            super.write(ctx, message, promise);
        }
    }

    private byte[] rest(HttpResponse answer) {
        if (answer instanceof Relayed) {
            answerHeaders.setCommonFields(answer);
            return END_OF_HEAD;
        }
        return answerHeaders.commonLines();
    }

    @Override
    protected void sanitizeHeadersBeforeEncode(HttpResponse answer, boolean isAlwaysEmpty) {
        super.sanitizeHeadersBeforeEncode(answer, isAlwaysEmpty);
        if (answer.status().codeClass() != HttpStatusClass.INFORMATIONAL
                || answer.status() == HttpResponseStatus.SWITCHING_PROTOCOLS) {
            answerHeaders.setCommonFields(answer);
        }
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpResponse response) {
        return response instanceof HeadResponse || super.isContentAlwaysEmpty(response);
    }

    @Override
    protected void encodeHeaders(HttpHeaders headers, ByteBuf out) {
        if (headers instanceof FlatHeaders flat) {
            for (int i = 0; i < flat.size(); i++) {
                write(flat.name(i), out);
                ByteBufUtil.writeShortBE(out, COLON_AND_SPACE);
                write(flat.value(i), out);
                ByteBufUtil.writeShortBE(out, CRLF);
            }
        } else {
            super.encodeHeaders(headers, out);
        }
    }

    private static void write(CharSequence text, ByteBuf out) {
        if (text instanceof AsciiString ascii) {
            out.writeBytes(ascii.array(), ascii.arrayOffset(), ascii.length());
        } else {
            ByteBufUtil.writeAscii(out, text);
        }
    }
}
