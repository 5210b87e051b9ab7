package io.sluice.handlers.upstream.endpoint;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The header of the PROXY protocol, version 2, with which a connection tells an endpoint the client's
 * address. The destination in it is the endpoint's address.
 */
public final class ProxyHeaderEncoder {
    private static final byte[] SIGNATURE = ByteBufUtil.decodeHexDump("0d0a0d0a000d0a515549540a");
    private static final AttributeKey<InetSocketAddress> CLIENT =
            AttributeKey.valueOf(ProxyHeaderEncoder.class, "CLIENT");
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int TCP_4 = 0x11;
    private static final int TCP_6 = 0x21;
    private static final int PORTS = 4;

    private ProxyHeaderEncoder() {
    }

    /**
     * Writes the header as the first bytes of a connection, before TLS.
     *
     * @param channel connected, on its event loop
     * @param client the client's address; null for a connection of the gateway's own
     */
    public static void write(Channel channel, @Nullable InetSocketAddress client) {
        channel.attr(CLIENT).set(client);
        ByteBuf header = channel.alloc().buffer(64).writeBytes(SIGNATURE);
        if (client == null || client.getAddress() == null) {
            header.writeByte(LOCAL).writeByte(0).writeShort(0);
        } else {
            addresses(header, client, (InetSocketAddress) channel.remoteAddress());
        }
        channel.pipeline().firstContext().write(header);
    }

    /** Returns the client whose connection a connection belongs to; null for none. */
    public static @Nullable InetSocketAddress client(Channel channel) {
        return channel.attr(CLIENT).get();
    }

    private static void addresses(ByteBuf header, InetSocketAddress client, InetSocketAddress endpoint) {
        boolean four = client.getAddress() instanceof Inet4Address
                && endpoint.getAddress() instanceof Inet4Address;
        header.writeByte(PROXY).writeByte(four ? TCP_4 : TCP_6).writeShort((four ? 8 : 32) + PORTS);
        address(header, client.getAddress(), four);
        address(header, endpoint.getAddress(), four);
        header.writeShort(client.getPort()).writeShort(endpoint.getPort());
    }

    /** Writes an address; an IPv4 one beside an IPv6 one as {@code ::ffff:a.b.c.d} (RFC 4291 2.5.5.2). */
    private static void address(ByteBuf header, InetAddress address, boolean four) {
        if (!four && address instanceof Inet4Address) {
            header.writeZero(10).writeShort(0xFFFF);
        }
        header.writeBytes(address.getAddress());
    }
}
