package io.sluice.gateway.websocket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Builds WebSocket frames of a client, valid and invalid. */
final class ClientFrame {
    static final int FIN = 0x80;
    static final int COMPRESSED = 0x40;
    static final int TEXT = FIN | Opcode.TEXT;
    static final int BINARY = FIN | Opcode.BINARY;
    static final int CLOSE = FIN | Opcode.CLOSE;
    static final int PING = FIN | Opcode.PING;
    static final int PONG = FIN | Opcode.PONG;
    static final int LAST = FIN;

    private static final int MASK = 0xA1B2_43D4;

    private ClientFrame() {
    }

    /** Returns a masked frame whose length has the shortest form. */
    static byte[] of(int first, byte[] payload) {
        return join(header(first, payload.length), masked(payload));
    }

    static byte[] of(int first, String payload) {
        return of(first, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a frame without a payload. */
    static byte[] of(int first) {
        return of(first, new byte[0]);
    }

    /** Returns the header of a masked frame, including the mask. */
    static byte[] header(int first, long length) {
        ByteBuffer header = ByteBuffer.allocate(14).put((byte) first);
        if (length < 126) {
            header.put((byte) (0x80 | length));
        } else if (length < 65_536) {
            header.put((byte) (0x80 | 126)).putShort((short) length);
        } else {
            header.put((byte) (0x80 | 127)).putLong(length);
        }
        return slice(header.putInt(MASK));
    }

    /** Returns the masked form of a payload or of its first part. */
    static byte[] masked(byte[] payload) {
        byte[] masked = payload.clone();
        for (int i = 0; i < masked.length; i++) {
            masked[i] ^= (byte) (MASK >>> 24 - i % 4 * 8);
        }
        return masked;
    }

    static byte[] unmasked(int first, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        return join(new byte[] {(byte) first, (byte) bytes.length}, bytes);
    }

    static byte[] close(int code, String reason) {
        return close(code, reason.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] close(int code, byte[] reason) {
        return of(CLOSE, join(new byte[] {(byte) (code >> 8), (byte) code}, reason));
    }

    /** Returns a payload compressed by permessage-deflate, without the four bytes at its end. */
    static byte[] deflated(byte[] payload) {
        try (var deflater = new Deflater(Deflater.BEST_SPEED, true)) {
            deflater.setInput(payload);
            byte[] out = new byte[payload.length + payload.length / 100 + 64];
            int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
            return slice(ByteBuffer.wrap(out).position(length - 4));
        }
    }

    /** Returns a payload that was compressed by permessage-deflate. */
    static byte[] inflated(byte[] compressed) throws DataFormatException {
        try (var inflater = new Inflater(true)) {
            inflater.setInput(join(compressed, new byte[] {0, 0, -1, -1}));
            var all = new ByteArrayOutputStream();
            byte[] some = new byte[8192];
            for (int n = inflater.inflate(some); n > 0; n = inflater.inflate(some)) {
                all.write(some, 0, n);
            }
            return all.toByteArray();
        }
    }

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    private static byte[] slice(ByteBuffer written) {
        byte[] bytes = new byte[written.position()];
        written.flip().get(bytes);
        return bytes;
    }
}
