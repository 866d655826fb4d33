import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { outliveReader } from '../../src/node/outlive-reader.js'

const failure = (code: string): Error => Object.assign(new Error(code), { code })

describe('a stream whose reader has gone', () => {
  it('ends nothing', () => {
    const stream = new PassThrough()
    outliveReader(stream)
    expect(() => stream.emit('error', failure('EPIPE'))).not.toThrow()
  })

  it('is told from one that cannot be written for another reason', () => {
    const stream = new PassThrough()
    outliveReader(stream)
    expect(() => stream.emit('error', failure('ENOSPC'))).toThrow('ENOSPC')
  })
})
