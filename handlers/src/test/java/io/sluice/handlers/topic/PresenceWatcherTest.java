package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.sluice.handlers.SharedMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PresenceWatcherTest {
    private final Client client = new Client();
    private final PresenceWatcher watcher = new PresenceWatcher(client);

    private static final class Client extends SlowClient {
        final List<String> sent = new ArrayList<>();

        Client() {
            writable = true;
        }

        @Override
        protected void sendPresence(SharedMessage state) {
            state.with((_, json) -> {
                sent.add(json.toString(StandardCharsets.UTF_8));
                return Unpooled.EMPTY_BUFFER;
            });
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
