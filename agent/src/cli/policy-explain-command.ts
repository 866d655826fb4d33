import { loadCedarPolicy } from '@parley/guardian/cedar'
import { printable, printableLines } from '@parley/verifier/node'
import { type Explained, explainEffect } from '../policy/explain-effect.js'
import { parseQuestion } from '../policy/parse-question.js'
import { readBundleFolder } from '../policy/read-bundle-folder.js'
import { type Io, printJson } from './io.js'
import { readJsonFile } from './read-input.js'

/** The options of `parley policy explain`. */
export type ExplainOptions = { readonly json?: true }

/**
 * `parley policy explain`.
 * @throws AgentError `argument_invalid`
 * @throws ProtocolError `object_malformed` where the bundle holds no sound Cedar rules
 */
export const runExplainPolicy = async (
  directory: string,
  path: string,
  options: ExplainOptions,
  io: Io,
): Promise<number> => {
  const { files, hash } = readBundleFolder(directory)
  const explanation = explainEffect(loadCedarPolicy(files, hash), parseQuestion(await readJsonFile(path)))
  if (options.json === true) printJson(io, explanation)
  else {
    const { decision, policy_bundle_hash, each } = explanation
    io.out(`${decision}\nbundle  ${policy_bundle_hash}\n${each.map(textOf).join('')}`)
  }
  return 0
}

const textOf = ({ principal, decision, because, rules }: Explained): string =>
  [
    `${decision}  for ${printable(principal)}${because === null ? '' : `: ${because}`}`,
    ...rules.map(({ text, id }) => printableLines(text ?? id)),
    '',
  ].join('\n')
