import { describe, expect, it } from 'vitest'
import { BootError } from '../../../image/init/boot-error.js'
import { parseToldByHost, proxyAddress } from '../../../image/init/told-by-host.js'

const told = {
  listen: { host: '10.0.0.10', port: 7090 },
  proxy: 'http://10.0.0.138:7081',
  advertise_url: 'http://10.0.0.10:7090',
}

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'accepted'
  } catch (error) {
    return error instanceof BootError ? error.code : 'another error'
  }
}

const readAs = (value: unknown): string => codeOf(() => parseToldByHost(JSON.stringify(value)))

describe('what the host says of a relay', () => {
  it('is where it listens, where the host-proxy is, and where that reaches it', () => {
    expect(parseToldByHost(JSON.stringify(told))).toEqual(told)
    expect(proxyAddress(told)).toEqual(Buffer.from([10, 0, 0, 138]))
  })

  it('is refused as configuration_refused with a member more: a store, a policy, a registry or certificates of its choice', () => {
    for (const member of [
      'store_directory',
      'policy_directory',
      'registry_directory',
      'image_digest',
      'collateral_directory',
    ])
      expect(readAs({ ...told, [member]: '/tmp' })).toBe('configuration_refused')
  })

  it('is refused as configuration_refused with a member less', () => {
    for (const member of Object.keys(told))
      expect(readAs(Object.fromEntries(Object.entries(told).filter(([name]) => name !== member)))).toBe(
        'configuration_refused',
      )
  })

  it('is refused as configuration_refused where it is no object, no JSON, too long, or the proxy is no text', () => {
    for (const value of [null, [], 'text', 7, { ...told, proxy: 7 }])
      expect(readAs(value)).toBe('configuration_refused')
    expect(codeOf(() => parseToldByHost('{'))).toBe('configuration_refused')
    expect(readAs({ ...told, listen: 'x'.repeat(5000) })).toBe('configuration_refused')
  })

  it('is refused as configuration_refused where the host-proxy has a name: there is nobody to look it up', () => {
    for (const proxy of ['http://proxy.example:7081', 'http://[::1]:7081', '10.0.0.138', ''])
      expect(codeOf(() => proxyAddress({ ...told, proxy }))).toBe('configuration_refused')
  })
})
