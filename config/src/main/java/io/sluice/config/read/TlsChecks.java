package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValueType;
import io.sluice.config.TlsConfig;
import io.sluice.config.TlsConfig.ClientCertificates;

/** Checks what the keys of {@code sluice.tls} say of each other. */
record TlsChecks(ConfigObject written, ConfigProblems problems) {
    private static final String CERTIFICATE = "certificate";
    private static final String PRIVATE_KEY = "private-key";
    private static final String CERTIFICATES = "certificates";
    private static final String CLIENT_CERTIFICATES = "client-certificates";
    private static final String CLIENT_AUTHORITIES = "client-authorities";

    void check(TlsConfig config) {
        goesWith(CERTIFICATE, PRIVATE_KEY, "its key");
        goesWith(PRIVATE_KEY, CERTIFICATE, "the one that private-key belongs to");
        if (!isSet(PRIVATE_KEY)) {
            goesWith(CERTIFICATES, CERTIFICATE, "one for clients that ask for no other's name");
        }
        if (config.clientCertificates() == ClientCertificates.NONE) {
            if (isSet(CLIENT_AUTHORITIES)) {
                problems.add(written.get(CLIENT_AUTHORITIES), "sluice.tls." + CLIENT_CERTIFICATES
                        + ": none (expected: optional or required, as there are client-authorities)");
            }
        } else if (config.clientCertificates() != null) {
            goesWith(CLIENT_CERTIFICATES, CLIENT_AUTHORITIES, "a file with those who vouch for clients");
        }
    }

    private void goesWith(String key, String other, String expected) {
        if (isSet(key) && !isSet(other)) {
            problems.add(written.get(key),
                    "sluice.tls.%s: missing (expected: %s)".formatted(other, expected));
        }
    }

    /** Whether it is written there, be it readable or not. */
    private boolean isSet(String key) {
        return written.get(key) != null && written.get(key).valueType() != ConfigValueType.NULL;
    }
}
