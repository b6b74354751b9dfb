// npm run check: format and lint, imports, types. Each is a turbo task, and runs again only after its inputs changed.
import { pathToFileURL } from 'node:url'
import { run } from './progress.mjs'

const TURBO = ['turbo', 'run', '--ui=stream', '--output-logs=errors-only']
const TYPES = ['Checking types', [...TURBO, '//#types'], 'types']
const OTHERS = [
  ['Checking format and lint', [...TURBO, '//#lint'], 'lint'],
  ['Checking imports between files', [...TURBO, '//#imports'], 'imports'],
  ['Checking imports between packages', ['turbo', 'boundaries'], 'boundaries'],
]

/** Runs every check and returns the failures. The types, which take one core as long as the others take, are checked beside them. */
export async function check() {
  const failures = await Promise.all([OTHERS, [TYPES]].map(runInOrder))
  return failures.flat()
}

async function runInOrder(checks) {
  const failures = []
  for (const [title, command, log] of checks) await run(title, command, { log }).catch((error) => failures.push(error.message))
  return failures
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const failures = await check()
  for (const failure of failures) console.error(`\n${failure}`)
  process.exitCode = failures.length > 0 ? 1 : 0
}
