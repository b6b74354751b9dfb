import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Blueprint, DaemonName } from '../../catalogue/blueprint.js'
import { commandOf, releaseOf } from '../../software/software.js'
import { DriverUnavailable } from '../driver.js'
import type { LocalSettings } from './local-settings.js'

export interface FoundProgram {
  readonly command: string
  /** `bitcoin-knots-29.4.3` */
  readonly release: string
}

// What Debian has on PATH is a script that makes a folder in one's home first.
const FOLDERS: Partial<Record<DaemonName, readonly string[]>> = { litecoind: ['/usr/lib/litecoin'] }
const VARIABLES: Partial<Record<DaemonName, string>> = {
  bitcoind: 'BITCOIND',
  litecoind: 'LITECOIND',
  'bitcoin-cash-node': 'BITCOIN_CASH_NODE',
  anvil: 'ANVIL',
  geth: 'GETH',
}
const PATIENCE_MS = 20_000

/** The programs of this computer that are nodes. */
export class Programs {
  /** What programs have said of themselves, until they are others. */
  private readonly said = new Map<string, Promise<string>>()

  constructor(private readonly settings: LocalSettings) {}

  /** Rejects with `DriverUnavailable`, which says what is missing. */
  async find(blueprint: Pick<Blueprint, 'daemon'>): Promise<FoundProgram> {
    const { daemon } = blueprint
    const command = await this.commandFor(daemon)
    const firstLine = await this.firstLineOf(command)
    const release = releaseOf(blueprint, firstLine)
    if (!release) throw new DriverUnavailable(`${command} is no ${daemon}: it says "${firstLine.slice(0, 100)}".`)
    return { command, release }
  }

  private async commandFor(daemon: DaemonName): Promise<string> {
    const named = this.settings.programs[daemon]
    if (named) {
      if (await isExecutable(named)) return named
      throw new DriverUnavailable(`${VARIABLES[daemon] ?? daemon} names ${named}, which is not a program.`)
    }
    const folders = [...(FOLDERS[daemon] ?? []), ...this.settings.path.split(delimiter).filter((folder) => folder !== '')]
    for (const folder of folders) {
      const command = join(folder, commandOf({ daemon }))
      if (await isExecutable(command)) return command
    }
    const advice = VARIABLES[daemon] ? `Install it, or set ${VARIABLES[daemon]} to its path.` : 'Install it.'
    throw new DriverUnavailable(`There is no ${daemon} on this machine. ${advice}`)
  }

  private async firstLineOf(command: string): Promise<string> {
    const key = `${command} ${(await stat(command)).mtimeMs}`
    const known = this.said.get(key)
    if (known) return known
    const asked = firstLine(command)
    this.said.set(key, asked)
    asked.catch(() => this.said.delete(key))
    return asked
  }
}

async function firstLine(command: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { timeout: PATIENCE_MS })
    return stdout.split('\n')[0] ?? ''
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new DriverUnavailable(`${command} does not run: ${(stderr || message).trim().slice(0, 200)}`)
  }
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
