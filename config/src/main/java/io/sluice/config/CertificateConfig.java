package io.sluice.config;

import io.sluice.config.type.ReadableFile;

/**
 * A certificate with its chain of issuers, and its private key.
 *
 * @param certificate PEM; the server's certificate first, then its issuers
 * @param privateKey PEM, not encrypted
 */
public record CertificateConfig(ReadableFile certificate, ReadableFile privateKey) {
}
