import { loadCedarPolicy } from '@parley/guardian/cedar'
import { parseContract, type ProfileName } from '@parley/protocol'
import { printable, printableLines } from '@parley/verifier/node'
import { type ContractExplanation, explainContract } from '../policy/explain-contract.js'
import { type Explained, explainEffect } from '../policy/explain-effect.js'
import { parseQuestion } from '../policy/parse-question.js'
import { readBundleFolder } from '../policy/read-bundle-folder.js'
import { openRegistry, type RegistryOption } from './contract-registry.js'
import { type Io, printJson } from './io.js'
import { readJsonFile } from './read-input.js'

/** The options of `parley policy explain`. */
export type ExplainOptions = RegistryOption & {
  readonly contract?: true
  readonly profile: ProfileName
  readonly json?: true
}

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
  if (options.contract === true) return runExplainContract(directory, path, options, io)
  const { files, hash } = readBundleFolder(directory)
  const explanation = explainEffect(loadCedarPolicy(files, hash), parseQuestion(await readJsonFile(path)))
  if (options.json === true) printJson(io, explanation)
  else {
    const { decision, policy_bundle_hash, each } = explanation
    io.out(`${decision}\nbundle  ${policy_bundle_hash}\n${each.map(textOf).join('')}`)
  }
  return 0
}

const runExplainContract = async (
  directory: string,
  path: string,
  options: ExplainOptions,
  io: Io,
): Promise<number> => {
  const contract = parseContract(await readJsonFile(path))
  const question = { contract, profile: options.profile, registry: openRegistry(options, io) }
  const explanation = explainContract(readBundleFolder(directory), question)
  if (options.json === true) printJson(io, explanation)
  else io.out(contractText(explanation))
  return 0
}

const contractText = (explained: ContractExplanation): string =>
  [
    `${explained.decision}${explained.code === null ? '' : `: ${explained.code} at ${explained.pointer ?? ''}`}`,
    `bundle    ${explained.policy_bundle_hash}, profile ${explained.profile}`,
    `contract  ${explained.contract_hash}`,
    ...explained.rules.map(({ file, pointer, says }) => printable(`  ${file} ${pointer}: ${says}`)),
    ...(explained.detail === null ? [] : [printable(explained.detail)]),
    '',
  ].join('\n')

const textOf = ({ principal, decision, because, rules }: Explained): string =>
  [
    `${decision}  for ${printable(principal)}${because === null ? '' : `: ${because}`}`,
    ...rules.map(({ text, id }) => printableLines(text ?? id)),
    '',
  ].join('\n')
