/** What an attribute of an entity may be. */
export type AttributeValue = string | number | boolean | readonly string[]

/** A principal or a resource as the policy sees it. Its attributes are the host's, never the asker's. */
export type PolicyEntity = {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** An entity by name alone. */
export type EntityName = { readonly type: string; readonly id: string }

/** The name of an entity. */
export const nameOf = ({ type, id }: PolicyEntity): EntityName => ({ type, id })
