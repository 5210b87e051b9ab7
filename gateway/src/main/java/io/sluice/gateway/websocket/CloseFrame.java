package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.handlers.json.Utf8Validator;
import java.nio.charset.StandardCharsets;

/**
 * Encodes the close frames that are sent, and validates those that are received (RFC 6455 sections 5.5.1 and
 * 7.4).
 */
final class CloseFrame {
    /** In bytes: 125, the most that a control frame may carry, less 2 for the status code. */
    private static final int MAX_REASON = 123;
    /** The highest status code that is defined (RFC 6455 section 7.4.2). */
    private static final int MAX_CODE = 4999;

    private CloseFrame() {
    }

    /**
     * A close frame, owned by the caller; without a body for {@link WebSocketCloseStatus#EMPTY}. A reason
     * that is too long is cut between two characters.
     */
    static ByteBuf of(ByteBufAllocator alloc, WebSocketCloseStatus status) {
        if (status.code() == WebSocketCloseStatus.EMPTY.code()) {
            return FrameEncoder.frame(alloc, Opcode.CLOSE, false, Unpooled.EMPTY_BUFFER);
        }
        byte[] reason = status.reasonText().getBytes(StandardCharsets.UTF_8);
        int length = reason.length;
        while (length > MAX_REASON || length < reason.length && (reason[length] & 0xC0) == 0x80) {
            length--;
        }
        ByteBuf frame = alloc.buffer(2 + 2 + length);
        FrameEncoder.writeHeader(frame, Opcode.CLOSE, false, 2 + length);
        return frame.writeShort(status.code()).writeBytes(reason, 0, length);
    }

    /**
     * Returns whether a close frame may carry a status code; 1005 and 1006, which only report, may not be
     * sent.
     */
    static boolean isSendable(int code) {
        return code >= 0 && WebSocketCloseStatus.isValidStatusCode(code) && code <= MAX_CODE;
    }

    /**
     * Validates the payload of a received close frame and returns the status to reply with: the same code,
     * without a reason.
     *
     * @throws ProtocolException 1002 if the code must not be sent, 1007 if the reason is not UTF-8
     */
    static WebSocketCloseStatus answerTo(ByteBuf payload) {
        int length = payload.readableBytes();
        if (length == 0) {
            return WebSocketCloseStatus.EMPTY;
        }
        int code = length == 1 ? 0 : payload.getUnsignedShort(payload.readerIndex());
        if (!isSendable(code)) {
            throw ProtocolException.violation("an invalid close code");
        }
        var utf8 = new Utf8Validator();
        if (!utf8.accepts(payload, payload.readerIndex() + 2, length - 2) || !utf8.complete()) {
            throw ProtocolException.invalidPayload("the reason of a close is not UTF-8");
        }
        return new WebSocketCloseStatus(code, "");
    }
}
