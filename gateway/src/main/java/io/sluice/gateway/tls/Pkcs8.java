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
import org.jspecify.annotations.Nullable;

/**
 * Reads private keys in PKCS#8 (RFC 5958), the format that Java supports, and converts older formats to it.
 */
final class Pkcs8 {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC");
    private static final byte[] VERSION = HexFormat.of().parseHex("020100");
    /** The AlgorithmIdentifier of rsaEncryption. */
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    /** The object identifier id-ecPublicKey; the curve follows it. */
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int CURVE = 0xA0;
    private static final byte[] NONE = {};

    private Pkcs8() {
    }

    /** Returns the private key; null if it is neither RSA nor EC. */
    static @Nullable PrivateKey key(byte[] pkcs8) {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                // The key has another algorithm.
            } catch (GeneralSecurityException e) {
                throw new LinkageError("every Java has " + algorithm, e);
            }
        }
        return null;
    }

    /** Converts a key from PKCS#1 (RFC 8017 appendix A.1.2). */
    static byte[] ofRsa(byte[] pkcs1) {
        return element(SEQUENCE, VERSION, RSA, element(OCTETS, pkcs1));
    }

    /** Converts a key from SEC1 (RFC 5915). If it does not name its curve, the result is not a valid key. */
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
            // The key is truncated.
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
