import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, messageOf, textMember } from '@trestle/problem/thrown'
import { WORKSPACE } from './workspace.js'

/** A program that one of Debian's packages carries. */
export interface DebianProgram {
  readonly package: string
  /** Where it is inside the package. */
  readonly path: string
  /** From this suite, where the machine's own has no such package. */
  readonly suite?: 'sid'
  /**
   * Its libraries come along: the machine lacks some, or has older ones. The loader that knows them does, too, but not where the program
   * starts itself again, as a browser does: it would start the loader.
   */
  readonly withLibraries?: 'and loader' | 'but no loader'
  /** Packages that carry what it reads. */
  readonly alongside?: readonly string[]
}

const PATIENCE_MS = 180_000
const NOTHING_BUT_DEPENDENCIES = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`)

/**
 * The path of the program, unpacked for us alone; rejects with apt's reason where it cannot be had. Unpacked, not installed, for root too:
 * an installed package may start a server of its own, and what else is on the machine stays as it is.
 */
export async function debianProgram(program: DebianProgram, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const folder = join(cacheFolder(env), `${program.package}-${process.arch}`)
  const command = join(folder, program.withLibraries ? basename(program.path) : program.path)
  if (existsSync(command)) return command
  // Under another name until it is whole.
  const unfinished = mkdtempSync(`${folder}.`)
  try {
    await unpack(program, unfinished, env)
    if (program.withLibraries) writeWrapper(program, unfinished, folder)
    renameSync(unfinished, folder)
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(command)) throw new Error(reasonOf(error))
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return command
}

/** What every checkout of this user shares, so that nothing is downloaded twice. */
function cacheFolder(env: NodeJS.ProcessEnv): string {
  const folder = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trestle')
  try {
    mkdirSync(folder, { recursive: true })
    return folder
  } catch {
    const own = join(WORKSPACE, '.data/tools')
    mkdirSync(own, { recursive: true })
    return own
  }
}

async function unpack(program: DebianProgram, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const work = join(folder, 'download')
  const debs = join(work, 'debs')
  for (const each of [debs, join(work, 'lists/partial'), join(work, 'cache/archives/partial')]) mkdirSync(each, { recursive: true })
  const run = runner(work, await sourcesOf(program, work, env), env)
  // A source of the machine's that fails need not be the one we want; if it was, its error tells more than that the package is unknown.
  const failure = await run('apt-get', ['update', '-o', 'APT::Update::Error-Mode=any']).then(
    () => undefined,
    (error: unknown) => error,
  )
  await download(program, debs, run).catch((error) => Promise.reject(failure ?? error))
  for (const deb of readdirSync(debs)) await run('dpkg', ['-x', join(debs, deb), folder])
  rmSync(work, { recursive: true })
}

async function download(program: DebianProgram, folder: string, run: Run): Promise<void> {
  const all = program.withLibraries ? await librariesOf(program.package, run) : []
  // The C library and the machine's own loader belong together.
  const libraries = program.withLibraries === 'but no loader' ? all.filter((name) => name !== 'libc6') : all
  await run('apt-get', ['download', program.package, ...libraries, ...(program.alongside ?? [])], folder)
}

type Run = (command: string, args: readonly string[], cwd?: string) => Promise<string>

/** Runs apt on lists and a cache of its own: nobody has to be root, and what is installed does not matter. */
function runner(work: string, sources: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): Run {
  const settings = Object.entries({
    'Dir::State::Lists': join(work, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(work, 'cache'),
    'APT::Sandbox::User': 'root',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '20',
    'Acquire::https::Timeout': '20',
    ...sources,
  })
  const options = settings.flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return async (command, args, cwd = work) => {
    const own = command.startsWith('apt-') ? options : []
    const { stdout } = await execute(command, [...own, ...args], { cwd, env })
    return stdout
  }
}

/** Where apt reads: the machine's own sources, or the suite of the archive they point to. */
async function sourcesOf({ suite }: DebianProgram, work: string, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  if (!suite) return {}
  const query = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Label: Debian']
  const { stdout } = await execute('apt-get', query, { cwd: work, env })
  const archive = stdout.split('\n')[0] || 'http://deb.debian.org/debian/'
  const file = join(work, `${suite}.sources`)
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(file, `Types: deb\nURIs: ${archive}\nSuites: ${suite}\nComponents: main\nSigned-By: ${key}\n`)
  return { 'Dir::Etc::sourcelist': file, 'Dir::Etc::sourceparts': '-' }
}

/** The libraries a package depends on, and those that they depend on. */
async function librariesOf(name: string, run: Run): Promise<string[]> {
  const direct = await run('apt-cache', ['depends', ...NOTHING_BUT_DEPENDENCIES, name])
  const first = [...direct.matchAll(/^ [ |](?:Pre)?Depends: (lib\S+)$/gm)].map(([, library]) => library ?? '')
  const all = await run('apt-cache', ['depends', '--recurse', ...NOTHING_BUT_DEPENDENCIES, ...first])
  return [...new Set(all.match(/^lib\S+$/gm))]
}

function writeWrapper({ path, withLibraries }: DebianProgram, unpacked: string, folder: string): void {
  const found = globSync('{,usr/}lib/*-linux-gnu*{,/*}/*.so*', { cwd: unpacked }).map((file) => dirname(join(folder, file)))
  const libraries = [...new Set(found)].sort().join(':')
  const program = join(folder, path)
  const start =
    withLibraries === 'and loader'
      ? `exec '${join(folder, loaderIn(unpacked))}' --library-path '${libraries}' '${program}' "$@"`
      : `LD_LIBRARY_PATH='${libraries}' exec '${program}' "$@"`
  writeFileSync(join(unpacked, basename(path)), `#!/bin/sh\n${start}\n`, { mode: 0o755 })
}

// By name: the machine's own is told by the program, and may be older than the libraries need.
function loaderIn(unpacked: string): string {
  const [loader] = globSync('{,usr/}lib/*-linux-gnu*/ld-linux*.so.*', { cwd: unpacked })
  if (!loader) throw new Error('its packages have no loader')
  return loader
}

function execute(command: string, args: readonly string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
  return promisify(execFile)(command, args, { cwd, env: { ...env, LC_ALL: 'C' }, timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 })
}

/** What apt said last, in one line. */
function reasonOf(error: unknown): string {
  const path = textMember(error, 'path')
  if (codeOf(error) === 'ENOENT' && path) return `there is no ${basename(path)} here`
  return /^E: (.+)$/m.exec(textMember(error, 'stderr') ?? '')?.[1] ?? messageOf(error).split('\n')[0] ?? ''
}
