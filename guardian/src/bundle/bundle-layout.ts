const LAYOUT =
  /^(?:(?:limits|registry-admission|providers|provisioning|engines|residency|egress|profiles\/[a-z0-9-]{1,64})\.json|providers\/[a-z0-9-]{1,64}\.(?:pem|json)|cedar\/(?:schema\.cedarschema|[a-z0-9-]{1,64}\.cedar))$/

/** True for a path that a file of a policy bundle may have. What no one reads would be hashed as if it governed something. */
export const isBundlePath = (path: string): boolean => LAYOUT.test(path)
