import { bhttpConsumers } from './bhttp.js'
import { jsonConsumers } from './json.js'
import { keyConsumers } from './keys.js'
import { logConsumers } from './log.js'
import { ohttpConsumers } from './ohttp.js'
import type { Consumer } from './vector.js'

/** Who consumes a folder, by the kind that its expect.json names. */
export const CONSUMERS: Record<string, Consumer> = {
  ...bhttpConsumers,
  ...jsonConsumers,
  ...keyConsumers,
  ...logConsumers,
  ...ohttpConsumers,
}
