package io.sluice.handlers.bus.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A link whose connections exist in the test only, which moves its clock. */
class RedisLinkTest implements RedisLink.Listener<StatefulConnection<String, byte[]>> {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<StatefulConnection<String, byte[]>> connected = new ArrayList<>();
    private final List<StatefulConnection<String, byte[]>> closed = new ArrayList<>();
    private final ArrayDeque<Supplier<CompletionStage<?>>> preparations = new ArrayDeque<>();
    private int failuresToConnect;
    private int failuresToOpen;
    private Supplier<CompletionStage<?>> ping = () -> CompletableFuture.completedFuture(null);
    private final RedisLink<StatefulConnection<String, byte[]>> link = new RedisLink<>("test", "",
            channel.eventLoop(), this::connect, _ -> ping.get(), this);

    private CompletionStage<StatefulConnection<String, byte[]>> connect() {
        if (failuresToConnect-- > 0) {
            throw new NoClassDefFoundError("thrown");
        }
        return CompletableFuture.completedFuture(connection());
    }

    @SuppressWarnings("unchecked")
    private StatefulConnection<String, byte[]> connection() {
        var made = (StatefulConnection<String, byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {StatefulConnection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "closeAsync" -> {
                        closed.add((StatefulConnection<String, byte[]>) proxy);
                        yield CompletableFuture.completedFuture(null);
                    }
                    case "isOpen" -> true;
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> null;
                });
        connected.add(made);
        return made;
    }

    @Override
    public CompletionStage<?> prepare(StatefulConnection<String, byte[]> opened, boolean again) {
        return preparations.isEmpty() ? CompletableFuture.completedFuture(null)
                : preparations.remove().get();
    }

    @Override
    public void opened(StatefulConnection<String, byte[]> opened) {
        if (failuresToOpen-- > 0) {
            throw new StackOverflowError("thrown");
        }
    }

    @Override
    public void lost() {
        // The link tells.
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        for (int i = 0; i < 5; i++) { // a task that is due may add others
            channel.runPendingTasks();
        }
    }

    @AfterEach
    void close() {
        channel.freezeTime();
        link.close();
        channel.finishAndReleaseAll();
    }

    private void aConnectionThatIsNotPrepared(Supplier<CompletionStage<?>> preparation, String problem,
                                              long millis) {
        channel.freezeTime();
        preparations.add(preparation);
        link.open();
        pass(0);
        pass(millis);
        assertThat(link.connection()).isNull();
        assertThat(link.problem()).contains(problem);
        assertThat(closed).isEqualTo(connected).hasSize(1);

        pass(1000);
        assertThat(link.connection()).isEqualTo(connected.get(1));
        assertThat(link.problem()).isNull();
        pass(60_000); // with pings
        assertThat(connected).hasSize(2);
    }

    @Test
    void aPreparationThatThrowsIsRepeated() {
        aConnectionThatIsNotPrepared(() -> {
            throw new NoClassDefFoundError("thrown");
        }, "thrown", 0);
    }

    @Test
    void anAttemptThatThrowsIsRepeated() {
        failuresToConnect = 1;
        channel.freezeTime();
        link.open();
        pass(0);
        assertThat(link.problem()).contains("thrown");

        pass(1000);
        assertThat(link.connection()).isEqualTo(connected.getFirst());
    }

    /** The pauses grow: the listener may throw each time. */
    @Test
    void aConnectionWhoseUseThrowsIsClosedAndOpenedAgain() {
        failuresToOpen = 10;
        channel.freezeTime();
        link.open();
        pass(0);
        assertThat(link.connection()).isNull();
        assertThat(link.problem()).contains("thrown");
        assertThat(closed).isEqualTo(connected).hasSize(1);

        for (int i = 0; i < 500; i++) {
            pass(10);
        }
        assertThat(connected).hasSizeBetween(4, 9);
        for (int i = 0; i < 60; i++) {
            pass(1000); // with pings
        }
        assertThat(connected).hasSize(11);
        assertThat(link.connection()).isEqualTo(connected.getLast());
        assertThat(closed).isEqualTo(connected.subList(0, 10));
    }

    @Test
    void aPreparationThatFailsIsRepeated() {
        aConnectionThatIsNotPrepared(() -> CompletableFuture.failedFuture(
                new IllegalStateException("failed")), "failed", 0);
    }

    @Test
    void aServerThatDoesNotAnswerThePreparationIsConnectedAgain() {
        aConnectionThatIsNotPrepared(CompletableFuture::new, "no answer", 5000);
    }

    /** Passes the time of some pings; returns the number of connections that were opened. */
    private int connectionsAfterPings(Supplier<CompletionStage<?>> answer) {
        ping = answer;
        channel.freezeTime();
        link.open();
        pass(0);
        for (int i = 0; i < 3; i++) {
            pass(5000);
        }
        return connected.size();
    }

    @Test
    void aServerThatDoesNotAnswerAPingIsConnectedAgain() {
        assertThat(connectionsAfterPings(CompletableFuture::new)).isEqualTo(2);
        assertThat(closed).containsExactly(connected.getFirst());
    }

    @Test
    void pingsThatAreRejectedAreNoAnswer() {
        assertThat(connectionsAfterPings(() -> CompletableFuture.failedFuture(
                new RedisException("Request queue size exceeded")))).isEqualTo(2);
    }

    @Test
    void pingsThatThrowAreNoAnswer() {
        assertThat(connectionsAfterPings(() -> {
            throw new StackOverflowError("thrown by a test");
        })).isEqualTo(2);
    }

    @Test
    void anErrorOfTheServerIsAnAnswer() {
        assertThat(connectionsAfterPings(() -> CompletableFuture.failedFuture(
                new RedisBusyException("BUSY")))).isEqualTo(1);
    }
}
