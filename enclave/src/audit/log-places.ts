/** The log of the store in which the entries of an epoch stand. */
export const auditLogOf = (epoch: string): string => `audit/${epoch}`

/** The record of the store that holds an epoch's latest checkpoint. */
export const checkpointOf = (epoch: string): string => `checkpoint/${epoch}`

/** The log of the store that holds the keyset of each epoch, in the order of their boots. */
export const KEYSETS = 'keysets'
