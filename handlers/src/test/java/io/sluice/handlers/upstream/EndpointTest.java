package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.io.IOException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class EndpointTest {
    private static final Throwable SHORTAGE =
            new ChannelException(new IOException("Too many open files"));

    private final TestEndpoints endpoints = new TestEndpoints().add(1);
    private final Endpoint endpoint = endpoints.get(0);

    @Test
    void isNotDownForAShortageOfTheGateway() {
        for (int i = 0; i < 10; i++) {
            endpoint.failed(Stage.CONNECT, null, SHORTAGE);
        }

        assertThat(endpoint.isUp()).isTrue();
        assertThat(endpoint.stats(0).failures()).containsEntry(Stage.CONNECT, 0L);
    }

    @Test
    void isNotToBlameForAShortageOfTheGatewayNorForTooLargeARequest() {
        assertThat(new UpstreamException(endpoint, Stage.CONNECT, SHORTAGE).isOfEndpoint()).isFalse();
        assertThat(new UpstreamException(endpoint, Stage.TOO_LARGE, null).isOfEndpoint()).isFalse();
        assertThat(new UpstreamException(endpoint, Stage.CONNECT, null).isOfEndpoint()).isTrue();
    }

    @Test
    void isLoggedWithTheInnermostCause() {
        var cause = new SSLHandshakeException("General OpenSslEngine problem");
        cause.initCause(new CertificateException("No name matching shop.internal found"));

        assertThat(UpstreamException.reason(cause))
                .isEqualTo("java.security.cert.CertificateException: No name matching shop.internal found");
        assertThat(UpstreamException.reason(new IOException("Connection reset")))
                .isEqualTo("java.io.IOException: Connection reset");
        assertThat(UpstreamException.reason(null)).isEqualTo("closed");
    }
}
