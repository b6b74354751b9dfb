// npm run test:lodestar: a validator's lifecycle with an independent beacon node and validator client, those of Lodestar.
// Its packages are large and old (Capella): they are fetched for this alone, into .data/lodestar.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, step } from './progress.mjs'

const home = join(root, '.data/lodestar')
const dir = join(home, 'run')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, () => process.exit(1))
try {
  await run('Building', ['turbo', 'run', 'build', '--ui=stream', '--log-order=grouped', '--output-logs=new-only'], { log: 'build' })
  await install()
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const { startStage } = await import('./lodestar/stage.mjs')
  const { live } = await import('./lodestar/life.mjs')
  const stage = await startStage({ lodestar: home, dir, step })
  await live(stage, step).finally(() => stage.stop())
  console.log('\nA validator completed its lifecycle on Lodestar.')
  process.exit()
} catch (error) {
  console.error(`\n${error.message}\n\nThe logs are in ${dir}.`)
  process.exit(1)
}

/** Without the scripts of the packages: they would compile modules without a binary, and everything works without them. */
async function install() {
  const wanted = join(root, 'tools/lodestar/package.json')
  const stamp = join(home, 'installed.json')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(wanted, 'utf8')) return
  mkdirSync(home, { recursive: true })
  copyFileSync(wanted, join(home, 'package.json'))
  const npm = ['npm', 'install', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await run('Installing Lodestar', npm, { log: 'lodestar-install' })
  copyFileSync(wanted, stamp)
}
