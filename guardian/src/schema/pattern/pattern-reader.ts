type Times = readonly [least: number, most: number]

/** Reads a pattern by code points. */
export class PatternReader {
  readonly #points: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#points = Array.from(text)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#points.length
  }

  /** The code point that comes next, '' at the end. */
  get next(): string {
    return this.#points[this.#at] ?? ''
  }

  /** Whether this code point came next; then it is read. */
  take(point: string): boolean {
    if (this.next !== point) return false
    this.#at += 1
    return true
  }

  /** Reads one code point, as the range of it alone. */
  literal(): readonly [number, number] {
    const point = this.next.codePointAt(0) ?? 0
    this.#at += 1
    return [point, point]
  }

  /** Reads how often the part before is repeated: undefined where nothing says so, null where it is malformed. */
  times(): Times | null | undefined {
    if (this.take('*')) return [0, Infinity]
    if (this.take('+')) return [1, Infinity]
    if (this.take('?')) return [0, 1]
    return this.take('{') ? this.#braces() : undefined
  }

  #braces(): Times | null {
    const least = this.#number()
    if (least === null) return null
    if (this.take('}')) return [least, least]
    if (!this.take(',')) return null
    if (this.take('}')) return [least, Infinity]
    const most = this.#number()
    return most !== null && this.take('}') ? [least, most] : null
  }

  #number(): number | null {
    let digits = ''
    for (; /^[0-9]$/.test(this.next); this.#at += 1) digits += this.next
    return digits === '' ? null : Number(digits)
  }
}
