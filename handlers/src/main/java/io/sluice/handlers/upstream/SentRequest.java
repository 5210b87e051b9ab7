package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.websocket.HandshakeKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request that a connection of HTTP/1.1 carries: its framing, and how much of it is written. */
final class SentRequest {
    /** The beginnings of schemes whose logins servers take for those of the connection (RFC 4559). */
    private static final List<String> OF_CONNECTION = List.of("NTLM", "Nego", "Kerberos", "CredSSP");

    private boolean chunked;
    /** The unwritten bytes of the announced body; 0 if it is chunked. */
    private long owed;
    /** The protocol of the field Upgrade; null for none. */
    private @Nullable String upgrade;
    /** The key of a handshake for a WebSocket; null for none. */
    private @Nullable String key;
    private boolean ended;
    private boolean unwritten;

    /**
     * Writes the head.
     *
     * @param mayBeLost whether the endpoint may be closing the connection
     */
    void begin(UpstreamRequest request, boolean mayBeLost, ChannelHandlerContext ctx) {
        chunked = request.length() == UpstreamRequest.UNKNOWN;
        owed = chunked ? 0 : request.length();
        upgrade = request.upgrade();
        key = upgrade == null ? null : request.headers().get(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        ended = !request.hasBody();
        unwritten = mayBeLost && !request.isIdempotent();
        ByteBuf head = Http1RequestWriter.head(request, ctx.alloc());
        if (unwritten) {
            ctx.write(head).addListener(written -> unwritten = !written.isSuccess());
        } else {
            ctx.write(head, ctx.voidPromise());
        }
    }

    /** Returns whether servers take a login of a request for that of the connection. */
    static boolean isLogin(UpstreamRequest request) {
        for (String credentials : request.headers().getAll(HttpHeaderNames.AUTHORIZATION)) {
            for (String scheme : OF_CONNECTION) {
                if (credentials.regionMatches(true, 0, scheme, 0, scheme.length())) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Writes a piece of the body, and takes its ownership. Closes the connection if the body is longer than
     * announced: the endpoint would take the rest for another request.
     */
    void write(ByteBuf piece, ChannelHandlerContext ctx) {
        if (!chunked && piece.readableBytes() > owed) {
            piece.release();
            ctx.close();
            return;
        }
        owed -= chunked ? 0 : piece.readableBytes();
        if (chunked) {
            ctx.write(Http1RequestWriter.chunkLine(piece.readableBytes(), ctx.alloc()), ctx.voidPromise());
        }
        ctx.write(piece, ctx.voidPromise());
        if (chunked) {
            ctx.write(Http1RequestWriter.chunkEnd(), ctx.voidPromise());
        }
    }

    /** Ends the body. */
    void end(HttpHeaders trailers, ChannelHandlerContext ctx) {
        ended = true;
        if (chunked) {
            ctx.write(Http1RequestWriter.lastChunk(trailers, ctx.alloc()), ctx.voidPromise());
        }
    }

    /**
     * Returns whether the kernel has the whole request, of which an endpoint may read no more. A body that
     * ended before its announced length is not whole: an endpoint would take the next request for the rest.
     */
    boolean isSent(ChannelHandlerContext ctx) {
        // The buffer counts what is not flushed, in the handler of TLS as well; its isEmpty() does not.
        ChannelOutboundBuffer rest = ctx.channel().unsafe().outboundBuffer();
        if (rest != null && rest.totalPendingWriteBytes() > 0) {
            ctx.flush();
        }
        return ended && owed == 0 && rest != null && rest.totalPendingWriteBytes() == 0;
    }

    /**
     * Returns whether a 101 with this head may switch the protocol (RFC 9110 sections 7.8 and 15.2.2), and
     * accepts the key if there is one (RFC 6455 section 4.1).
     */
    boolean maySwitch(HttpHeaders head) {
        List<String> protocols = head.getAll(HttpHeaderNames.UPGRADE);
        return ended && upgrade != null && protocols.size() == 1
                && upgrade.equalsIgnoreCase(protocols.getFirst())
                && head.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && (key == null
                || HandshakeKey.accept(key).equals(head.get(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT)));
    }

    /** Returns whether not even the head of a request that must not be repeated has been written. */
    boolean isUnwritten() {
        return unwritten;
    }
}
