import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFresh } from './profile.js'
import { ProfileStore } from './profile-store.js'

const LOGIN = { kind: 'account', url: 'http://any', email: 'ada@example.org', token: 'secret' } as const

let home: string
let folder: string
let file: string
let store: ProfileStore
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'trestle-cli-'))
  folder = join(home, 'deep/trestle')
  file = join(folder, 'credentials.json')
  store = new ProfileStore(folder)
})
afterEach(() => rmSync(home, { recursive: true }))

describe(ProfileStore, () => {
  it('knows nobody before anybody has logged in', () => {
    expect([store.loginOf('default'), store.urlOf('default')]).toEqual([undefined, undefined])
  })

  it('keeps logins by profile, for their owner alone', () => {
    store.setLogin('default', LOGIN)
    store.setLogin('work', { ...LOGIN, email: 'grace@example.org' })
    store.setUrl('work', 'http://work')
    expect([store.loginOf('default'), store.loginOf('work')?.url, store.urlOf('work'), store.urlOf('default')]).toEqual([
      LOGIN,
      'http://any',
      'http://work',
      undefined,
    ])
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('keeps secrets out of what is no secret', () => {
    store.setUrl('default', 'http://any')
    store.setLogin('default', LOGIN)
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).not.toContain('secret')
  })

  it('forgets one login and no other, and leaves no draft behind', () => {
    store.setLogin('default', LOGIN)
    store.setLogin('work', LOGIN)
    store.forgetLogin('default')
    expect([store.loginOf('default'), store.loginOf('work'), readdirSync(folder)]).toEqual([undefined, LOGIN, ['credentials.json']])
  })

  it('takes no profile for one that every object has', () => {
    store.setLogin('default', LOGIN)
    expect(store.loginOf('constructor')).toBeUndefined()
  })

  it.each([0o644, 0o640, 0o606, 0o620])('refuses a file of mode %i that others can read or change, and says what to do', (mode) => {
    store.setLogin('default', LOGIN)
    chmodSync(file, mode)
    expect(() => store.loginOf('default')).toThrow(
      expect.objectContaining({
        exit: 1,
        message: expect.stringContaining('other users can read'),
        advice: expect.stringContaining(`chmod 600 ${file}`),
      }),
    )
  })

  it.each([
    '',
    '{',
    '{"profiles":{"default":{"kind":"account","url":"ht',
    'null',
    '[]',
    '{"profiles":{"default":{}}}',
    '\ufeff{"profiles":{}}',
  ])('names the malformed file and keeps it: %s', (content) => {
    store.setLogin('default', LOGIN)
    writeFileSync(file, content)
    for (const use of [() => store.loginOf('work'), () => store.setLogin('work', LOGIN), () => store.forgetLogin('work')])
      expect(use).toThrow(
        expect.objectContaining({ exit: 1, message: `${file} is malformed.`, advice: expect.stringContaining('delete it') }),
      )
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it.each(['nonsense', 'ftp://any', '', 'javascript:alert(1)'])('refuses the URL "%s" of a hand-edited profile', (url) => {
    store.setUrl('default', 'http://any')
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles: { default: { url } } }))
    expect(() => store.urlOf('default')).toThrow(expect.objectContaining({ message: expect.stringMatching(/config\.json is malformed/) }))
  })

  it('writes nothing when there is nothing to forget', () => {
    store.forgetLogin('default')
    expect(readdirSync(home)).toEqual([])
  })

  it('explains that its folder cannot exist, or that its file is a folder', () => {
    writeFileSync(join(home, 'deep'), '')
    const advice = expect.stringContaining('XDG_CONFIG_HOME')
    const refusal = (verb: string, reason: string) =>
      expect.objectContaining({ exit: 1, message: `${file} cannot be ${verb}: ${reason}.`, advice })
    expect(() => store.loginOf('default')).toThrow(refusal('read', 'a part of its path is not a folder'))
    rmSync(join(home, 'deep'))
    mkdirSync(file, { recursive: true, mode: 0o700 })
    expect(() => store.loginOf('default')).toThrow(refusal('read', 'it is a folder'))
  })

  it('leaves no draft behind when it cannot write', () => {
    mkdirSync(join(folder, 'config.json/full'), { recursive: true })
    expect(() => store.setLogin('default', LOGIN)).not.toThrow()
    rmSync(file)
    mkdirSync(file, { mode: 0o700 })
    writeFileSync(join(file, 'full'), '')
    expect(() => store.setLogin('default', LOGIN)).toThrow(expect.objectContaining({ exit: 1 }))
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'credentials.json'])
  })
})

describe(isFresh, () => {
  const token = `e30.${Buffer.from(JSON.stringify({ exp: 1000 })).toString('base64url')}.sig`
  it.each([
    [token, 939_999, true],
    [token, 940_000, false],
    ['no token', 0, false],
  ])('of %s at %i is %s', (text, now, fresh) => {
    expect(isFresh(text, new Date(now))).toBe(fresh)
  })
})
