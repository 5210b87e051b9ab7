package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/** Signals that a client violated the protocol or a limit; its WebSocket is closed with this status. */
final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient WebSocketCloseStatus status;

    private ProtocolException(WebSocketCloseStatus kind, String reason) {
        super(reason, null, false, false);
        status = new WebSocketCloseStatus(kind.code(), reason);
    }

    static ProtocolException violation(String reason) {
        return new ProtocolException(WebSocketCloseStatus.PROTOCOL_ERROR, reason);
    }

    static ProtocolException invalidPayload(String reason) {
        return new ProtocolException(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, reason);
    }

    static ProtocolException tooBig(String what, long bound) {
        return new ProtocolException(WebSocketCloseStatus.MESSAGE_TOO_BIG,
                what + " is too long (expected: at most " + bound + " bytes)");
    }

    /** 1013: the gateway is short of memory, through no fault of the client. */
    static ProtocolException tryAgainLater() {
        return new ProtocolException(WebSocketCloseStatus.TRY_AGAIN_LATER, "the gateway is short of memory");
    }

    WebSocketCloseStatus status() {
        return status;
    }
}
