import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyOrMake, type PostgresData } from './postgres-template.js'

describe(copyOrMake, () => {
  let dir: string
  let made: number

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'templates-'))
    made = 0
  })

  afterEach(() => rmSync(dir, { recursive: true }))

  it('makes the data once, and copies them with their password afterwards', async () => {
    const first = await copy('postgres-18')
    const second = await copy('postgres-18')
    expect([first, second]).toEqual([contentOf(1), contentOf(1)])
  })

  it('makes new data for other programs', async () => {
    expect([await copy('postgres-18'), await copy('postgres-19')]).toEqual([contentOf(1), contentOf(2)])
  })

  it('gives each of those that begin at once whole data with their own password, and keeps one', async () => {
    const copies = await Promise.all(['postgres-18', 'postgres-18', 'postgres-18'].map(copy))
    expect(copies).toEqual([contentOf(1), contentOf(2), contentOf(3)])
    expect(readdirSync(join(dir, 'templates'))).toHaveLength(1)
    expect(copies).toContainEqual(await copy('postgres-18'))
  })

  it('keeps nothing of data that could not be made', async () => {
    const target = newTarget()
    const failing = () => Promise.reject(new Error('no space left'))
    await expect(copyOrMake({ programs: 'postgres-18', dir }, target, failing, join(dir, 'templates'))).rejects.toThrow('no space left')
    expect(await copy('postgres-18')).toEqual(contentOf(1))
  })

  async function copy(programs: string) {
    const target = newTarget()
    await copyOrMake({ programs, dir }, target, () => make(target), join(dir, 'templates'))
    return { version: readFileSync(join(target.data, 'VERSION'), 'utf8'), password: readFileSync(target.passwordFile, 'utf8') }
  }

  function newTarget(): PostgresData {
    const folder = mkdtempSync(join(dir, 'copy-'))
    return { data: join(folder, 'data'), passwordFile: join(folder, 'password') }
  }

  async function make({ data, passwordFile }: PostgresData) {
    const number = ++made
    mkdirSync(data)
    writeFileSync(join(data, 'VERSION'), `version ${number}`)
    writeFileSync(passwordFile, `password ${number}`)
  }

  function contentOf(number: number) {
    return { version: `version ${number}`, password: `password ${number}` }
  }
})
