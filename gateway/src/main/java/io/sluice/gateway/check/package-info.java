/**
 * Checks of a configuration beyond its texts: files, interpreters and certificates of this machine, and
 * statements in their databases.
 */
package io.sluice.gateway.check;
