import type { AgreedContract } from './agreed-contract.js'
import type { ApiServices } from './api-services.js'

/** Whether one more contract may be kept: they differ in size a thousandfold, and anybody may bring one. */
export function hasRoomForContract(
  { table, invites, mostContractBytes }: ApiServices,
  { contractBytes }: AgreedContract,
): boolean {
  const kept = [...table.all(), ...invites.all()].map(({ agreed }) => agreed.contractBytes)
  return kept.reduce((sum, bytes) => sum + bytes, contractBytes) <= mostContractBytes
}
