package io.sluice.gateway;

import io.sluice.config.GatewayConfig;
import io.sluice.config.read.ConfigException;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.logging.LogSetup;
import io.sluice.gateway.tls.Certificates;
import io.sluice.gateway.tls.DevCertificate;
import io.sluice.gateway.tls.TlsException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command line. Exit codes: 0 after a drain, 1 where the gateway cannot start, 2 for a wrong
 * command line or configuration.
 */
public final class Main {
    private static final String DEMO = "demo.conf";
    private static final String DEMO_WITH_CODE = "demo-code.conf";
    /** Whether the demo runs strangers' programs. */
    private static final String CODE_EXECUTION = "sluice.demo.code-execution";

    private Main() {
    }

    /** Runs a command. */
    public static void main(String[] args) {
        tune();
        int code = run(System.out, System.err, args);
        if (code != 0) {
            System.exit(code);
        }
    }

    /** Settings of libraries, before these are loaded, where the command line has none. */
    private static void tune() {
        Properties settings = System.getProperties();
        // Leaks are looked for in tests, in all buffers; to look in some, here, costs each request.
        settings.putIfAbsent("io.netty.leakDetection.level", "disabled");
        // For the first answer to come sooner: no events for the JDK's flight recorder, and no method handle
        // for each record of the configuration, which is made once.
        settings.putIfAbsent("io.netty.jfr.enabled", "false");
        settings.putIfAbsent("jdk.reflect.useNativeAccessorOnly", "true");
    }

    /** Runs a command; after {@code serve} the gateway's threads go on until the process is told to stop. */
    static int run(PrintStream out, PrintStream err, String... args) {
        try {
            CommandLine line = CommandLine.parse(args);
            switch (line.command()) {
                case SERVE -> serve(load(line));
                case CHECK -> check(load(line), out);
                case VERSION -> out.println("sluice " + version());
                case DEV_CERT -> out.print(DevCertificate.write(line.devCert().hosts(),
                        line.devCert().dir(), line.devCert().force()));
                case TRAIN -> train();
                case HELP -> out.print(CommandLine.USAGE);
            }
            return 0;
        } catch (CommandLine.UsageException | ConfigException | TlsException e) {
            err.println(e.getMessage());
            return 2;
        } catch (StartException e) {
            err.println(e.getMessage());
            return 1;
        }
    }

    private static GatewayConfig load(CommandLine line) throws CommandLine.UsageException {
        var overrides = new HashMap<String, String>();
        System.getProperties().forEach((key, value) -> overrides.put(key.toString(), value.toString()));
        overrides.putAll(line.overrides());
        if (line.config().isPresent()) {
            return new ConfigLoader(overrides).load(line.config().get());
        }
        String code = Objects.requireNonNullElse(overrides.remove(CODE_EXECUTION), "false");
        if (!code.equals("true") && !code.equals("false")) {
            throw new CommandLine.UsageException(
                    "%s: %s (expected: true or false)".formatted(CODE_EXECUTION, code));
        }
        return new ConfigLoader(overrides).loadResource(code.equals("true") ? DEMO_WITH_CODE : DEMO);
    }

    private static void check(GatewayConfig config, PrintStream out) throws TlsException {
        if (config.tls().enabled()) {
            Certificates.check(config.tls());
        }
        out.print(ConfigReport.of(config));
    }

    private static void serve(GatewayConfig config) throws StartException {
        LogSetup.apply(config.log());
        Logger log = LoggerFactory.getLogger(Main.class);
        Gateway gateway = Gateway.start(config);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            gateway.close();
            log.info("stopped");
            LogSetup.flush();
            // A JVM that was told to stop by a signal would exit with 143 or 130; this was a success.
            Runtime.getRuntime().halt(0);
        }, "shutdown"));
        String tls = gateway.tlsPort().isPresent() ? " and https://localhost:%d/"
                .formatted(gateway.tlsPort().getAsInt()) : "";
        log.info("Sluice {} serves http://localhost:{}/{} - operators look at http://localhost:{}/metrics",
                version(), gateway.port(), tls, gateway.adminPort());
        gateway.awaitClose();
    }

    /** What {@code serve} does from its start until it is warm, and then the end. */
    private static void train() throws StartException {
        GatewayConfig config = new ConfigLoader(Map.of("sluice.server.host", "127.0.0.1",
                "sluice.server.port", "0", "sluice.admin.port", "0")).loadResource(DEMO);
        LogSetup.apply(config.log());
        try (Gateway gateway = Gateway.start(config)) {
            gateway.awaitReady();
        }
        LogSetup.flush();
    }

    private static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "(unpackaged)");
    }
}
