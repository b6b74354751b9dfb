// npm run test:geth: the gateway of eth-rpc in front of a real geth, beside which some 900 calls are answered alike.
// geth comes through Go's module proxy, once: it has no package that npm or pip could bring, and building it takes minutes.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { root, run } from './progress.mjs'

const VERSION = '1.16.9'
const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), `trestle/geth-${VERSION}`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, () => process.exit(1))
try {
  const geth = process.env.GETH ?? (await install())
  requireVersion(geth)
  await run('Generating the database clients', ['turbo', 'run', 'generate', '--ui=stream'], { log: 'generate' })
  await test('Comparing the gateway with geth', 'eth-rpc', geth)
  await test('Running geth as a node', 'nodes', geth)
  console.log(`\nThe gateway answers as geth ${VERSION} does, and geth runs as a node.`)
  process.exit()
} catch (error) {
  console.error(`\n${error.message}`)
  process.exit(1)
}

function test(title, app, geth) {
  const jest = ['pnpm', '--dir', join(root, 'apps', app), 'test', '-c', 'jest.geth.config.js', '--maxWorkers=1']
  return run(title, jest, { log: `test-geth-${app}`, env: { ...process.env, GETH: geth } })
}

async function install() {
  const program = join(folder, 'geth')
  if (existsSync(program)) return program
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error(
      `There is no geth in ${folder}, and no Go on PATH to build it with.\n` +
        `Install Go 1.24 or newer (https://go.dev/dl), or set GETH=/path/to/geth of version ${VERSION}.`,
    )
  }
  mkdirSync(folder, { recursive: true })
  const go = ['go', 'install', `github.com/ethereum/go-ethereum/cmd/geth@v${VERSION}`]
  await run(`Building geth ${VERSION}`, go, { log: 'geth-install', env: { ...process.env, GOBIN: folder, GOFLAGS: '-buildvcs=false' } })
  return program
}

function requireVersion(geth) {
  const { status, stdout, error } = spawnSync(geth, ['version'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${geth} cannot be run: ${error?.message ?? `exit code ${status}`}`)
  const version = /^Version: (\S+)/m.exec(stdout)?.[1]
  if (!version?.startsWith(VERSION)) throw new Error(`${geth} is geth ${version}; the corpus is compared with ${VERSION}.`)
}
