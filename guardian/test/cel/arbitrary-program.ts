import fc from 'fast-check'

type Terms = { readonly int: string; readonly bool: string; readonly text: string; readonly list: string }

const text = fc.constantFrom('""', '"a"', '"ab"', '"B"', '"é"', 'initiator.text', 'responder.text')
const int = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map(String),
  fc.constantFrom('initiator.n', 'responder.n', 'initiator.list[1]', '9223372036854775807'),
)
const list = fc.constantFrom('[]', '[1, 2]', 'initiator.list', 'responder.list')
const bool = fc.constantFrom('true', 'false', 'initiator.flag', 'has(initiator.missing)', 'initiator.missing')

/** Well-typed programs over {n, text, list, flag}, some of which fail when they run. */
export const arbitraryProgram: fc.Arbitrary<string> = fc
  .letrec<Terms>((tie) => {
    const of = (kind: keyof Terms) => tie(kind)
    const two = (kind: keyof Terms, ops: readonly string[]) =>
      fc.tuple(of(kind), fc.constantFrom(...ops), of(kind)).map(([a, op, b]) => `(${a} ${op} ${b})`)
    const call = (receiver: keyof Terms, method: string, argument: keyof Terms) =>
      fc.tuple(of(receiver), of(argument)).map(([a, b]) => `${a}.${method}(${b})`)
    const loop = (macros: readonly string[], body: keyof Terms) =>
      fc
        .tuple(of('list'), fc.constantFrom(...macros), of(body))
        .map(([range, macro, inner]) => `${range}.${macro}(n, ${inner})`)
    const choice = (kind: keyof Terms) =>
      fc.tuple(of('bool'), of(kind), of(kind)).map(([test, a, b]) => `(${test} ? ${a} : ${b})`)
    const bound = (kind: keyof Terms) =>
      fc.tuple(of('int'), of(kind)).map(([value, inner]) => `cel.bind(x, ${value}, ${inner})`)
    const deep = { maxDepth: 4, depthSize: 'small' as const, withCrossShrink: true }
    return {
      int: fc.oneof(
        deep,
        int,
        two('int', ['+', '-', '*', '/', '%']),
        of('text').map((a) => `size(${a})`),
        of('list').map((a) => `size(${a})`),
        of('int').map((a) => `-(${a})`),
        choice('int'),
        bound('int'),
      ),
      bool: fc.oneof(
        deep,
        bool,
        two('int', ['<', '<=', '>', '>=', '==', '!=']),
        two('text', ['<', '<=', '==', '!=']),
        two('list', ['==', '!=']),
        two('bool', ['&&', '||']),
        of('bool').map((a) => `!(${a})`),
        fc.tuple(of('int'), of('list')).map(([a, b]) => `(${a} in ${b})`),
        call('text', 'contains', 'text'),
        call('text', 'startsWith', 'text'),
        call('text', 'endsWith', 'text'),
        loop(['all', 'exists', 'exists_one'], 'bool'),
      ),
      text: fc.oneof(
        deep,
        text,
        two('text', ['+']),
        of('int').map((a) => `string(${a})`),
        choice('text'),
        of('text').map((a) => `${a}.lowerAscii()`),
      ),
      list: fc.oneof(
        deep,
        list,
        two('list', ['+']),
        loop(['filter'], 'bool'),
        loop(['map'], 'int'),
        fc.array(of('int'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      ),
    }
  })
  .int.chain((term) => fc.constantFrom(term, `[${term}]`))

/** Inputs for them. */
export const arbitraryInputs = fc.record({
  n: fc.integer({ min: -5, max: 5 }),
  text: fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é'), maxLength: 4 }),
  list: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 4 }),
  flag: fc.boolean(),
})
