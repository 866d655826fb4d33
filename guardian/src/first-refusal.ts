import { type Refused, refused } from './refused.js'

/** Keeps the first refusal that a walk meets, so that a compiler needs no exceptions to give up. */
export class FirstRefusal<Code extends string> {
  #found: Refused<Code> | null = null

  refuse(code: Code, pointer: string): void {
    this.#found ??= refused(code, pointer)
  }

  get found(): Refused<Code> | null {
    return this.#found
  }
}
