/** What keeps the gateway from being filled up: with connections, open files, memory. */
package io.sluice.gateway.limits;
