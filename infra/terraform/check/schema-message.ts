import type { Attribute, Block, NestedBlock, ProviderSchema } from '../schema/block.js'
import { bytesField, numberField } from './protobuf.js'

// Field numbers of Terraform's plugin protocol, version 5 (tfplugin5.proto).
const RESPONSE = { provider: 1, resourceSchemas: 2 }
const ENTRY = { key: 1, value: 2 }
const SCHEMA = { block: 2 }
const BLOCK = { attributes: 2, blockTypes: 3 }
const ATTRIBUTE = { name: 1, type: 2, required: 4, optional: 5, computed: 6 }
const NESTED = { typeName: 1, block: 2, nesting: 3, minItems: 4, maxItems: 5 }
const NESTING = { single: 1, list: 2, set: 3 }

/** The answer to GetProviderSchema. */
export const schemaMessage = ({ provider, resources }: ProviderSchema): Buffer =>
  Buffer.concat([
    bytesField(RESPONSE.provider, schema(provider)),
    ...Object.entries(resources).map(([type, block]) =>
      bytesField(
        RESPONSE.resourceSchemas,
        Buffer.concat([bytesField(ENTRY.key, type), bytesField(ENTRY.value, schema(block))]),
      ),
    ),
  ])

const schema = (block: Block): Buffer => bytesField(SCHEMA.block, blockMessage(block))

const blockMessage = ({ attributes = {}, block_types = {} }: Block): Buffer =>
  Buffer.concat([
    ...Object.entries(attributes).map(([name, each]) => bytesField(BLOCK.attributes, attribute(name, each))),
    ...Object.entries(block_types).map(([name, each]) => bytesField(BLOCK.blockTypes, nested(name, each))),
  ])

const attribute = (name: string, { type, required, optional, computed }: Attribute): Buffer =>
  Buffer.concat([
    bytesField(ATTRIBUTE.name, name),
    bytesField(ATTRIBUTE.type, JSON.stringify(type)),
    ...(required === true ? [numberField(ATTRIBUTE.required, 1)] : []),
    ...(optional === true ? [numberField(ATTRIBUTE.optional, 1)] : []),
    ...(computed === true ? [numberField(ATTRIBUTE.computed, 1)] : []),
  ])

const nested = (name: string, { nesting_mode, block, min_items = 0, max_items = 0 }: NestedBlock): Buffer =>
  Buffer.concat([
    bytesField(NESTED.typeName, name),
    bytesField(NESTED.block, blockMessage(block)),
    numberField(NESTED.nesting, NESTING[nesting_mode]),
    numberField(NESTED.minItems, min_items),
    numberField(NESTED.maxItems, max_items),
  ])
