package io.sluice.gateway.tls;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Private keys, from PKCS#8 (RFC 5958), which Java reads, and from older forms, which get an envelope. */
final class Pkcs8 {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC");
    private static final byte[] VERSION = HexFormat.of().parseHex("020100");
    /** AlgorithmIdentifier of rsaEncryption. */
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    /** The name of id-ecPublicKey; the curve follows. */
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int CURVE = 0xA0;
    private static final byte[] NONE = {};

    private Pkcs8() {
    }

    /** The key; null where it is of no kind that TLS servers have here. */
    static PrivateKey key(byte[] pkcs8) {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                // Of another algorithm, then.
            } catch (GeneralSecurityException e) {
                throw new LinkageError("every Java has " + algorithm, e);
            }
        }
        return null;
    }

    /** From PKCS#1 (RFC 8017 appendix A.1.2). */
    static byte[] ofRsa(byte[] pkcs1) {
        return element(SEQUENCE, VERSION, RSA, element(OCTETS, pkcs1));
    }

    /** From SEC1 (RFC 5915); what does not name its curve becomes nothing that is a key. */
    static byte[] ofEc(byte[] sec1) {
        return element(SEQUENCE, VERSION, element(SEQUENCE, EC, curve(sec1)), element(OCTETS, sec1));
    }

    private static byte[] curve(byte[] sec1) {
        try {
            ByteBuffer in = ByteBuffer.wrap(sec1);
            in.get();
            length(in);
            while (in.hasRemaining()) {
                int tag = in.get() & 0xFF;
                byte[] content = new byte[Math.min(length(in), in.remaining())];
                in.get(content);
                if (tag == CURVE) {
                    return content;
                }
            }
        } catch (BufferUnderflowException e) {
            // It says no more.
        }
        return NONE;
    }

    private static int length(ByteBuffer in) {
        int first = in.get() & 0xFF;
        return first < 0x80 ? first : first == 0x81 ? in.get() & 0xFF : in.getShort() & 0xFFFF;
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
