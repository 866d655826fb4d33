/** Why a program is refused before it meets an input. The union is closed. */
export type ProgramCode =
  /** Not CEL, or beyond the limits on nesting and size. */
  | 'program_malformed'
  /** A name that is neither an input nor bound by a macro. */
  | 'name_unknown'
  /** A function, method or macro outside the list of protocol SPEC §6. */
  | 'function_unknown'
  /** Doubles, unsigned integers, bytes, integers beyond int64, map keys that are not written out. */
  | 'value_unsupported'
  /** Can only fail: no signature fits the operands. */
  | 'program_ill_typed'
