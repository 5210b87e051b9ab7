package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.gateway.peer.Credential;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.gateway.tunnel.DrainableSet.EndlessExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RetirementTest {
    private final List<String> closed = new ArrayList<>();

    private Resource<?> resource(String name) {
        return new Resource<>(name, null, () -> true, () -> closed.add(name));
    }

    private Resource<?> tunnels(String name, DrainableSet tunnels) {
        return new Resource<>(tunnels, null, () -> tunnels.count() == 0, () -> closed.add(name));
    }

    /** A pool that one reload keeps and the next replaces is used by the tunnels that the first drains. */
    @Test
    void openTunnelsKeepResourcesOfLaterReloads() {
        var open = new EndlessExchange(ImmediateEventExecutor.INSTANCE, Credential.NONE, () -> { });
        var draining = new DrainableSet();
        draining.add(open);
        var retirement = new Retirement();
        retirement.add(List.of(tunnels("tunnels", draining), resource("their database")));
        retirement.add(List.of(tunnels("idle tunnels", new DrainableSet()), resource("their pool")));

        assertThat(retirement.closeUnused()).as("some left").isTrue();
        assertThat(closed).containsExactly("idle tunnels");
        draining.remove(open);
        assertThat(retirement.closeUnused()).as("some left").isFalse();
        assertThat(closed).containsExactly("idle tunnels", "tunnels", "their database", "their pool");
    }

    @Test
    void usedResourceKeepsItsDependenciesOpen() {
        var idle = new AtomicBoolean();
        var retirement = new Retirement();
        retirement.add(List.of(new Resource<>("used", null, idle::get, () -> closed.add("used")),
                resource("its database")));
        retirement.add(List.of(resource("of another reload")));

        assertThat(retirement.closeUnused()).as("some left").isTrue();
        assertThat(closed).containsExactly("of another reload");
        idle.set(true);
        assertThat(retirement.closeUnused()).as("some left").isFalse();
        assertThat(closed).containsExactly("of another reload", "used", "its database");
    }
}
