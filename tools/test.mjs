// npm test: the checks, then every suite; files that failed, if they are few, run once more alone. The last line says how many
// tests passed and failed.
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { check } from './check.mjs'
import { root, run, step } from './progress.mjs'

// If more files fail, a busy machine is not the reason.
const MAX_AGAIN = 6

const failures = await check()
const packages = testedPackages()
for (const folder of packages) rmSync(fileOfResults(folder), { force: true })
await run('Building', ['turbo', 'run', 'build', '--ui=stream', '--log-order=grouped', '--output-logs=new-only'], { log: 'build' }).catch(
  note,
)
await step('Looking for nats-server', async () => (await import('../packages/devnet/dist/nats-server.js')).natsServer()).catch(note)
await step('Looking for anvil', async () => (await import('../packages/devnet/dist/ethereum/anvil.js')).findAnvil()).catch(note)
await step('Looking for litecoind', () => findDaemon('litecoind')).catch(note)
await step('Looking for Chromium', async () => (await import('../packages/devnet/dist/chromium.js')).chromium()).catch(note)
const leftOut = await step('Looking for bitcoind', () => findDaemon('bitcoind')).then(
  () => [],
  ({ message }) => [`Tests with bitcoind are skipped. ${message}`],
)
await run('Running the tests', ['turbo', 'run', 'test', '--concurrency=2', '--continue', '--ui=stream'], {
  log: 'test',
  // Of a machine that is several times slower than ours: each test has a limit of its own.
  minutes: 90,
}).catch(() => {})

const suites = packages.map(resultsOf)
const shaky = await runAgain(suites)
for (const { suite, name, message } of shaky)
  console.log(`\n${suite.folder}/${name} failed among the others, and passed alone.\n${message}`)
for (const { folder, files } of suites)
  for (const { name, message } of files.filter(isBroken)) console.log(`\n${folder}: ${folder}/${name}\n${message}`)
for (const line of [...failures, ...leftOut]) console.log(`\n${line}`)
console.log('')
for (const { folder, files } of suites) console.log(`  ${folder.padEnd(20)} ${totalOf(files)}`)
const { passed, failed } = sum(suites.flatMap(({ files }) => files))
console.log(`\n${passed} passed, ${failed + failures.length} failed`)
process.exitCode = failed + failures.length > 0 ? 1 : 0

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

/** Runs failed files again alone, if they are few; that result counts. Returns those that passed this time. */
async function runAgain(suites) {
  const broken = suites.flatMap((suite) => suite.files.filter(isBroken).map((file) => ({ ...file, suite })))
  if (broken.length > MAX_AGAIN || broken.some(({ name }) => name === undefined)) return []
  const again = new Set(broken.map(({ suite }) => suite))
  for (const suite of again) {
    const names = broken.filter((file) => file.suite === suite).map(({ name }) => name)
    const only = ['--filter', `./${suite.folder}`, '--ui=stream', '--', '--maxWorkers=1', ...names]
    rmSync(fileOfResults(suite.folder))
    await run(`Again, alone: ${suite.folder}`, ['turbo', 'run', 'test', ...only], { log: 'test-again' }).catch(() => {})
    const { files } = resultsOf(suite.folder)
    suite.files = [...suite.files.filter((file) => !isBroken(file)), ...files]
  }
  return broken.filter(({ suite, name }) => suite.files.some((file) => file.name === name && !isBroken(file)))
}

function fileOfResults(folder) {
  return join(root, folder, 'test-results.json')
}

/** Jest's results of each file; a package without results counts as one failure, and so does a file that did not run. */
function resultsOf(folder) {
  if (!existsSync(fileOfResults(folder)))
    return { folder, files: [{ passed: 0, failed: 1, message: 'The tests did not run. See .data/logs/test.log.' }] }
  const { testResults } = JSON.parse(readFileSync(fileOfResults(folder), 'utf8'))
  const files = testResults.map(({ name, status, message, assertionResults }) => {
    const count = (wanted) => assertionResults.filter((test) => test.status === wanted).length
    const failed = status === 'failed' ? Math.max(1, count('failed')) : 0
    return { name: relative(join(root, folder), name), passed: count('passed'), failed, message }
  })
  return { folder, files }
}

function isBroken({ failed }) {
  return failed > 0
}

function totalOf(files) {
  const { passed, failed } = sum(files)
  return `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`
}

function sum(counts) {
  const total = (member) => counts.reduce((sum, count) => sum + count[member], 0)
  return { passed: total('passed'), failed: total('failed') }
}
