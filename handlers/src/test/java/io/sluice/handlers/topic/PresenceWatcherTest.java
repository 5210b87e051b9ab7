package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.sluice.config.topic.OverBudget;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.rights.Caller;
import io.sluice.offload.ClientNetwork;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PresenceWatcherTest {
    private final Client client = new Client();
    private final PresenceWatcher watcher = new PresenceWatcher(client);

    private static final class Client extends PacedSubscriber {
        final List<String> sent = new ArrayList<>();
        boolean writable = true;

        @Override
        protected void sendPresence(SharedMessage state) {
            state.with((_, json) -> {
                sent.add(json.toString(StandardCharsets.UTF_8));
                return Unpooled.EMPTY_BUFFER;
            });
        }

        @Override
        protected boolean isWritable() {
            return writable;
        }

        @Override
        protected boolean hasPositions() {
            return true;
        }

        @Override
        protected void send(TopicMessage message) {
            throw new AssertionError("a message of the topic");
        }

        @Override
        protected void dropped(DropReason reason) {
        }

        @Override
        protected ClientNetwork client() {
            throw new AssertionError("nothing waits");
        }

        @Override
        protected long budget() {
            return 0;
        }

        @Override
        protected OverBudget overBudget() {
            return OverBudget.CLOSE;
        }

        @Override
        protected void tooSlow() {
            throw new AssertionError("too slow");
        }

        @Override
        protected void fail(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        protected Caller caller() {
            return Caller.ANONYMOUS;
        }

        @Override
        protected void forbidden() {
        }
    }

    private void deliver(String state) {
        SharedMessage raw = TopicRoom.message(state);
        TopicMessage message = TopicMessage.of(new Position(1, 1), raw);
        raw.release();
        watcher.deliver(message);
        message.release();
    }

    @Test
    void aSlowClientGetsTheNewestState() {
        deliver("a");
        client.writable = false;
        deliver("b");
        deliver("c");
        watcher.send(0);
        assertThat(client.sent).containsExactly("a");
        client.writable = true;
        watcher.send(0);
        watcher.send(0);
        deliver("d");
        assertThat(client.sent).containsExactly("a", "c", "d");

        client.writable = false;
        deliver("e");
        watcher.drop(); // the leak detector looks for what waited
    }
}
