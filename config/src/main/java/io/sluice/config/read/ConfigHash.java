package io.sluice.config.read;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import io.sluice.config.type.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Short hashes of configuration, by which two processes find out whether they have the same. */
final class ConfigHash {
    private static final int VALUE_BYTES = 8;
    /** Two bytes cannot confirm a guessed token. One changed token in 65,536 stays undetected. */
    private static final int TOKEN_BYTES = 2;

    private ConfigHash() {
    }

    /** Returns the hash of configuration. Changes of secrets, which are masked, do not change it. */
    static String of(List<?> values) {
        return hash(ConfigValueFactory.fromAnyRef(PlainValues.of(values))
                .render(ConfigRenderOptions.concise()), VALUE_BYTES);
    }

    /** Returns the hash of a token. */
    static String ofToken(Sha256 token) {
        return hash(token.hex(), TOKEN_BYTES);
    }

    private static String hash(String text, int bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JVM has SHA-256
        }
    }
}
