package io.sluice.gateway;

import io.sluice.gateway.tls.DevCertificate;
import io.sluice.gateway.tls.TlsException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/** Writes a self-signed certificate for development. */
final class DevCertCommand extends Command {
    private final OptionSpec hosts = option(OptionSpec.builder("--host").paramLabel("NAME").type(List.class)
            .auxiliaryTypes(String.class).initialValue(List.of())
            .description("A further name or address of the server. May be repeated."));
    private final OptionSpec directory = option(OptionSpec.builder("--dir").paramLabel("DIR")
            .type(Path.class).initialValue(Path.of(""))
            .description("The directory of the certificate and its key (default: this one)."));
    private final OptionSpec force = option(OptionSpec.builder("--force").type(boolean.class)
            .initialValue(false).description("Replace a certificate that exists."));

    DevCertCommand() {
        super("dev-cert", "Make a self-signed certificate of this machine for development.");
    }

    @Override
    public Integer call() throws TlsException {
        print(DevCertificate.write(hosts.getValue(), directory.getValue(), force.getValue()));
        return DONE;
    }
}
