#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { readEnv } from './env.js'
import { EXIT, Failure, Interrupted } from './failure/failure.js'
import { runProgram } from './program.js'

const end = new AbortController()
const SIGNALS = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129 } as const
for (const [signal, exit] of Object.entries(SIGNALS)) process.on(signal, () => end.abort(new Interrupted(exit)))

// The reader has closed the pipe: `trestle nodes list | head -1`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unexpected))

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const { stdin, stdout, stderr } = process
process.exitCode = await run()
// Idle connections would keep the process alive for seconds. The output is flushed first.
stdout.write('', () => process.exit())

async function run(): Promise<number> {
  try {
    return await runProgram({
      argv: process.argv.slice(2),
      env: readEnv(),
      version,
      stdin,
      stdout,
      stderr,
      fetch: globalThis.fetch,
      signal: end.signal,
      now: () => new Date(),
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    stderr.write(`trestle: ${error.message}\n`)
    return error.exit
  }
}
