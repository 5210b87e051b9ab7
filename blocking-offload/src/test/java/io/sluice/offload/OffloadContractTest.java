package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** Contract of every pool, composed of one interface per subject. */
abstract class OffloadContractTest implements
        ResultContract,
        HandOutContract,
        RefusalContract,
        ClientShareContract,
        DeadlineContract,
        CancelContract,
        CloseContract,
        StressContract,
        MillionTasksContract {
    private final EventExecutor home = new DefaultEventExecutor();
    private final CountingObserver events = new CountingObserver();
    private final List<Offload> offloads = new CopyOnWriteArrayList<>();
    private final List<Gate> gates = new CopyOnWriteArrayList<>();

    @Override
    public Offload offload(PoolConfig config, PoolObserver observer, Ticker clock) {
        Offload offload = Offload.start("test", config, observer, clock);
        offloads.add(offload);
        return offload;
    }

    @Override
    public Gate gate() {
        var gate = new Gate();
        gates.add(gate);
        return gate;
    }

    @Override
    public CountingObserver events() {
        return events;
    }

    @Override
    public EventExecutor home() {
        return home;
    }

    @AfterEach
    void everyTaskThatStartedHasFinished() {
        gates.forEach(Gate::open);
        offloads.forEach(Offload::close);
        home.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        eventually(() -> assertThat(events.finished).hasValue(events.started.get()));
    }
}
