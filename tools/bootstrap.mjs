// npm start, npm test and the others start here, on any Node >= 20: installs what is missing, then runs tools/<command>.mjs under Node 24.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { root, run } from './progress.mjs'
import { HELP, parseOptions } from './start-options.mjs'

const [command, ...args] = process.argv.slice(2)
const major = Number(process.versions.node.split('.')[0])

try {
  if (major < 20) throw new Error(`Trestle needs Node 20 or newer; this is ${process.version}. See https://nodejs.org`)
  if (process.platform === 'win32') throw new Error('Trestle runs on Linux and macOS. On Windows, use WSL.')
  // Help and invalid options need nothing installed.
  if (command === 'start' && parseOptions(args).help) console.log(HELP)
  else {
    adviseGit()
    await install()
    launch(nodeFolder())
  }
} catch (error) {
  console.error(`\n${error.message}`)
  process.exitCode = 1
}

async function install() {
  const stamp = join(root, 'node_modules/.bootstrap')
  const wanted = fingerprint()
  const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  requireRoom(isInstalled ? 1 : 3)
  if (isInstalled) return
  rmSync(stamp, { force: true })
  // By its own lockfile, as npx does not compare hashes.
  const folder = join(root, 'tools/pnpm')
  await run('Installing pnpm', ['npm', 'ci', '--prefix', folder, '--no-audit', '--no-fund'], { log: 'install-pnpm' })
  const pnpm = ['node', join(folder, 'node_modules/pnpm/bin/pnpm.cjs'), 'install', '--frozen-lockfile', '--reporter=append-only']
  // CI: pnpm asks no questions.
  await run('Installing packages', pnpm, { log: 'install', env: { ...process.env, CI: 'true' } })
  writeFileSync(stamp, wanted)
}

function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of ['.pnpmfile.cjs', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

// Without a commit to compare with, turbo reads every file of every package, through all links.
function adviseGit() {
  const { status } = spawnSync('git', ['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: root, stdio: 'ignore' })
  if (status === 0) return
  console.error(`${root} is not a git clone: building may take very long. Clone Trestle with git, or here:
  git init && git add -A && git commit -m "Trestle as downloaded"`)
}

function requireRoom(gibibytes) {
  const { bavail, bsize } = statfsSync(root)
  const free = (bavail * bsize) / 2 ** 30
  if (free >= gibibytes) return
  throw new Error(
    `The disk of ${root} has ${free.toFixed(1)} GiB free, and Trestle needs ${gibibytes} GiB. Free some space and start again.`,
  )
}

/** Node 24 from npm, where npm has it. */
function nodeFolder() {
  const packaged = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
  if (existsSync(join(packaged, 'node'))) return packaged
  if (major >= 24) return dirname(process.execPath)
  throw new Error(
    `Trestle runs on Node 24, and npm has no Node 24 for ${process.platform} ${process.arch}; this is ${process.version}.\n` +
      'Install Node 24 or newer (https://nodejs.org) so that `node --version` shows it, then start again.',
  )
}

function environment(folder) {
  // npm's variables for its scripts are not meant for the programs below.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command|execpath|node_execpath)/.test(name))
  const path = [folder, join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  // `npm start` measures its time from here: installation is part of it.
  return { ...Object.fromEntries(own), PATH: path, TURBO_TELEMETRY_DISABLED: '1', TRESTLE_STARTED_AT: String(performance.timeOrigin) }
}

/** Runs the command: one of ours, or a program. */
function launch(folder) {
  const tool = join(root, 'tools', `${command}.mjs`)
  const [program, ...parameters] = existsSync(tool) ? [join(folder, 'node'), tool, ...args] : [command, ...args]
  // Over the channel a tool notices when this process is killed.
  const child = spawn(program, parameters, { cwd: root, env: environment(folder), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // An npm that is killed sends no signal; its child only notices that its parent changed.
  const npm = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== npm && child.kill('SIGTERM'), 500).unref()
  child.on('error', (error) => {
    console.error(`${program} cannot be run: ${error.message}`)
    process.exit(127)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
