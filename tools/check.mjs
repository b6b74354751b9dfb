// npm run check: format and lint, import boundaries, types.
import { pathToFileURL } from 'node:url'
import { run } from './progress.mjs'

const cruiser = 'packages/tooling/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'
const CHECKS = [
  ['Checking format and lint', ['biome', 'check', '--error-on-warnings', '.'], 'lint'],
  [
    'Checking imports between files',
    [process.execPath, cruiser, '--config', '.dependency-cruiser.cjs', 'apps', 'packages', 'deploy', 'e2e', 'bench'],
    'imports',
  ],
  ['Checking imports between packages', ['turbo', 'boundaries'], 'boundaries'],
  ['Generating the database clients', ['turbo', 'run', 'generate', '--ui=stream', '--output-logs=errors-only'], 'generate'],
  ['Checking types', ['tsc', '-p', 'tsconfig.json'], 'types'],
  ["Checking types of the console's page", ['tsc', '-p', 'apps/console/web/tsconfig.json'], 'page-types'],
]

/** Runs every check, and answers with the failures. */
export async function check() {
  const failures = []
  for (const [title, command, log] of CHECKS) await run(title, command, { log }).catch((error) => failures.push(error.message))
  return failures
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const failures = await check()
  for (const failure of failures) console.error(`\n${failure}`)
  process.exitCode = failures.length > 0 ? 1 : 0
}
