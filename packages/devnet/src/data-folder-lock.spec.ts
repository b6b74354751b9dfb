import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataFolder } from './data-folder-lock.js'
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
