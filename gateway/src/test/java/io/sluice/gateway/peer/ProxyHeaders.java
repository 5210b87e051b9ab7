package io.sluice.gateway.peer;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Builds headers of the PROXY protocol, byte by byte by its specification. */
public final class ProxyHeaders {
    private static final byte[] SIGNATURE = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a");

    private ProxyHeaders() {
    }

    /** Returns a header of version 1, for an IPv4 or IPv6 address. */
    public static byte[] text(String source) {
        String family = source.contains(":") ? "TCP6" : "TCP4";
        return ("PROXY " + family + ' ' + source + ' ' + source + " 5678 443\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a header of version 2, for an IPv4 or IPv6 address. */
    public static byte[] binary(String source, byte... extensions) {
        byte[] address = InetAddress.ofLiteral(source).getAddress();
        var block = new ByteArrayOutputStream();
        block.writeBytes(address);
        block.writeBytes(address);
        block.writeBytes(new byte[] {0x16, 0x2E, 0x01, (byte) 0xBB});
        block.writeBytes(extensions);
        return binary(0x21, address.length == 4 ? 0x11 : 0x21, block.size(), block.toByteArray());
    }

    /** Returns a header of version 2 of any command and family. The length may differ from the block's. */
    public static byte[] binary(int command, int family, int length, byte... block) {
        var header = new ByteArrayOutputStream();
        header.writeBytes(SIGNATURE);
        header.writeBytes(new byte[] {(byte) command, (byte) family, (byte) (length >> 8), (byte) length});
        header.writeBytes(block);
        return header.toByteArray();
    }
}
