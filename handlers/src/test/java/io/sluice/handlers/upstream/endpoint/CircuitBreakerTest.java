package io.sluice.handlers.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.upstream.endpoint.CircuitBreaker.State;
import io.sluice.offload.ClientNetwork;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CircuitBreakerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final ClientNetwork CLIENT = new ClientNetwork(1, false);
    private static final ClientNetwork OTHER = new ClientNetwork(2, false);

    private boolean several;
    private final CircuitBreaker circuit = new CircuitBreaker(
            new UpstreamConfig.Circuit(3, Duration.ofSeconds(10), Duration.ofSeconds(300)),
            Duration.ofSeconds(5), () -> several);
    /** A time near its overflow, since the origin of a monotonic clock is arbitrary. */
    private long now = Long.MAX_VALUE - SECOND;

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            circuit.failed(CLIENT, now);
        }
    }

    private void pass(long seconds) {
        now += seconds * SECOND;
    }

    @Test
    void staysClosedWithFewerFailuresInARow() {
        fail(2);
        circuit.succeeded();
        fail(2);

        assertThat(circuit.isClosed()).isTrue();
        assertThat(circuit.claimProbe(now)).isFalse();
        assertThat(circuit.claimEarlyProbe(now)).as("it is closed").isTrue();
        assertThat(circuit.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void tellsThatItOpensOnce() {
        fail(2);

        assertThat(circuit.failed(CLIENT, now)).isTrue();
        assertThat(circuit.failed(CLIENT, now)).isFalse();
        assertThat(circuit.state()).isEqualTo(State.OPEN);
    }

    @Test
    void staysClosedAfterFailuresOfOneOfSeveralClients() {
        several = true;
        fail(100);
        circuit.failed(OTHER, now);
        assertThat(circuit.isClosed()).isTrue();

        assertThat(circuit.failed(CLIENT, now)).isTrue();
    }

    /** Otherwise an endpoint that gets the requests of one client only would never go down for it. */
    @Test
    void failuresOfTheSameClientCountAgainAfterABackOff() {
        several = true;
        for (int i = 0; i < 2; i++) {
            fail(10);
            pass(10);
            assertThat(circuit.isClosed()).isTrue();
        }

        fail(1);
        assertThat(circuit.isClosed()).isFalse();
    }

    @Test
    void forgetsTheClientOfAFailureAfterASuccess() {
        several = true;
        fail(1);
        circuit.succeeded();
        fail(1);
        circuit.failed(OTHER, now);
        assertThat(circuit.isClosed()).isTrue();

        assertThat(circuit.failed(CLIENT, now)).isTrue();
    }

    @Test
    void countsEachFailureToConnect() {
        several = true;
        fail(2);
        circuit.failed(null, now);
        fail(1);
        assertThat(circuit.isClosed()).isTrue();

        assertThat(circuit.failed(null, now)).isTrue();
    }

    @Test
    void doesNotCountAFurtherFailureOfAClientThatWasAlone() {
        fail(2);
        several = true;
        fail(1);

        assertThat(circuit.isClosed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closesForOthersIfTheFailuresOfOneClientHaveOpenedIt(boolean probing) {
        fail(3);
        assertThat(circuit.claimEarlyProbe(now)).isTrue();
        CircuitBreaker.Claim probe = circuit.claim();
        if (!probing) {
            circuit.ended(probe, true, now);
        }
        several = true;

        assertThat(circuit.claimEarlyProbe(now)).isTrue();
        circuit.ended(probe, true, now);
        fail(1);
        assertThat(circuit.isClosed()).isTrue();
        circuit.failed(OTHER, now);
        assertThat(circuit.failed(CLIENT, now)).isTrue();
        assertThat(circuit.claimEarlyProbe(now)).isTrue();
        assertThat(circuit.state()).as("opened by several clients").isEqualTo(State.PROBING);
    }

    @Test
    void admitsAProbeAtOnceAfterAChangeOfAddress() {
        fail(3);
        circuit.moved(now);
        assertThat(circuit.claimProbe(now)).isTrue();

        CircuitBreaker.Claim former = circuit.claim();
        circuit.moved(now);
        assertThat(circuit.claimProbe(now)).isTrue();
        circuit.ended(former, true, now);
        assertThat(circuit.state()).as("its probe is another one").isEqualTo(State.PROBING);
    }

    @Test
    void admitsOneProbeAfterTheBackOff() {
        fail(3);
        pass(9);
        assertThat(circuit.claimProbe(now)).isFalse();

        pass(4);
        assertThat(circuit.claimProbe(now)).isTrue();
        assertThat(circuit.claimProbe(now)).isFalse();
        assertThat(circuit.claimEarlyProbe(now)).isFalse();
        assertThat(circuit.state()).isEqualTo(State.PROBING);
    }

    @Test
    void closesWithTheResponseToAProbe() {
        fail(3);
        pass(13);
        circuit.claimProbe(now);

        assertThat(circuit.succeeded()).isTrue();
        assertThat(circuit.isClosed()).isTrue();
        assertThat(circuit.succeeded()).isFalse();
        fail(2);
        assertThat(circuit.isClosed()).isTrue();
    }

    /** Jitter adds up to a quarter to the back-off, but never beyond the longest one. */
    @ParameterizedTest
    @CsvSource({"0, 10", "1, 20", "2, 40", "3, 80", "4, 160", "5, 300", "9, 300"})
    void doublesTheBackOffWithEachFailedProbe(int probes, int seconds) {
        fail(3);
        for (int i = 0; i < probes; i++) {
            pass(300);
            assertThat(circuit.claimProbe(now)).isTrue();
            circuit.ended(circuit.claim(), true, now);
        }
        pass(seconds - 1);
        assertThat(circuit.claimProbe(now)).isFalse();
        pass(Math.min(seconds / 4 + 1, 300 - seconds) + 1);
        assertThat(circuit.claimProbe(now)).isTrue();
    }

    @Test
    void probesEarlyOneAtATimeWithoutALongerBackOff() {
        fail(3);
        for (int i = 0; i < 100; i++) {
            assertThat(circuit.claimEarlyProbe(now)).isTrue();
            assertThat(circuit.claimEarlyProbe(now)).isFalse();
            circuit.ended(circuit.claim(), true, now);
        }
        pass(13);
        assertThat(circuit.claimProbe(now)).isTrue();
    }

    @Test
    void ignoresFailuresOfRequestsFromBefore() {
        fail(100);
        pass(13);

        assertThat(circuit.claimProbe(now)).isTrue();
    }

    @Test
    void admitsAnotherProbeForOneThatIsCancelled() {
        fail(3);
        pass(13);
        circuit.claimProbe(now);
        circuit.ended(circuit.claim(), false, now);

        assertThat(circuit.state()).isEqualTo(State.OPEN);
        assertThat(circuit.claimProbe(now)).isTrue();
    }

    @Test
    void admitsNoProbeBesideOneForTheEndsOfOtherRequests() {
        CircuitBreaker.Claim before = circuit.claim();
        fail(3);
        pass(13);
        assertThat(circuit.claimProbe(now)).isTrue();
        CircuitBreaker.Claim probe = circuit.claim();

        circuit.ended(before, false, now);
        circuit.ended(before, true, now);
        fail(1);
        assertThat(circuit.state()).isEqualTo(State.PROBING);
        circuit.ended(probe, true, now);
        assertThat(circuit.state()).isEqualTo(State.OPEN);
        assertThat(circuit.claimProbe(now)).as("backs off").isFalse();
    }

    @Test
    void givesALostProbeUp() {
        fail(3);
        circuit.claimEarlyProbe(now);
        pass(4);
        assertThat(circuit.claimEarlyProbe(now)).isFalse();
        pass(1);
        assertThat(circuit.claimEarlyProbe(now)).isTrue();
    }

    @Test
    void staysOpenUntilChecksPassIfTheyHaveOpenedIt() {
        assertThat(circuit.checksFailed(now)).isTrue();
        assertThat(circuit.checksFailed(now)).isFalse();
        pass(10_000);
        assertThat(circuit.claimProbe(now)).isFalse();

        assertThat(circuit.claimEarlyProbe(now)).isTrue();
        assertThat(circuit.succeeded()).isFalse();
        assertThat(circuit.isClosed()).isFalse();
        assertThat(circuit.checksPassed()).isTrue();
        assertThat(circuit.isClosed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsTheBackOffOfFailedConnectionsWhenChecksPass(boolean connecting) {
        for (int i = 0; i < 3; i++) {
            circuit.failed(connecting ? null : CLIENT, now);
        }
        assertThat(circuit.checksPassed()).isEqualTo(connecting);
        assertThat(circuit.isClosed()).isEqualTo(connecting);
    }
}
