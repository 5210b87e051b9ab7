package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChainLimitTest {
    /** Without a limit, the JDK searches for minutes. */
    @Test
    void manyAuthoritiesOfOneNameAreNotSearched() throws Exception {
        var trust = ChainLimit.trusting(List.of(TestCertificates.authority("other").getCertificate()));
        var namesakes = new ArrayList<X509Certificate>();
        namesakes.add(TestCertificates.client(TestCertificates.AUTHORITY).getCertificate());
        for (int i = 0; i < 9; i++) {
            namesakes.add(TestCertificates.authority("authority").getCertificate());
        }
        X509Certificate[] chain = namesakes.toArray(X509Certificate[]::new);

        assertThatThrownBy(() -> trust.checkClientTrusted(chain, "EC"))
                .isInstanceOf(CertificateException.class).hasMessageContaining("of one name");
    }

    @Test
    void usualChainsAreTrusted() throws Exception {
        X509Certificate authority = TestCertificates.AUTHORITY.getCertificate();
        var trust = ChainLimit.trusting(List.of(authority));
        X509Certificate client = TestCertificates.client(TestCertificates.AUTHORITY).getCertificate();

        assertThatCode(() -> {
            trust.checkClientTrusted(new X509Certificate[] {client}, "EC");
            trust.checkClientTrusted(new X509Certificate[] {client, authority}, "EC");
        }).doesNotThrowAnyException();
    }
}
