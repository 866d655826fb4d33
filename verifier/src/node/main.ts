import { outliveReader } from './outlive-reader.js'
import { run } from './run.js'

outliveReader(process.stdout)
process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: Date.now(),
})
