/** A secret by name. It goes wherever a value may go, and whatever prints it prints the name. */
export class SecretHandle {
  readonly context: string
  readonly name: string

  /** @param context the credential context whose principals may have it used */
  constructor(context: string, name: string) {
    this.context = context
    this.name = name
    Object.freeze(this)
  }

  toJSON(): { readonly secret: string } {
    return { secret: this.name }
  }

  toString(): string {
    return `secret:${this.name}`
  }
}
