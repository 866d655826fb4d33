/** What a decapsulation tells of the encapsulation that carried an inner request. */
export type InnerContext = {
  /** The encapsulated key, raw octets. */
  readonly enc: Uint8Array
  /** Lower-case hex SHA-256 of the whole encapsulated request. */
  readonly encapsulation: string
}
