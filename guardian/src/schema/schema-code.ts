/** Why a schema is refused, with the pointer of the cause in the schema. The union is closed. */
export type SchemaCode =
  /** Not a schema, or a keyword with a value that JSON Schema does not allow there. */
  | 'schema_malformed'
  /** A keyword or dialect outside the family that is counted. */
  | 'keyword_unsupported'
  /** Admits more than can be counted or sized: free strings, numbers, missing types or bounds. */
  | 'value_unbounded'
  /** An object without `additionalProperties: false`. */
  | 'object_open'
  /** Admits nothing. */
  | 'schema_contradictory'
  | 'enum_duplicate'
  /** A bound or an enumerated number that is not an integer in ±(2^53−1). */
  | 'number_not_exact'
  /** A `$ref` that is no pointer to a schema in the same document. */
  | 'reference_unresolved'
  /** A schema that contains itself. */
  | 'reference_cycle'
  /** Alternatives that may admit the same value: their sum would count it twice. */
  | 'union_not_disjoint'
  /** A pattern that is not anchored at both ends, or says more than classes, groups and repetition. */
  | 'pattern_unsupported'
  /** Unique items of sets that overlap, or members that depend on one another, beyond what is counted exactly. */
  | 'not_countable'
  | 'schema_too_deep'
  /** Takes more work to read or to count than one schema may cost. */
  | 'schema_too_complex'
  /** More distinct outputs than 4096 bits can number. */
  | 'capacity_too_large'
  /** The longest admitted value is over 1 MiB of canonical JSON. */
  | 'value_too_large'
