/** Records of the sessions of databases. */
package io.sluice.config.session;
