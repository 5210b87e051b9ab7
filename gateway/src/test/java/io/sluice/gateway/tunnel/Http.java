package io.sluice.gateway.tunnel;

import io.sluice.gateway.http2.StreamSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** The versions of HTTP by which a tunnel can be opened. */
public enum Http {
    /** The connection becomes the tunnel (RFC 9110 section 7.8). */
    HTTP_1_1 {
        @Override
        public Socket connect(int port, int buffers) throws IOException {
            var socket = new Socket();
            if (buffers > 0) {
                socket.setReceiveBufferSize(buffers);
                socket.setSendBufferSize(buffers);
            }
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        }
    },
    /** A stream becomes the tunnel (RFC 8441). */
    HTTP_2 {
        @Override
        public Socket connect(int port, int buffers) throws IOException {
            return StreamSocket.connect(port, buffers == 0 ? WINDOW : buffers);
        }
    };

    private static final int WINDOW = 64 * 1024;

    /** Opens a connection whose client buffers so many bytes; 0 for the default. */
    public abstract Socket connect(int port, int buffers) throws IOException;
}
