import * as v from 'valibot'

/**
 * The schema of an object that is open in its names. Every member counts: valibot's own record passes over some names,
 * such as `constructor`. Values are checked, not changed.
 */
export const recordOf = <T>(
  name: v.GenericSchema<string>,
  item: v.GenericSchema<T>,
): v.GenericSchema<Readonly<Record<string, T>>> =>
  v.custom<Readonly<Record<string, T>>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.entries(value).every(([key, inner]) => v.is(name, key) && v.is(item, inner)),
  )
