import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { WORKSPACE } from './workspace.js'

const run = promisify(execFile)
const UNPACKED = join(WORKSPACE, '.data/tools/nats-server')
const PROGRAM = join(UNPACKED, 'usr/sbin/nats-server')

/** The path of a nats-server: `NATS_SERVER`, on PATH, or Debian's package, unpacked for us alone. */
export async function natsServer(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  if (env.NATS_SERVER) return named(env.NATS_SERVER)
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const found = [...folders.map((folder) => join(folder, 'nats-server')), PROGRAM].find(isExecutable)
  return found ?? (await unpackDebianPackage()) ?? askForIt()
}

function named(path: string): string {
  if (!isExecutable(path)) throw new Error(`NATS_SERVER names ${path}, which is not a program.`)
  return path
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// Unpacked, not installed, for root too: Debian's package would start a server of its own on port 4222.
async function unpackDebianPackage(): Promise<string | undefined> {
  if (!existsSync('/usr/bin/apt-get')) return undefined
  // Under another name until it is whole.
  const unfinished = `${UNPACKED}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    const download = () => run('apt-get', ['download', 'nats-server'], { cwd: unfinished })
    await download().catch(() => run('apt-get', ['update']).then(download))
    const file = readdirSync(unfinished).find((name) => name.endsWith('.deb')) ?? ''
    await run('dpkg', ['-x', join(unfinished, file), unfinished])
    renameSync(unfinished, UNPACKED)
  } catch {
    rmSync(unfinished, { recursive: true, force: true })
  }
  // There, too, when another process was quicker.
  return [PROGRAM].find(isExecutable)
}

function askForIt(): never {
  throw new Error(`There is no nats-server on this machine. Install one and start again:
  Debian, Ubuntu   sudo apt-get update && sudo apt-get install nats-server
  macOS            brew install nats-server
  Fedora           sudo dnf install nats-server
  Arch             sudo pacman -S nats-server
  others           https://github.com/nats-io/nats-server/releases, then NATS_SERVER=/path/to/nats-server
or set NATS_URL to a server that runs already (with JetStream).`)
}
