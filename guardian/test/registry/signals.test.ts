import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { play } from './shipped.js'

// What each program says at the edges of its codes. negotiation-band has a file of its own.

describe('salary alignment', () => {
  const signal = play('salary-alignment')
  const say = (
    [least, target]: readonly [number, number],
    [planned, most]: readonly [number, number],
    levers: readonly [readonly string[], readonly string[]] = [[], []],
    currencies: readonly [string, string] = ['EUR', 'EUR'],
  ) =>
    signal(
      { least, target, currency: currencies[0], levers: levers[0] },
      { planned, most, currency: currencies[1], levers: levers[1] },
    )

  test.each([
    ['the plan at the target', [50, 60], [60, 70], 'WITHIN_PLAN'],
    ['the plan just below it, the most at it', [50, 60], [59, 60], 'WITHIN_BUDGET'],
    ['everything at zero', [0, 0], [0, 0], 'WITHIN_PLAN'],
    ['a least above the target', [61, 60], [60, 70], 'INCONSISTENT'],
    ['a plan above the most', [50, 60], [71, 70], 'INCONSISTENT'],
    ['a most below the least by more than a tenth', [100, 120], [80, 89], 'APART_FAR'],
  ] as const)('of %s says nothing of other terms', (_, candidate, employer, alignment) => {
    const both = [['BONUS'], ['BONUS']] as const
    expect(say(candidate, employer, both)).toEqual({ alignment, levers: 'UNDISCLOSED' })
  })

  test.each([
    ['the most just below the target', [50, 60], [50, 59], 'BELOW_TARGET'],
    ['the most at the least', [50, 60], [50, 50], 'BELOW_TARGET'],
    ['the most just below the least', [100, 120], [80, 99], 'APART_NEAR'],
    ['the most a tenth below the least', [100, 120], [80, 90], 'APART_NEAR'],
  ] as const)('of %s counts the terms that both name', (_, candidate, employer, alignment) => {
    expect(say(candidate, employer, [['BONUS'], ['LEAVE']])).toEqual({ alignment, levers: 'NONE' })
    expect(say(candidate, employer, [['BONUS', 'LEAVE'], ['LEAVE']])).toEqual({ alignment, levers: 'ONE' })
    const all = ['BONUS', 'EQUITY', 'LEAVE', 'PENSION', 'REMOTE', 'TRAINING']
    expect(say(candidate, employer, [all, all.toReversed()])).toEqual({ alignment, levers: 'SEVERAL' })
  })

  test('compares nothing across currencies', () => {
    expect(say([1, 2], [3, 4], undefined, ['EUR', 'USD'])).toEqual({
      alignment: 'CURRENCY_MISMATCH',
      levers: 'UNDISCLOSED',
    })
  })

  test('comes for every admitted input', () => {
    const amount = fc.oneof(fc.nat(1_000_000_000), fc.nat(100))
    fc.assert(
      fc.property(fc.tuple(amount, amount), fc.tuple(amount, amount), (candidate, employer) => {
        expect(() => say(candidate, employer)).not.toThrow()
      }),
    )
  })
})

