export { assemblePrompt, type Prompt, promptDigest, type PromptToAssemble } from './assemble-prompt.js'
export { type ModelProfile, parseModelProfile } from './model-profile.js'
export { parsePromptProgram, type PromptProgram } from './prompt-program.js'
