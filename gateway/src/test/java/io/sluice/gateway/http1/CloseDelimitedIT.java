package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.tls.SecureClient;
import io.sluice.gateway.tls.TestCertificates;
import io.sluice.gateway.tls.TlsServer;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses whose end is the end of the connection: a part of one must not look complete. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class CloseDelimitedIT {
    private static final int PART = 1000;
    /** More than fits all buffers. */
    private static final int LARGE = 16 << 20;

    @Parameter
    private boolean tls;
    private AutoCloseable server;
    private HandlerServer http;

    @BeforeEach
    void start(@TempDir Path folder) {
        Route[] routes = {
            route("/open", exchange -> stream(exchange, PART)),
            route("/broken", exchange -> {
                stream(exchange, PART);
                exchange.eventLoop().execute(() -> ((Channel) exchange.connection()).pipeline()
                        .fireExceptionCaught(new IOException("broken")));
            }),
            route("/large", exchange -> stream(exchange, LARGE).end())
        };
        if (tls) {
            String files = TestCertificates.write(folder, "a", TestCertificates.LOCALHOST);
            var secure = new TlsServer(TlsServer.config(folder, files), routes);
            http = secure.http();
            server = secure;
        } else {
            http = HandlerServer.withSmallBuffers(routes);
            server = http;
        }
    }

    private static ResponseStream stream(Exchange exchange, int length) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        stream.write(exchange.alloc().buffer().writeBytes(new byte[length]));
        return stream;
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private RawClient connect() throws IOException {
        return tls ? SecureClient.connect(http.port()) : http.connect();
    }

    private enum End { DRAIN, HALF_CLOSE, FAILURE }

    @ParameterizedTest
    @EnumSource
    void areResetWhenTheyAreCutOff(End end) throws IOException {
        try (RawClient client = connect()) {
            client.send("GET /%s HTTP/1.0\r\n\r\n".formatted(end == End.FAILURE ? "broken" : "open"));
            if (end != End.FAILURE) {
                client.readHead();
                client.read(PART);
            }
            switch (end) {
                case DRAIN -> http.connections().closeAll();
                case HALF_CLOSE -> client.socket().shutdownOutput();
                case FAILURE -> { }
            }

            assertThatThrownBy(client::read).isInstanceOf(IOException.class)
                    .isNotInstanceOf(EOFException.class);
        }
    }

    @Test
    void areResetWhenTheirEndIsNotSent() throws IOException {
        try (RawClient client = connect()) {
            client.send("GET /large HTTP/1.0\r\n\r\n");
            await().until(() -> !http.ended().isEmpty());
            http.connections().closeAll();

            assertThatThrownBy(client::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void endOrderlyWhenTheyAreComplete() throws IOException {
        try (RawClient client = connect()) {
            RawClient.Answer answer = client.send("GET /large HTTP/1.0\r\n\r\n").read();

            assertThat(answer.content()).hasSize(LARGE);
            assertThat(client.isClosed()).isTrue();
        }
    }
}
