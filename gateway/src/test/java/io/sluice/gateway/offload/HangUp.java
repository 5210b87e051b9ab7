package io.sluice.gateway.offload;

import java.io.IOException;
import java.net.Socket;

/** How a client goes away. */
enum HangUp {
    /** A FIN; where it has not read what came, the kernel makes it a RST. */
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
    /** A FIN, whatever it has not read; the socket stays open for what may still come. */
    SHUT_OUTPUT {
        @Override
        void end(Socket socket) throws IOException {
            socket.shutdownOutput();
        }
    };

    abstract void end(Socket socket) throws IOException;
}
