import { compileLanguage } from './pattern/language.js'
import { measureTexts } from './pattern/measure-texts.js'
import { parsePattern, type Pattern } from './pattern/parse-pattern.js'
import { readLeast, readMost } from './read-limit.js'
import { nothing, type Shape } from './shape.js'
import type { Conjuncts, SchemaSite } from './site.js'

/** Texts between lengths in code points, that match every `pattern`. */
export const compileString = ({ sites, at, work }: Conjuncts): Shape => {
  const shortest = readLeast(sites, 'minLength')
  const longest = readMost(sites, 'maxLength')
  const patterns = sites.flatMap(readPattern)
  if (shortest > longest) return nothing(at)
  if (patterns.length === 0) return { kind: 'string', at, shortest, longest, language: null }
  const language = compileLanguage(patterns, work)
  if (language === null) sites.find((site) => site.read('pattern'))?.refuse('schema_too_complex', 'pattern')
  const measured = language === null ? null : measureTexts(language, shortest, longest, work)
  if (measured?.ok === true && measured.bytes === -1) return nothing(at)
  return { kind: 'string', at, shortest, longest, language }
}

const readPattern = (site: SchemaSite): readonly Pattern[] => {
  const text = site.read('pattern')
  if (text === undefined) return []
  if (typeof text !== 'string') site.refuse('schema_malformed', 'pattern')
  const pattern = typeof text === 'string' ? parsePattern(text) : null
  if (pattern !== null) return [pattern]
  site.refuse('pattern_unsupported', 'pattern')
  return []
}
