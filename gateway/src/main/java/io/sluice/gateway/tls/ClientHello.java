package io.sluice.gateway.tls;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Parses the ClientHello, a client's first message (RFC 8446 section 4.1.2, RFC 5246 section 7.4.1.2). */
final class ClientHello {
    private static final int VERSION_AND_RANDOM = 2 + 32;
    private static final int ALPN = 16;

    private ClientHello() {
    }

    /**
     * The application protocols that the client offers (RFC 7301 section 3.1). None if it offers none or if
     * the message is malformed: the TLS provider detects that too, and sends an alert.
     *
     * @param hello stays the caller's
     */
    static List<String> protocols(ByteBuf hello) {
        ByteBuf in = hello.duplicate();
        try {
            in.skipBytes(VERSION_AND_RANDOM);
            in.skipBytes(in.readUnsignedByte()); // session id
            in.skipBytes(in.readUnsignedShort()); // cipher suites
            in.skipBytes(in.readUnsignedByte()); // compression methods
            ByteBuf extensions = in.readSlice(in.readUnsignedShort());
            while (extensions.isReadable()) {
                int type = extensions.readUnsignedShort();
                ByteBuf content = extensions.readSlice(extensions.readUnsignedShort());
                if (type == ALPN) {
                    return names(content.readSlice(content.readUnsignedShort()));
                }
            }
        } catch (IndexOutOfBoundsException e) {
            // Treated as if there were no offer.
        }
        return List.of();
    }

    private static List<String> names(ByteBuf in) {
        var names = new ArrayList<String>();
        while (in.isReadable()) {
            names.add(in.readCharSequence(in.readUnsignedByte(), StandardCharsets.ISO_8859_1).toString());
        }
        return names;
    }
}
