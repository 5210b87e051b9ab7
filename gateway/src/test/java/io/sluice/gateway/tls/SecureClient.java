package io.sluice.gateway.tls;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Opens TLS connections of clients, and completes their handshake. */
public final class SecureClient {
    private static final SSLContext TRUSTING = TestCertificates.client();

    private SecureClient() {
    }

    /** Changes the parameters of a client's handshake. */
    public interface Asking {
        void ask(SSLParameters parameters);
    }

    public static RawClient connect(int port) throws IOException {
        return connect(port, _ -> { });
    }

    /** Connects with changed parameters. */
    public static RawClient connect(int port, Asking asking) throws IOException {
        return new RawClient(socket(TRUSTING, port, asking));
    }

    /** Connects with TLS 1.2, whose records show their types. */
    static RawClient ofTls12(int port) throws IOException {
        return connect(port, ask -> ask.setProtocols(new String[] {"TLSv1.2"}));
    }

    static SSLSocket socket(SSLContext context, int port, Asking asking) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        SSLParameters parameters = socket.getSSLParameters();
        asking.ask(parameters);
        socket.setSSLParameters(parameters);
        try {
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
