import type { JsonValue } from './json-value.js'

declare const brandName: unique symbol

/** A value that one named check has accepted. Only this package mints brands, and only in this file. */
export type Brand<T, Name extends string> = T & { readonly [brandName]: Name }

/** Marks a value as checked. Call it on the line after the check, in the file that declares the type. */
export const brand = <T, Name extends string>(value: T): Brand<T, Name> => value as Brand<T, Name>

/** `JSON.parse`, typed: whatever it returns is in the JSON data model. Throws SyntaxError. */
export const nativeJsonParse = (text: string): JsonValue => JSON.parse(text) as JsonValue
