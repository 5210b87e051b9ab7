package io.sluice.gateway.offload;

import java.io.IOException;
import java.net.Socket;

/** Ways in which a client closes its connection. */
enum HangUp {
    /** A FIN. If the client has unread bytes, the kernel sends a RST instead. */
    CLOSE {
        @Override
        void end(Socket socket) throws IOException {
            socket.close();
        }
    },
    /** A RST. */
    RESET {
        @Override
        void end(Socket socket) throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    },
    /** A FIN, even with unread bytes. The socket stays open for reading. */
    SHUT_OUTPUT {
        @Override
        void end(Socket socket) throws IOException {
            socket.shutdownOutput();
        }
    };

    abstract void end(Socket socket) throws IOException;
}
