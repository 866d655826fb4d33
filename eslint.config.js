import tseslint from 'typescript-eslint'

// Who may import whom. README draws it; this is the one place that holds it.
const MAY_IMPORT = {
  protocol: [],
  attestation: [],
  guardian: ['protocol'],
  enclave: ['protocol', 'attestation', 'attestation/node', 'guardian'],
  'host-proxy': ['protocol/routes'],
  verifier: ['protocol', 'attestation', 'guardian'],
  agent: ['protocol', 'attestation', 'guardian', 'guardian/cedar', 'verifier', 'verifier/node'],
}

// What the node/ half of a room may import beside that.
const NODE_HALF_MAY_IMPORT = { verifier: ['attestation/node'] }

// Rooms that also run in a browser page: no node: import outside their node/ folder.
const PURE = ['protocol', 'guardian', 'attestation', 'verifier']

// The only files that may turn a weaker value into a stronger one with a type assertion.
const MINTS = ['protocol/src/brand.ts', 'attestation/src/brand.ts', 'verifier/src/brand.ts']

const CLOCK = {
  selector:
    "MemberExpression[object.name='Date'][property.name='now'], NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'time is passed in; only a main.ts or a clock.ts reads the clock',
}

const fence = (room, allowed) => ({
  files: [`${room}/src/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^@parley/(?!(?:${allowed.join('|') || '-'})$)`,
            message: `${room} may import only: ${allowed.join(', ') || 'nothing of ours'}`,
          },
          ...(PURE.includes(room) ? [{ regex: '^node:', message: `${room} also runs in a page` }] : []),
        ],
      },
    ],
  },
})

const nodeHalf = (room, allowed) => ({
  files: [`${room}/src/node/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^@parley/(?!(?:${[...allowed, `${room}`].join('|')})$)`,
            message: `${room} may not import this`,
          },
        ],
      },
    ],
  },
})

// The only file of the relay that knows Cedar.
const CEDAR_ADAPTER = {
  ...fence('enclave', [...MAY_IMPORT.enclave, 'guardian/cedar']),
  files: ['enclave/src/policy/load-effect-policy.ts'],
}

export default tseslint.config(
  { ignores: ['**/dist/**', '**/*.js', '**/node_modules/**', 'out/**'] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-ignore': true, 'ts-expect-error': true, 'ts-nocheck': true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'no-restricted-syntax': ['error', CLOCK],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'no-console': 'error',
    },
  },
  ...Object.entries(MAY_IMPORT).map(([room, allowed]) => fence(room, allowed)),
  CEDAR_ADAPTER,
  ...PURE.map((room) => nodeHalf(room, [...MAY_IMPORT[room], ...(NODE_HALF_MAY_IMPORT[room] ?? [])])),
  { files: MINTS, rules: { '@typescript-eslint/consistent-type-assertions': 'off' } },
  {
    files: [
      '**/main.ts',
      '**/clock.ts',
      '*/test/**/*.ts',
      '*/test-root/**/*.ts',
      'test/**/*.ts',
      'scripts/**/*.ts',
      'bench/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['*/test/**/*.ts', 'verifier/page/test/**/*.ts', '*/test-root/**/*.ts', 'test/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }] },
  },
)
