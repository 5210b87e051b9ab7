package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.sluice.config.DatabaseConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.session.SessionConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.DatabaseUrl;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.Secret;
import io.sluice.config.type.ZoneName;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.files.FilesHandler;
import io.sluice.handlers.files.KeptFiles;
import io.sluice.handlers.http.TextHandler;
import io.sluice.handlers.query.QueryHandler;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small answers of every kind of route bypass Netty's encoder. */
class SmallResponseIT {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final PathTemplate FILES = PathTemplate.parse("/files/**");
    private static final PathTemplate ROW = PathTemplate.parse("/row");

    @TempDir
    private Path directory;
    /** For each whole answer, true if it is a {@link SmallResponse}. */
    private final Queue<Boolean> small = new ConcurrentLinkedQueue<>();
    private final Offload pool = Offload.start("work",
            PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 10, LONG), PoolObserver.NONE);
    private final Database database = new Database("h2", new DatabaseConfig(
            new DatabaseUrl("jdbc:h2:mem:"), "", new Secret(""), "work", Optional.empty(),
            new ByteSize(1 << 20), new ZoneName("UTC"), LONG, LONG, Optional.empty(), Map.of(),
            SessionConfig.NONE, true), pool);
    private HandlerServer server;

    /** Records the messages that are written to the encoder. */
    private final class Witness extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            if (message instanceof FullHttpResponse answer) {
                small.add(SmallResponse.is(answer));
            }
            ctx.write(message, promise);
        }
    }

    @BeforeEach
    void start() throws Exception {
        database.connect(null);
        database.open();
        Files.writeString(directory.resolve("a.txt"), "a".repeat(4096));
        var text = new HandlerConfig.Text("Hello, World!", "text/plain", 200);
        var row = HandlerConfig.Query.ofRow("h2", NamedSql.parse("SELECT 1 AS one"));
        var files = new HandlerConfig.Files(directory.toString(), "",
                Optional.of("max-age=60"), "work", true);
        server = HandlerServer.within((_, http) -> (pipeline, watch) -> {
            http.detected().addTo(pipeline, watch);
            addWitness(pipeline);
        }, route("/text", new TextHandler(text)),
                route("/row", new QueryHandler(row, ROW, 1 << 20, database, SpillSpace.NONE)),
                route("/files/**", new FilesHandler(files, FILES, pool, new KeptFiles(1))));
    }

    private void addWitness(ChannelPipeline pipeline) {
        pipeline.addAfter(pipeline.context(ResponseEncoder.class).name(), null, new Witness());
    }

    @AfterEach
    void stop() {
        server.close();
        pool.close();
        database.close();
    }

    @Test
    void textsQueriesAndFilesUseTheSmallEncoding() throws IOException {
        try (RawClient client = server.connect()) {
            assertThat(body(client, "/text")).isEqualTo("Hello, World!");
            assertThat(body(client, "/row")).isEqualTo("{\"ONE\":1}");
            assertThat(body(client, "/files/a.txt")).hasSize(4096);
        }
        assertThat(small).containsExactly(true, true, true);
    }

    private static String body(RawClient client, String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").read().body();
    }
}
