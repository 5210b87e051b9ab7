/** Handlers that serve files: selection, conditions and ranges, and sending. */
package io.sluice.handlers.files;
