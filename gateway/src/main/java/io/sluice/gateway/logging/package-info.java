/** The logs: text for terminals, JSON lines for programs, written asynchronously. */
package io.sluice.gateway.logging;