describe('hiring fit', () => {
  const signal = play('hiring-fit')
  type Skills = Readonly<Record<string, number>>
  const rows = (skills: Skills) => Object.entries(skills).map(([skill, level]) => ({ skill, level }))
  const say = (
    has: Skills,
    required: Skills,
    wished: Skills = {},
    [years, asked]: readonly [number, number] = [5, 5],
    [ours, theirs]: readonly [readonly string[], readonly string[]] = [['REMOTE'], ['REMOTE']],
  ) =>
    signal(
      { skills: rows(has), years, modes: ours },
      { required: rows(required), wished: rows(wished), years: asked, modes: theirs },
    )
  const four = { a: 3, b: 3, c: 3, d: 3 }

  test.each([
    ['all at the level asked', { a: 3, b: 3, c: 3, d: 5 }, 'ALL'],
    ['three of four', { a: 3, b: 3, c: 3, d: 2 }, 'MOST'],
    ['two of four', { a: 3, b: 3, c: 2, d: 2 }, 'SOME'],
    ['one of four', { a: 3, b: 2, c: 2, d: 2 }, 'FEW'],
    ['none of them', { z: 5 }, 'FEW'],
  ])('of %s', (_, has, required) => {
    expect(say(has, four)).toEqual({ required, wished: 'NONE', experience: 'ENOUGH', arrangement: 'SHARED' })
  })

  test.each([
    ['none of two', {}, 'NONE'],
    ['one of two', { x: 3 }, 'SOME'],
    ['both', { x: 3, y: 3 }, 'MANY'],
  ])('of %s wished skills', (_, has, wished) => {
    expect(say({ ...four, ...has }, four, { x: 3, y: 3 })).toMatchObject({ wished })
  })

  test('of a year too few, and of no way of working in common', () => {
    expect(say(four, four, {}, [4, 5], [['REMOTE'], ['HYBRID', 'ON_SITE']])).toMatchObject({
      experience: 'SHORT',
      arrangement: 'APART',
    })
  })

  test('a skill is the text itself: case counts', () => {
    expect(say({ a: 3 }, { A: 3 })).toMatchObject({ required: 'FEW' })
  })

  test('stays within its cost limit for the longest lists of the longest words that differ last', () => {
    const words = (count: number, from: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          '\u{1F600}'.repeat(31) + String.fromCodePoint(0x1f300 + from + at),
          5,
        ]),
      )
    expect(
      say(words(24, 0), words(12, 100), words(12, 200), [0, 60], [['REMOTE'], ['HYBRID', 'ON_SITE']]),
    ).toEqual({
      required: 'FEW',
      wished: 'NONE',
      experience: 'SHORT',
      arrangement: 'APART',
    })
  })
})

