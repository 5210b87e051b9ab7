package io.sluice.config;

import io.sluice.config.type.ReadableFile;

/**
 * A certificate with those that vouch for it, and its key.
 *
 * @param certificate PEM, its own first
 * @param privateKey PEM, not encrypted
 */
public record CertificateConfig(ReadableFile certificate, ReadableFile privateKey) {
}
