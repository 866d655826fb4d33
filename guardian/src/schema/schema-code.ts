/** Why a schema is refused, with the pointer of the cause in the schema. The union is closed. */
export type SchemaCode =
  /** Not a schema, or a keyword with a value that JSON Schema does not allow there. */
  | 'schema_malformed'
  /** A keyword, type list or dialect outside the family that is counted. */
  | 'keyword_unsupported'
  /** Admits more than can be counted or sized: free strings, numbers, missing bounds. */
  | 'value_unbounded'
  /** An object without `additionalProperties: false`. */
  | 'object_open'
  /** Admits nothing, or says one thing twice in different ways. */
  | 'schema_contradictory'
  | 'enum_duplicate'
  /** A bound or an enumerated number that is not an integer in ±(2^53−1). */
  | 'number_not_exact'
  | 'schema_too_deep'
  /** More distinct outputs than 4096 bits can number. */
  | 'capacity_too_large'
  /** The longest admitted value is over 1 MiB of canonical JSON. */
  | 'value_too_large'
