/**
 * The key of a participant, as its DID spells it: the last part, of which there is one spelling for each key. The key
 * is the participant, whatever namespace and kind stand before it.
 * @param did a DID that was parsed before
 * @see SPEC §5
 */
export function participantKey(did: string): string {
  return did.slice(did.lastIndexOf(':') + 1)
}
