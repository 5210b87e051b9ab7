package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.site.TargetSite;
import io.sluice.loadtest.experiments.wire.Attacker;
import io.sluice.loadtest.experiments.wire.HttpAnswer;
import java.nio.ByteBuffer;

/** Attacks by TLS. */
final class TlsAttackers {

    /** Fewer in a row than the gateway takes. */
    private static final int UPDATES = 20;
    /** As many as fit into the limit of a ClientHello with the headers of its records, and one more. */
    private static final int RECORDS = 28 * 1_024 / 6 + 1;
    private static final byte[] RECORD_OF_ONE_BYTE = {22, 3, 1, 0, 1};
    /** The type and the length of a ClientHello of 16,000 bytes. */
    private static final byte[] CLIENT_HELLO = {1, 0, 0x3e, (byte) 0x80};

    private TlsAttackers() {}

    /** Changes the keys 20 times before each request, and asks the gateway to do the same. */
    static Attacker keyUpdates() {
        return wire -> {
            var tls = wire.overTls();
            while (true) {
                for (int n = 0; n < UPDATES; n++) {
                    tls.updateKeys();
                }
                tls.send("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(TargetSite.HELLO));
                HttpAnswer.read(tls);
            }
        };
    }

    /** Sends a ClientHello in records of one byte, until the gateway has had enough. */
    static Attacker helloInPieces() {
        var records = ByteBuffer.allocate(RECORDS * (RECORD_OF_ONE_BYTE.length + 1));
        for (int n = 0; n < RECORDS; n++) {
            records.put(RECORD_OF_ONE_BYTE).put(n < CLIENT_HELLO.length ? CLIENT_HELLO[n] : 0);
        }
        return wire -> {
            wire.send(records.array());
            wire.skipToEnd();
        };
    }
}
