/** Handlers and filters from other jars. */
package io.sluice.gateway.plugin;
