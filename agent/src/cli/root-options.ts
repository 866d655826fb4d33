/** `--root`: a root of secure processors beside AMD's. */
export const ROOT = [
  '--root <file>',
  'extra root, DER or PEM; counts only with accept_simulated in the policy',
] as const

/** `--google-root`: the root of the TPMs of Google Cloud. */
export const GOOGLE_ROOT = [
  '--google-root <file>',
  "Google's root of the keys of its TPMs, DER or PEM; none is built in",
] as const

/** `--tpm-root`: any other root of TPMs. */
export const TPM_ROOT = [
  '--tpm-root <file>',
  'extra root of TPMs, DER or PEM; counts only with accept_simulated in the policy',
] as const

/** The files that these options name. */
export type RootOptions = { readonly root?: string; readonly googleRoot?: string; readonly tpmRoot?: string }
