import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { workerFolder } from '@trestle/testing/worker-folder'
import type { NodeDriver } from '../../src/drivers/driver.js'
import { LocalDriver, localParts } from '../../src/drivers/local/local-driver.engine.js'
import type { Fate } from '../fake-driver.js'
import { fated } from '../intercepted.js'
import { LARGE, STANDARD } from './fake-backend.js'
import type { TestBackend } from './test-backend.js'

// A program that costs nothing, and has the folder of its machine in its command line, as every daemon has.
const DAEMON = `#!/bin/sh
[ "$1" = --version ] && { echo Litecoin Core version v0.21.2; exit; }
exec /usr/bin/tail -f "\${2#-conf=}"
`
const EFFECTS = new Set(['create', 'update', 'writeProcess', 'writeConfig', 'remove', 'start', 'signal'])

/** Folders and processes of this machine. */
export class LocalBackend implements TestBackend {
  readonly standard = STANDARD
  readonly large = LARGE
  private readonly folder = mkdtempSync(join(workerFolder(), 'world-'))
  private readonly dataDir = join(this.folder, 'nodes')
  private readonly settings = {
    installation: 'testing',
    dataDir: this.dataDir,
    programs: { litecoind: join(this.folder, 'litecoind') },
    path: '',
    nodePorts: [21_000, 21_999] as [number, number],
  }
  private last?: LocalDriver
  private aheadMs = 0
  private readonly now = Date.now

  constructor() {
    writeFileSync(this.settings.programs.litecoind, DAEMON, { mode: 0o755 })
    jest.spyOn(Date, 'now').mockImplementation(() => this.now.call(Date) + this.aheadMs)
  }

  driver(fate: (point: string) => Fate): NodeDriver {
    this.last?.onApplicationShutdown()
    const { folders, processes, ...parts } = localParts(this.settings)
    const fatedParts = { folders: fated(folders, EFFECTS, fate), processes: fated(processes, EFFECTS, fate) }
    this.last = new LocalDriver(this.settings, { ...parts, ...fatedParts })
    return fated(this.last, new Set(['observe']), fate)
  }

  async programs(): Promise<string[]> {
    return (await this.processes()).map(({ id }) => id)
  }

  async remaining(): Promise<string[]> {
    const names = await readdir(this.dataDir).catch(() => [])
    return names.map((name) => name.replace('.testing.', ''))
  }

  async crash(id: string): Promise<void> {
    for (const each of await this.processes()) if (each.id === id) process.kill(each.pid, 'SIGKILL')
  }

  /** Its program goes on. */
  async vanish(id: string): Promise<void> {
    rmSync(join(this.dataDir, id), { recursive: true, force: true })
  }

  advance(ms: number): void {
    this.aheadMs += ms
  }

  async settle(): Promise<void> {
    await delay(10)
  }

  async clear(): Promise<void> {
    for (const { pid } of await this.processes()) process.kill(pid, 'SIGKILL')
    rmSync(this.dataDir, { recursive: true, force: true })
    await this.settle()
  }

  async close(): Promise<void> {
    await this.clear()
    jest.restoreAllMocks()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async processes(): Promise<{ pid: number; id: string }[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const found = await Promise.all(
      pids.map(async (pid) => {
        const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        const [, id] = line.split(`${this.dataDir}/`)[1]?.match(/^(node-[0-9a-f-]{36})\//) ?? []
        return id === undefined ? [] : [{ pid: Number(pid), id }]
      }),
    )
    return found.flat()
  }
}
