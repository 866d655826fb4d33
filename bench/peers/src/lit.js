import sdk from '@lit-protocol/sev-snp-utils-sdk'

export const name = '@lit-protocol/sev-snp-utils-sdk 6.11.5 (WASM)'

let loaded

/** @returns a function that verifies the evidence anew, and throws where it refuses it */
export const prepare = async ({ report, leaf }) => {
  loaded ??= sdk.initWasmSevSnpUtilsSdk()
  await loaded
  const text = Buffer.from(report).toString('base64')
  return () => sdk.verify_attestation_report(text, leaf)
}
