// npm test: the checks, then every suite. The last line says how many tests passed and failed.
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { check } from './check.mjs'
import { root, run, step } from './progress.mjs'

const failures = await check()
const packages = testedPackages()
for (const folder of packages) rmSync(resultsOf(folder), { force: true })
await run('Building', ['turbo', 'run', 'build', '--ui=stream', '--log-order=grouped', '--output-logs=new-only'], { log: 'build' }).catch(
  note,
)
await step('Looking for nats-server', async () => (await import('../packages/devnet/dist/nats-server.js')).natsServer()).catch(note)
await step('Looking for anvil', async () => (await import('../packages/devnet/dist/ethereum/anvil.js')).findAnvil()).catch(note)
await step('Looking for litecoind', () => findDaemon('litecoind')).catch(note)
await step('Looking for Chromium', async () => (await import('../packages/devnet/dist/chromium.js')).chromium()).catch(note)
const leftOut = await step('Looking for bitcoind', () => findDaemon('bitcoind')).then(
  () => [],
  ({ message }) => [`Tests with bitcoind are left out. ${message}`],
)
await run('Running the tests', ['turbo', 'run', 'test', '--concurrency=2', '--continue', '--ui=stream'], { log: 'test' }).catch(() => {})

const suites = packages.map(readResults)
for (const suite of suites) for (const failure of suite.failures) console.log(`\n${suite.folder}: ${failure}`)
for (const line of [...failures, ...leftOut]) console.log(`\n${line}`)
console.log('')
for (const { folder, passed, failed } of suites)
  console.log(`  ${folder.padEnd(20)} ${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`)
const passed = sum(suites.map((suite) => suite.passed))
const failed = sum(suites.map((suite) => suite.failed)) + failures.length
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function note(error) {
  failures.push(error.message)
}

async function findDaemon(name) {
  const daemons = await import('../packages/devnet/dist/chains/daemon.js')
  return daemons.findDaemon(name)
}

function testedPackages() {
  const manifests = globSync(['{apps,packages}/*/package.json', '{deploy,e2e,bench}/package.json'], { cwd: root })
  return manifests
    .filter((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).scripts?.test)
    .map(dirname)
    .sort()
}

function resultsOf(folder) {
  return join(root, folder, 'test-results.json')
}

/** What jest has written; a package without results counts as one failure, and so does a suite that did not run. */
function readResults(folder) {
  if (!existsSync(resultsOf(folder))) return { folder, passed: 0, failed: 1, failures: ['The tests did not run. See .data/logs/test.log.'] }
  const results = JSON.parse(readFileSync(resultsOf(folder), 'utf8'))
  const broken = results.testResults.filter(({ status }) => status === 'failed')
  return {
    folder,
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    failures: broken.map(({ name, message }) => `${name.slice(root.length + 1)}\n${message}`),
  }
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
