// Where the room runs from its sources, as in tests, a thread that asks for the compiled worker finds this file
// instead: Node 20 does not load TypeScript as a thread's entry. No part of dist.
import { register } from 'tsx/esm/api'

register()
await import('./evaluation-worker.ts')
