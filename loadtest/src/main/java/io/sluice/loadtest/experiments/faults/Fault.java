package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.site.TargetSite;
import io.sluice.loadtest.experiments.wire.Attacker;
import io.sluice.loadtest.experiments.wire.Squad;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A part that fails for a while, or for good. */
public enum Fault {
    /** Connections to the database are reset, and new ones, too. */
    DATABASE_DOWN(scene -> scene.databases().proxy().down(), Fault::mendDatabase),
    /** Whatever the database sends comes 500 ms late. */
    DATABASE_SLOW(scene -> scene.databases().proxy().slow(Duration.ofMillis(500)), Fault::mendDatabase),
    /** Each connection to the database is reset after 500 bytes of its answers. */
    DATABASE_RESETS(scene -> scene.databases().proxy().resetAfter(500), Fault::mendDatabase),
    /** Another database is the primary, and connections that there are find theirs read-only. */
    DATABASE_FAILS_OVER(scene -> scene.databases().failOver(), null),
    /** No descriptor can be opened (EMFILE). */
    NO_DESCRIPTORS(Fault::useUpDescriptors,
            scene -> scene.gateway().limit("nofile", Integer.toString(TargetSite.SMALL.openFiles()))),
    /** Nothing can be written to the log, nor to temporary files while some answers are not read (EFBIG). */
    DISK_FULL(Fault::fillDisk, Fault::clearDisk),
    /** Clients make the gateway hold all the direct memory that it may: they do not read what they upload. */
    NO_DIRECT_MEMORY(scene -> scene.beset(Squad.deaf(200, uploads())), Scene::relieve),
    /** One of two gateways is told to stop (SIGTERM). */
    ONE_OF_TWO_TERMINATED(scene -> scene.gateway().terminate(), null),
    /** One of two gateways is gone at once (SIGKILL). */
    ONE_OF_TWO_KILLED(scene -> scene.gateway().kill(), null);

    /** Fewer than the database has workers. */
    private static final int UNREAD = 4;
    private static final int UPLOAD_BYTES = 1_000_000;

    private final Step inject;
    private final Step mend;

    Fault(Step inject, Step mend) {
        this.inject = inject;
        this.mend = mend;
    }

    /** Does something to the scene. */
    @FunctionalInterface
    private interface Step {
        void apply(Scene scene) throws Exception;
    }

    private static void mendDatabase(Scene scene) {
        scene.databases().proxy().mend();
    }

    /** Fewer than it has open, but some: without any, poll(2) fails, which needs no new one. */
    private static void useUpDescriptors(Scene scene) throws Exception {
        scene.gateway().limit("nofile", "32");
    }

    private static void fillDisk(Scene scene) throws Exception {
        scene.gateway().limit("fsize", "0");
        scene.beset(Squad.deaf(UNREAD, wire -> {
            wire.send("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(TargetSite.LONG));
            TimeUnit.DAYS.sleep(1);
        }));
    }

    private static void clearDisk(Scene scene) throws Exception {
        scene.relieve();
        scene.gateway().limit("fsize", "unlimited");
    }

    private static Attacker uploads() {
        var body = new byte[UPLOAD_BYTES];
        return wire -> {
            while (true) {
                wire.send("PUT %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                        .formatted(TargetSite.ECHO, UPLOAD_BYTES));
                wire.send(body);
            }
        };
    }

    /** Those that one gateway gets over. */
    public static Stream<Fault> ofOneGateway() {
        return Stream.of(values()).filter(fault -> !fault.needsTwo());
    }

    boolean needsTwo() {
        return this == ONE_OF_TWO_TERMINATED || this == ONE_OF_TWO_KILLED;
    }

    /** Whether it is over when it is mended; if not, the gateways have to get over it as it is. */
    boolean mendable() {
        return mend != null;
    }

    /** Has it fail. */
    public void inject(Scene scene) throws Exception {
        inject.apply(scene);
    }

    /** Ends it, where it is one that ends. */
    public void mend(Scene scene) throws Exception {
        if (mendable()) {
            mend.apply(scene);
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
