package io.sluice.gateway.filter;

import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.config.TokenConfig;
import io.sluice.gateway.peer.Credential;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configured tokens, stored as SHA-256 hashes. Thread-safe. */
public final class Tokens {
    /** Characters; longer tokens are rejected without hashing. */
    private static final int MAX_LENGTH = 4096;
    private static final FastThreadLocal<MessageDigest> SHA_256 = new FastThreadLocal<>() {
        @Override
        protected MessageDigest initialValue() throws NoSuchAlgorithmException {
            return MessageDigest.getInstance("SHA-256");
        }
    };

    private final List<Known> known;

    private record Known(Credential credential, byte[] hash) {
    }

    /**
     * Creates the tokens of a configuration.
     *
     * @param tokens by the name of the caller
     */
    public Tokens(Map<String, TokenConfig> tokens) {
        known = tokens.entrySet().stream()
                .map(token -> new Known(Credential.ofToken(token.getKey(), token.getValue().sha256()),
                        token.getValue().sha256().bytes())).toList();
    }

    /**
     * Returns the access control of a route.
     *
     * @param names of the callers that may use it; empty if everybody may
     */
    public Access access(Optional<Set<String>> names) {
        return new Access(this, names.orElse(null), false);
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    /** Returns the credential of a token's caller; null if unknown. Takes equal time for every token. */
    @Nullable Credential find(String token) {
        if (token.length() > MAX_LENGTH) {
            return null;
        }
        byte[] hash = SHA_256.get().digest(token.getBytes(StandardCharsets.UTF_8));
        Credential found = null;
        for (Known candidate : known) {
            if (MessageDigest.isEqual(candidate.hash(), hash)) {
                found = candidate.credential();
            }
        }
        return found;
    }

    /** Returns whether the token of a credential is still that of its owner, or there is none. */
    public boolean holds(Credential credential) {
        return credential.token() == null || known.stream().map(Known::credential).anyMatch(one ->
                Objects.equals(one.owner(), credential.owner()) && credential.token().equals(one.token()));
    }
}
