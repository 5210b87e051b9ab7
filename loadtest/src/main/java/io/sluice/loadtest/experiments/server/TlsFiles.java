package io.sluice.loadtest.experiments.server;

import java.nio.file.Path;

/** A certificate and its private key, in PEM. */
public record TlsFiles(Path certificate, Path privateKey) {}
