import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf, textMember } from '@trestle/problem/thrown'
import type { Blueprint, DaemonName } from '../../catalogue/blueprint.js'
import { commandOf, releaseOf } from '../../software/software.js'
import { DriverUnavailable } from '../driver.js'
import type { LocalSettings } from './local-settings.js'

export interface FoundProgram {
  readonly command: string
  /** `bitcoin-knots-29.4.3` */
  readonly release: string
}

// Debian's litecoind on PATH is a script that creates a folder in the user's home.
const FOLDERS: Partial<Record<DaemonName, readonly string[]>> = { litecoind: ['/usr/lib/litecoin'] }
const VARIABLES: Partial<Record<DaemonName, string>> = {
  bitcoind: 'BITCOIND',
  litecoind: 'LITECOIND',
  'bitcoin-cash-node': 'BITCOIN_CASH_NODE',
  anvil: 'ANVIL',
  geth: 'GETH',
}
const TIMEOUT_MS = 20_000

/** The node programs that are installed on this host. */
export class Programs {
  /** The first line of `--version`, by path and modification time. */
  private readonly firstLines = new Map<string, Promise<string>>()

  constructor(private readonly settings: LocalSettings) {}

  /** Rejects with `DriverUnavailable`, which says what is missing. */
  async find(blueprint: Pick<Blueprint, 'daemon'>): Promise<FoundProgram> {
    const { daemon } = blueprint
    const command = await this.commandFor(daemon)
    const firstLine = await this.firstLineOf(command)
    const release = releaseOf(blueprint, firstLine)
    if (!release) throw new DriverUnavailable(`${command} is not ${daemon}: its version is "${firstLine.slice(0, 100)}".`)
    return { command, release }
  }

  private async commandFor(daemon: DaemonName): Promise<string> {
    const configured = this.settings.programs[daemon]
    if (configured) {
      if (await isExecutable(configured)) return configured
      throw new DriverUnavailable(`${VARIABLES[daemon] ?? daemon} names ${configured}, which is not executable.`)
    }
    const folders = [...(FOLDERS[daemon] ?? []), ...this.settings.path.split(delimiter).filter((folder) => folder !== '')]
    for (const folder of folders) {
      const command = join(folder, commandOf({ daemon }))
      if (await isExecutable(command)) return command
    }
    const advice = VARIABLES[daemon] ? `Install it, or set ${VARIABLES[daemon]} to its path.` : 'Install it.'
    throw new DriverUnavailable(`${daemon} is not installed on this host. ${advice}`)
  }

  private async firstLineOf(command: string): Promise<string> {
    const key = `${command} ${(await stat(command)).mtimeMs}`
    const known = this.firstLines.get(key)
    if (known) return known
    const reading = firstLine(command)
    this.firstLines.set(key, reading)
    reading.catch(() => this.firstLines.delete(key))
    return reading
  }
}

async function firstLine(command: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { timeout: TIMEOUT_MS })
    return stdout.split('\n')[0] ?? ''
  } catch (error) {
    const reason = textMember(error, 'stderr') || messageOf(error)
    throw new DriverUnavailable(`${command} does not run: ${reason.trim().slice(0, 200)}`)
  }
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