describe('scheduling overlap', () => {
  const signal = play('scheduling-overlap')
  type Window = readonly [day: number, start: number, end: number]
  const side = (minutes: number, windows: readonly Window[]) => ({
    minutes,
    free: windows.map(([day, start, end]) => ({ day, start, end })),
  })
  const say = (ours: readonly Window[], theirs: readonly Window[], [a, b] = [30, 30]) =>
    signal(side(a, ours), side(b, theirs))
  const each = (days: readonly number[]): Window[] => days.map((day) => [day, 600, 660])

  test.each<[string, readonly Window[], readonly Window[], string, number]>([
    ['no window at all', [], [], 'NONE', 0],
    ['windows on other days', each([1]), each([2]), 'NONE', 0],
    ['windows that only touch', [[3, 540, 600]], [[3, 600, 660]], 'NONE', 0],
    ['an overlap one minute short', [[3, 540, 629]], [[3, 600, 660]], 'NONE', 0],
    ['an overlap just long enough', [[3, 540, 630]], [[3, 600, 660]], 'ONE', 3],
    ['one window inside the other', [[5, 0, 1440]], [[5, 600, 630]], 'ONE', 5],
    [
      'two overlaps on one day',
      [[5, 0, 1440]],
      [
        [5, 600, 630],
        [5, 700, 730],
      ],
      'ONE',
      5,
    ],
    ['two days, the later one first', each([9, 2]), each([2, 9]), 'FEW', 2],
    ['three days', each([14, 13, 12]), each([12, 13, 14]), 'FEW', 12],
    ['four days', each([1, 5, 9, 14]), each([1, 5, 9, 14]), 'MANY', 1],
    ['a window that ends before it starts', [[4, 900, 300]], [[4, 0, 1440]], 'NONE', 0],
  ])('of %s', (_, ours, theirs, days, first) => {
    expect(say(ours, theirs)).toEqual({ days, first })
    expect(say(theirs, ours)).toEqual({ days, first })
  })

  test('the longer of the two meetings counts', () => {
    expect(say(each([7]), each([7]), [60, 15])).toEqual({ days: 'ONE', first: 7 })
    expect(say(each([7]), each([7]), [15, 61])).toEqual({ days: 'NONE', first: 0 })
  })

  test('is the same from either side, and agrees with minutes counted one by one', () => {
    const window = fc.tuple(fc.integer({ min: 1, max: 14 }), fc.nat(1440), fc.nat(1440))
    const windows = fc.array(window, { maxLength: 6 })
    fc.assert(
      fc.property(windows, windows, fc.integer({ min: 15, max: 480 }), (ours, theirs, minutes) => {
        const shared = new Set<number>()
        for (const [day, start, end] of ours)
          for (const [other, from, to] of theirs) {
            const common = Array.from({ length: 1440 }, (_, at) => at).filter(
              (at) => at >= start && at < end && at >= from && at < to,
            )
            if (day === other && common.length >= minutes) shared.add(day)
          }
        const days = ['NONE', 'ONE', 'FEW', 'FEW'][shared.size] ?? 'MANY'
        const expected = { days, first: shared.size === 0 ? 0 : Math.min(...shared) }
        expect(say(ours, theirs, [minutes, 15])).toEqual(expected)
        expect(say(theirs, ours, [15, minutes])).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  test('stays within its cost limit where every pair is compared to its end', () => {
    const whole: Window[] = Array.from({ length: 24 }, () => [14, 0, 1440])
    const short: Window[] = Array.from({ length: 24 }, () => [14, 960, 1439])
    expect(say(whole, short, [480, 480])).toEqual({ days: 'NONE', first: 0 })
    expect(say(whole, [...short.slice(1), [14, 960, 1440]], [480, 480])).toEqual({ days: 'ONE', first: 14 })
  })
})

describe('reference check', () => {
  const signal = play('reference-check')
  const aspects = ['candour', 'craft', 'delivery', 'judgement', 'reliability', 'teamwork']
  const row = (marks: readonly number[]) =>
    Object.fromEntries(aspects.map((name, at) => [name, marks[at] ?? 0]))
  const say = (
    needed: readonly number[],
    marks: readonly number[],
    [asked, worked] = [6, 6],
    again = 'YES',
  ) => signal({ months: asked, needed: row(needed) }, { months: worked, marks: row(marks), again })

  test.each([
    ['every mark at what is needed', [5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 1], 'CONFIRMED'],
    ['one mark short by one', [4, 4, 4, 4, 4, 4], [3, 4, 4, 4, 4, 4], 'WITH_RESERVATIONS'],
    ['two marks short by one', [4, 4, 4, 4, 4, 4], [3, 4, 4, 4, 4, 3], 'WITH_RESERVATIONS'],
    ['three marks short by one', [4, 4, 4, 4, 4, 4], [3, 3, 4, 4, 4, 3], 'NOT_CONFIRMED'],
    ['one mark short by two', [4, 4, 4, 4, 4, 4], [4, 4, 2, 4, 4, 4], 'NOT_CONFIRMED'],
    ['nothing that matters', [0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1], 'CONFIRMED'],
  ])('of %s', (_, needed, marks, reference) => {
    for (const again of ['YES', 'NO', 'UNSAID'])
      expect(say(needed, marks, [6, 6], again)).toEqual({ reference, again })
  })

  test('of a month too few says nothing of marks or of working together again', () => {
    for (const mark of [1, 5])
      expect(say([3, 3, 3, 3, 3, 3], Array<number>(6).fill(mark), [6, 5], 'NO')).toEqual({
        reference: 'TOO_LITTLE_CONTACT',
        again: 'UNSAID',
      })
  })
})

describe('private set overlap', () => {
  const signal = play('set-overlap')
  const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)
  const say = (ours: readonly number[], theirs: readonly number[]) =>
    signal({ elements: ours }, { elements: theirs })

  test.each([
    ['none', 10, 10, 0, 'FEW_OR_NONE', 'UNDISCLOSED'],
    ['two', 10, 10, 2, 'FEW_OR_NONE', 'UNDISCLOSED'],
    ['three of ten', 10, 10, 3, 'SEVERAL', 'LESS_THAN_HALF'],
    ['five of ten', 10, 200, 5, 'SEVERAL', 'HALF_OR_MORE'],
    ['nine of nineteen', 19, 20, 9, 'SEVERAL', 'LESS_THAN_HALF'],
    ['ten of twenty', 20, 20, 10, 'TENS', 'HALF_OR_MORE'],
    ['ten of twenty-one', 21, 200, 10, 'TENS', 'LESS_THAN_HALF'],
    ['ninety-nine of two hundred', 200, 200, 99, 'TENS', 'LESS_THAN_HALF'],
    ['a hundred of two hundred', 200, 200, 100, 'MANY', 'HALF_OR_MORE'],
    ['all of two hundred', 200, 200, 200, 'MANY', 'HALF_OR_MORE'],
  ])('of %s elements in common', (_, ours, theirs, shared, size, share) => {
    const [a, b] = [range(0, ours), range(ours - shared, theirs)]
    expect(say(a, b)).toEqual({ size, share })
    expect(say(b, a.toReversed())).toEqual({ size, share })
  })

  test('a probe for one element among made-up ones looks like no overlap', () => {
    const probe = [...range(1_000_000, 9), 7]
    expect(say(probe, range(0, 50))).toEqual(say(range(1_000_000, 10), range(0, 50)))
  })
})

describe('mediation by remedies', () => {
  const signal = play('mediation-remedies')
  const remedies = [
    'apology',
    'correction',
    'delay',
    'discount',
    'ending',
    'repair',
    'repayment',
    'replacement',
  ]
  type Marks = Readonly<Record<string, number>>
  const row = (marks: Marks) => Object.fromEntries(remedies.map((name) => [name, marks[name] ?? 0]))
  const say = (ours: Marks, theirs: Marks) => signal(row(ours), row(theirs))

  test.each<[string, Marks, Marks, string, string]>([
    ['everything refused', {}, {}, 'NONE', 'UNDISCLOSED'],
    ['each wants what the other refuses', { repair: 3 }, { delay: 3 }, 'NONE', 'UNDISCLOSED'],
    ['one remedy that both can bear', { repair: 1, delay: 3 }, { repair: 1 }, 'ONE', 'REPAIR'],
    ['the larger sum', { repair: 2, delay: 1 }, { repair: 2, delay: 2 }, 'SEVERAL', 'REPAIR'],
    ['of one sum, the fairer one', { delay: 3, repair: 2 }, { delay: 1, repair: 2 }, 'SEVERAL', 'REPAIR'],
    ['of two alike, the first by name', { repair: 2, delay: 2 }, { repair: 2, delay: 2 }, 'SEVERAL', 'DELAY'],
    [
      'a larger sum before a fairer one',
      { delay: 3, repair: 2 },
      { delay: 2, repair: 2 },
      'SEVERAL',
      'DELAY',
    ],
  ])('of %s', (_, ours, theirs, ground, remedy) => {
    expect(say(ours, theirs)).toEqual({ ground, remedy })
    expect(say(theirs, ours)).toEqual({ ground, remedy })
  })

  test.each(remedies)('names %s where it is the only one', (remedy) => {
    expect(say({ [remedy]: 3 }, { [remedy]: 1 })).toEqual({ ground: 'ONE', remedy: remedy.toUpperCase() })
  })

  test('comes for every admitted input, and is the same from either side', () => {
    const marks = fc.tuple(...remedies.map(() => fc.nat(3)))
    fc.assert(
      fc.property(marks, marks, (ours, theirs) => {
        const row = (values: readonly number[]) =>
          Object.fromEntries(remedies.map((name, at) => [name, values[at] ?? 0]))
        expect(signal(row(ours), row(theirs))).toEqual(signal(row(theirs), row(ours)))
      }),
    )
  })
})
