import { describe, expect, it } from 'vitest'
import { preferredWait } from '../../src/session/prefer-wait.js'

describe('Prefer: wait', () => {
  it.each([
    [['wait=10'], 10],
    [['wait=0'], 0],
    [['wait=30'], 30],
    [['wait=31'], 30],
    [['wait=999999'], 30],
    [['respond-async, wait=7'], 7],
    [['respond-async', 'wait=7'], 7],
    [['wait=7;foo=1'], 7],
    [['wait=7, wait=8'], 7],
  ])('%j is %d seconds', (fields, seconds) => {
    expect(preferredWait(fields)).toBe(seconds)
  })

  it.each([
    [[]],
    [['']],
    [['wait']],
    [['wait=']],
    [['wait=x']],
    [['wait=-1']],
    [['wait=1.5']],
    [['await=9']],
    [['wait=9999999']],
    [['x="wait=9']],
  ])('%j is none', (fields) => {
    expect(preferredWait(fields)).toBe(0)
  })
})
