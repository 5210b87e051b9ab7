package io.sluice.config.check;

import io.sluice.config.TlsConfig;
import io.sluice.config.TlsConfig.ClientCertificates;

/** Checks relations between the keys of {@code sluice.tls}. */
final class TlsChecks {
    private static final String CERTIFICATE = "certificate";
    private static final String PRIVATE_KEY = "private-key";
    private static final String CLIENT_CERTIFICATES = "client-certificates";
    private static final String CLIENT_AUTHORITIES = "client-authorities";

    private TlsChecks() {
    }

    static void check(TlsConfig config, Setting at) {
        goesWith(CERTIFICATE, PRIVATE_KEY, "its key", at);
        goesWith(PRIVATE_KEY, CERTIFICATE, "the one that private-key belongs to", at);
        if (!at.at(PRIVATE_KEY).isSet()) {
            goesWith("certificates", CERTIFICATE, "one for clients that ask for no other's name", at);
        }
        if (config.clientCertificates() == ClientCertificates.NONE) {
            if (at.at(CLIENT_AUTHORITIES).isSet()) {
                at.at(CLIENT_CERTIFICATES).locatedAt(at.at(CLIENT_AUTHORITIES)).wrong("none",
                        "optional or required, as there are client-authorities");
            }
        } else if (config.clientCertificates() != null) {
            goesWith(CLIENT_CERTIFICATES, CLIENT_AUTHORITIES, "a file with those who vouch for clients", at);
            goesWith(CLIENT_AUTHORITIES, CERTIFICATE, "that of the port which asks clients for theirs", at);
        }
        config.hsts().ifPresent(_ ->
                goesWith("hsts", CERTIFICATE, "that of the port whose responses have the header", at));
    }

    private static void goesWith(String key, String other, String expected, Setting at) {
        if (at.at(key).isSet() && !at.at(other).isSet()) {
            at.at(other).locatedAt(at.at(key)).missing(expected);
        }
    }
}
