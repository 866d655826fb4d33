/** A type as Terraform spells it in JSON. */
export type AttributeType = string | readonly AttributeType[]

/** One argument or attribute, as `terraform providers schema -json` prints it. */
export type Attribute = {
  readonly type: AttributeType
  readonly required?: true
  readonly optional?: true
  readonly computed?: true
}

/** One kind of block inside a block. */
export type NestedBlock = {
  readonly nesting_mode: 'single' | 'list' | 'set'
  readonly block: Block
  readonly min_items?: number
  readonly max_items?: number
}

/** The arguments and blocks that a resource or block takes. */
export type Block = {
  readonly attributes?: Readonly<Record<string, Attribute>>
  readonly block_types?: Readonly<Record<string, NestedBlock>>
}

/** The provider's name, its version, and the resources that the module uses. */
export type ProviderSchema = {
  readonly source: string
  readonly version: string
  readonly provider: Block
  readonly resources: Readonly<Record<string, Block>>
}
