import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type DebianProgram, debianProgram } from '../debian.js'
import { foldersOfPath, namedProgram, programIn } from '../executable.js'

export type BitcoinDaemonName = 'bitcoind' | 'litecoind' | 'dogecoind' | 'dashd'

/** The program of a chain's node. */
export interface Daemon {
  readonly name: BitcoinDaemonName
  readonly command: string
  /** `Bitcoin Core 29.0`, `Bitcoin Knots 29.4.3`, `Litecoin Core 0.21.2.1`. */
  readonly version: string
}

interface Source {
  readonly variable: string
  /** Bitcoin Cash Node calls its program bitcoind too. */
  readonly versions: RegExp
  /** Looked into before PATH. */
  readonly folders: readonly string[]
  /** Left out, nobody packages it. */
  readonly debian?: DebianProgram
  readonly advice: string
  /** It lacks the methods that a past and payments are made by. */
  readonly startsEmpty?: true
}

const SOURCES: Record<BitcoinDaemonName, Source> = {
  bitcoind: {
    variable: 'BITCOIND',
    versions: /^Bitcoin (?:Core|Knots)\b/,
    folders: [],
    // Debian has no Bitcoin Core; Knots is it with other policies, and a stable Debian does not have that either.
    debian: { package: 'bitcoin-knots', path: 'usr/bin/bitcoind', suite: 'sid', withLibraries: 'and loader' },
    advice: 'Install Bitcoin Core (https://bitcoincore.org/en/download), or set BITCOIND=/path/to/bitcoind.',
  },
  litecoind: {
    variable: 'LITECOIND',
    versions: /^Litecoin Core\b/,
    // What Debian has on PATH is a script that makes a folder in one's home first.
    folders: ['/usr/lib/litecoin'],
    debian: { package: 'litecoind', path: 'usr/lib/litecoin/litecoind', withLibraries: 'and loader' },
    advice: 'Install Litecoin Core (https://litecoin.org), or set LITECOIND=/path/to/litecoind.',
  },
  dogecoind: {
    variable: 'DOGECOIND',
    versions: /^Dogecoin Core\b/,
    folders: [],
    advice: 'Install Dogecoin Core (https://dogecoin.com), or set DOGECOIND=/path/to/dogecoind.',
    startsEmpty: true,
  },
  dashd: {
    variable: 'DASHD',
    versions: /^Dash Core\b/,
    folders: [],
    advice: 'Install Dash Core (https://www.dash.org/downloads), or set DASHD=/path/to/dashd.',
    startsEmpty: true,
  },
}

export function isDaemonName(name: string): name is BitcoinDaemonName {
  return name in SOURCES
}

export function startsEmpty({ name }: Pick<Daemon, 'name'>): boolean {
  return SOURCES[name].startsEmpty === true
}

/** The program named by `BITCOIND`, `LITECOIND` and their like, else on PATH, else in Debian's package; rejects with what is missing and what to do. */
export async function findDaemon(name: BitcoinDaemonName, env: NodeJS.ProcessEnv = process.env): Promise<Daemon> {
  const source = SOURCES[name]
  const found = namedProgram(source.variable, env) ?? programIn([...source.folders, ...foldersOfPath(env)], name)
  const command = found ?? (await packaged(source, env).catch((error: Error) => askForIt(name, error)))
  const [firstLine = ''] = (await run(command)).split('\n')
  if (!source.versions.test(firstLine)) throw new Error(`${command} is no ${name} that Trestle knows: it says "${firstLine}".`)
  return { name, command, version: daemonVersion(firstLine) }
}

/** `Bitcoin Knots 29.4.3` of `Bitcoin Knots daemon version v29.4.3.knots20260508`. */
export function daemonVersion(firstLine: string): string {
  return firstLine.replace(/^(\w+ \w+)(?: daemon)? version v([\d.]*\d).*$/i, '$1 $2')
}

function packaged({ debian }: Source, env: NodeJS.ProcessEnv): Promise<string> {
  return debian ? debianProgram(debian, env) : Promise.reject(new Error('Nobody packages it'))
}

async function run(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, ['--version'], { timeout: 20_000 }).catch(({ stderr, message }) => {
    throw new Error(`${command} does not run: ${(stderr || message).trim()}`)
  })
  return stdout
}

function askForIt(name: BitcoinDaemonName, { message }: Error): never {
  const { debian, advice } = SOURCES[name]
  const why = debian ? `, and Debian's ${debian.package} cannot be had (${message})` : ''
  throw new Error(`There is no ${name} on this machine${why}. ${advice}`)
}
