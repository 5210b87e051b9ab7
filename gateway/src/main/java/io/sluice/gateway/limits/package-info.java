/** Limits of connections, open files and direct memory. */
package io.sluice.gateway.limits;
