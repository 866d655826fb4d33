import type { Provider } from '../../src/policy/providers.js'

/** A provider as a policy bundle has it. */
export const providerRow = (change: Partial<Provider> = {}): Provider => ({
  name: 'main',
  kind: 'anthropic',
  host: 'api.example.com',
  port: 443,
  roots: [],
  account: 'account',
  api_key: 'required',
  attested: null,
  model_file: null,
  ...change,
})
