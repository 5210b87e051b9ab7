package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class WorkersTest {

    @Test
    void aThreadThatCannotBeStartedEndsTheOthers() {
        List<Thread> started = new ArrayList<>();
        ThreadFactory scarce = task -> new Thread(task) {
            @Override
            public void start() {
                if (started.size() == 2) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                started.add(this);
                super.start();
            }
        };

        assertThatThrownBy(() -> new Workers.Platform(scarce, 4)).isInstanceOf(OutOfMemoryError.class);
        assertThat(started).hasSize(2);
        await().until(() -> started.stream().noneMatch(Thread::isAlive));
    }
}
