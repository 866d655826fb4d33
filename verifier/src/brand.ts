declare const brandName: unique symbol

/** A value that a whole appraisal has accepted. Only this package mints these, and only in this file. */
export type Brand<T, Name extends string> = T & { readonly [brandName]: Name }

/** Marks a value as appraised. Call it on the line after the verdict, in the file that declares the type. */
export const brand = <T, Name extends string>(value: T): Brand<T, Name> => value as Brand<T, Name>
