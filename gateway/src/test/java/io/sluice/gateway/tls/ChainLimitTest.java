package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.X509Bundle;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChainLimitTest {
    /** Returns a client's certificate, and certificates of its authority's name with other keys. */
    private static X509Certificate[] chain(X509Bundle authority, int namesakes) {
        var chain = new ArrayList<X509Certificate>();
        chain.add(TestCertificates.client(authority).getCertificate());
        for (int i = 0; i < namesakes; i++) {
            chain.add(TestCertificates.authority("authority").getCertificate());
        }
        return chain.toArray(X509Certificate[]::new);
    }

    /** Without a limit, the JDK searches for minutes. */
    @Test
    void manyAuthoritiesOfOneNameAreNotSearched() throws Exception {
        var trust = ChainLimit.trusting(List.of(TestCertificates.authority("other").getCertificate()));
        X509Certificate[] chain = chain(TestCertificates.AUTHORITY, 9);

        assertThatThrownBy(() -> trust.checkClientTrusted(chain, "EC"))
                .isInstanceOf(CertificateException.class).hasMessageContaining("of one name");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void chainsWithNeedlessCertificatesAreTrusted(int namesakes) throws Exception {
        var trust = ChainLimit.trusting(List.of(TestCertificates.AUTHORITY.getCertificate()));
        X509Certificate[] chain = chain(TestCertificates.AUTHORITY, namesakes);

        assertThatCode(() -> trust.checkClientTrusted(chain, "EC")).doesNotThrowAnyException();
    }
}
