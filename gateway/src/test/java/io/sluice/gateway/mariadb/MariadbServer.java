package io.sluice.gateway.mariadb;

import io.sluice.gateway.Containers;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.mariadb.MariaDBContainer;

/**
 * A MariaDB for tests. It runs in a container, or, if Docker has no image, as a process of this machine. All
 * tests of a JVM share one server, which ends with the JVM, and each test creates tables of its own.
 */
public final class MariadbServer {
    private static final String IMAGE = "mariadb:11";

    private static @Nullable MariadbServer running;

    private final String url;

    private MariadbServer(String url) {
        this.url = url;
    }

    /** Returns the shared server; starts it at the first call, or skips the test if there is none. */
    public static synchronized MariadbServer get() throws IOException, InterruptedException {
        if (running == null) {
            running = start();
        }
        return running;
    }

    /** Pulls an image only where there is nothing else, as that takes a minute where none can be pulled. */
    private static MariadbServer start() throws IOException, InterruptedException {
        if (MariadbProcess.isInstalled() && !hasImage()) {
            MariadbProcess process = MariadbProcess.startOrSkip();
            Runtime.getRuntime().addShutdownHook(new Thread(process::close));
            return new MariadbServer(process.url());
        }
        try {
            return Containers.start(MariadbServer::inContainer);
        } catch (IllegalStateException e) {
            return Containers.skipProgram("apt-get install mariadb-server, or docker pull " + IMAGE + "; "
                    + e.getMessage());
        }
    }

    private static boolean hasImage() {
        try {
            DockerClientFactory.instance().client().inspectImageCmd(IMAGE).exec();
            return true;
        } catch (RuntimeException e) { // no engine, or none of that name
            return false;
        }
    }

    private static MariadbServer inContainer() {
        MariaDBContainer container = new MariaDBContainer(IMAGE).withDatabaseName("shop")
                .withUsername("sluice").withPassword("s3cret")
                .withCommand("mariadbd", "--skip-name-resolve", "--innodb-flush-log-at-trx-commit=2");
        container.start();
        System.out.println("MariaDB for tests: container of " + IMAGE);
        return new MariadbServer(container.getJdbcUrl());
    }

    /** Returns the URL of the database {@code shop}. */
    public String url() {
        return url;
    }

    public String user() {
        return "sluice";
    }

    public String password() {
        return "s3cret";
    }
}
