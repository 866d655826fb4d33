import type { JsonObject } from '@parley/protocol'

/** Writes exclusive alternatives as plain ones, which is wider. */
export const oneOfAsAnyOf = ({ oneOf, ...schema }: JsonObject): JsonObject =>
  oneOf === undefined || schema['anyOf'] !== undefined ? schema : { ...schema, anyOf: oneOf }
