import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataFolder } from './data-folder-lock.js'
import { commandLineOf, endLeftover, startProcess } from './process.js'
import { Secrets } from './secrets.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'claim-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

describe(lockDataFolder, () => {
  it('takes a folder once, until it is given back', () => {
    const release = lockDataFolder(dir)
    expect(() => lockDataFolder(dir)).toThrow(`Trestle runs already with the data in ${dir} (process ${process.pid})`)
    release()
    lockDataFolder(dir)()
    expect(existsSync(join(dir, 'devnet.lock'))).toBe(false)
  })

  it.each([
    ['a process that is gone', { pid: 2 ** 22 + 1, command: 'node start.mjs' }],
    ['a number that is another process by now', { pid: process.pid, command: 'node start.mjs' }],
    ['half a file', '{"pid":'],
  ])('passes over %s', (_title, content) => {
    writeFileSync(join(dir, 'devnet.lock'), typeof content === 'string' ? content : JSON.stringify(content))
    lockDataFolder(dir)()
  })
})

describe('the data folder', () => {
  it('is closed to other users, and what is in it', () => {
    chmodSync(dir, 0o755)
    lockDataFolder(dir)
    // Root's Postgres runs as another user, who passes through.
    expect(statSync(dir).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
    expect(statSync(join(dir, 'devnet.lock')).mode & 0o777).toBe(0o600)
  })

  it('that cannot be written to is refused in a sentence', () => {
    writeFileSync(join(dir, 'file'), '')
    const folder = join(dir, 'file/data')
    expect(() => lockDataFolder(folder)).toThrow(
      `${folder} cannot be written to (ENOTDIR). Trestle keeps its data there: use another folder, --data <folder>`,
    )
  })
})

describe('a process started for a devnet', () => {
  it('writes a log that is for its owner only, also where an earlier one was open to all', async () => {
    const log = join(dir, 'logs/true.log')
    mkdirSync(join(dir, 'logs'))
    writeFileSync(log, '', { mode: 0o644 })
    await startProcess({ name: 'true', command: 'true', log }).exited
    expect([statSync(log).mode & 0o777, statSync(join(dir, 'logs')).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('is known by its command line, with and without /proc', async () => {
    const { pid, stop } = startProcess({ name: 'sleep', command: 'sleep', args: ['60'], log: join(dir, 'sleep.log') })
    expect([commandLineOf(pid)?.trim(), commandLineOf(pid, '/nowhere')]).toEqual(['sleep 60', 'sleep 60'])
    await stop()
    expect([commandLineOf(pid), commandLineOf(pid, '/nowhere')]).toEqual(['', ''])
  })

  it('is not taken for ended where nothing tells what a process is', async () => {
    const unknown = () => undefined
    await expect(endLeftover(process.pid, 'data', 'SIGTERM', unknown)).rejects.toThrow(
      `Process ${process.pid} may still use data, and this system does not say what it is. End it if so; if not, delete the file that names it.`,
    )
    await endLeftover(2 ** 22 + 1, 'data', 'SIGTERM', unknown)
  })
})

describe(Secrets, () => {
  it('stay the same, and are for their owner only', () => {
    const made = new Secrets(dir).get('PEPPER')
    expect(Buffer.from(made, 'base64')).toHaveLength(32)
    expect(new Secrets(dir).get('PEPPER')).toBe(made)
    expect(new Secrets(dir).get('OTHER')).not.toBe(made)
    expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(dir)).toEqual(['secrets.json'])
  })
})
