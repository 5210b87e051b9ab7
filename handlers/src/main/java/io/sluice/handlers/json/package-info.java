/** JSON: read from bodies of requests member by member, and written. */
package io.sluice.handlers.json;
