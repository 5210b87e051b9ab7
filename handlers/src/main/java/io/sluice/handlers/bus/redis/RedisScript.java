package io.sluice.handlers.bus.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A Lua script, which runs on the server as one step. */
final class RedisScript {
    /** Gives a message its position, keeps it, and publishes it to the topic's channel. */
    static final RedisScript PUBLISH = new RedisScript("publish.lua");
    /** Reads kept messages. */
    static final RedisScript READ = new RedisScript("read.lua");
    /** Records members that join and leave, and returns the state of the topic. */
    static final RedisScript PRESENCE = new RedisScript("presence.lua");
    /** Extends the expiry of a gateway in several topics. */
    static final RedisScript RENEW = new RedisScript("renew.lua");

    private final byte[] text;
    private final String digest;

    private RedisScript(String file) {
        text = (resource("place.lua") + resource(file)).getBytes(StandardCharsets.UTF_8);
        digest = Base16.digest(text);
    }

    private static String resource(String file) {
        try (InputStream in = RedisScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + ": not in the jar (expected: beside its class)");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Loads the script, so that it can be run by its digest. */
    CompletionStage<?> load(StatefulRedisConnection<String, byte[]> connection) {
        return connection.async().scriptLoad(text);
    }

    /**
     * Runs the script, in the order of the calls. If the server has forgotten it, its text is sent; then
     * calls in between precede.
     */
    <T> CompletableFuture<T> run(StatefulRedisConnection<String, byte[]> connection, ScriptOutputType type,
                                 String[] keys, byte[][] arguments) {
        CompletableFuture<T> run = connection.async().<T>evalsha(digest, type, keys, arguments)
                .toCompletableFuture();
        return run.exceptionallyCompose(e -> isForgotten(e)
                ? connection.async().<T>eval(text, type, keys, arguments)
                : CompletableFuture.failedFuture(e));
    }

    private static boolean isForgotten(Throwable failure) {
        return (failure instanceof CompletionException ? failure.getCause() : failure)
                instanceof RedisNoScriptException;
    }
}
