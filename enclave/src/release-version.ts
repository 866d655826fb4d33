/** What the keyset says of the program; the version of this package. */
export const RELEASE_VERSION = '0.1.0'
