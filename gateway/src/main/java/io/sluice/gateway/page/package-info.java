/** Pages for people: files from the class path. */
package io.sluice.gateway.page;
