/** Parts of an upstream, and the changes of header fields on the way to it and back. */
package io.sluice.config.upstream;
