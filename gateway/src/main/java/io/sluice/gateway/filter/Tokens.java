package io.sluice.gateway.filter;

import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.config.TokenConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tokens that are known here, by their hashes. Safe for use from any thread. */
public final class Tokens {
    /** Characters; longer ones are nobody's, and not worth hashing. */
    private static final int LONGEST = 4096;
    private static final FastThreadLocal<MessageDigest> SHA_256 = new FastThreadLocal<>() {
        @Override
        protected MessageDigest initialValue() throws NoSuchAlgorithmException {
            return MessageDigest.getInstance("SHA-256");
        }
    };

    private final List<Known> known;

    private record Known(String name, byte[] hash) {
    }

    /** Those of a configuration, by the names of who has them. */
    public Tokens(Map<String, TokenConfig> tokens) {
        known = tokens.entrySet().stream()
                .map(token -> new Known(token.getKey(), token.getValue().sha256().bytes())).toList();
    }

    /**
     * The access to a route.
     *
     * @param names whose tokens open it; empty where it is open to everybody
     */
    public Access access(Optional<Set<String>> names) {
        return new Access(this, names.orElse(null), false);
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    /** The name of a token; null where it is not known. Takes as long whichever it is. */
    String nameOf(String token) {
        if (token.length() > LONGEST) {
            return null;
        }
        byte[] hash = SHA_256.get().digest(token.getBytes(StandardCharsets.UTF_8));
        String name = null;
        for (Known candidate : known) {
            if (MessageDigest.isEqual(candidate.hash(), hash)) {
                name = candidate.name();
            }
        }
        return name;
    }
}
