import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv, readIndexEnv } from './env.js'

let files = 0
const folder = mkdtempSync(join(tmpdir(), 'track-'))
afterAll(() => rmSync(folder, { recursive: true }))

const GIVEN = {
  PORT: '0',
  INTERNAL_PORT: '0',
  NODE_ENV: 'test',
  PUBLIC_URL: 'http://127.0.0.1:8080',
  DATABASE_URL: 'postgres://127.0.0.1/trestle',
  NATS_URL: '127.0.0.1',
  CHAIN: 'btc',
  NODE_URL: 'http://127.0.0.1:8332',
}

describe(readEnv, () => {
  it('indexes all of mainnet without raw transactions by default', () => {
    expect(readEnv(GIVEN)).toMatchObject({
      NETWORK: 'mainnet',
      ROLE: 'all',
      DEPLOYMENT: 'btc',
      STORE_RAW: false,
      START_HEIGHT: 0,
      TRACK: [],
    })
  })

  it('stores raw transactions of every other network by default', () => {
    expect(readEnv({ ...GIVEN, NETWORK: 'regtest' }).STORE_RAW).toBe(true)
    expect(readEnv({ ...GIVEN, NETWORK: 'regtest', STORE_RAW: 'false' }).STORE_RAW).toBe(false)
    expect(readEnv({ ...GIVEN, STORE_RAW: 'true' }).STORE_RAW).toBe(true)
  })

  it('reports every invalid setting at once, without values that may be secret', () => {
    const wrong = {
      CHAIN: 'nochain',
      NETWORK: 'main',
      ROLE: 'reader',
      NODE_URL: 'user:very-secret@127.0.0.1',
      NODE_ZMQ_URL: 'http://127.0.0.1',
      STORE_RAW: 'perhaps',
      START_HEIGHT: '-1',
      DEPLOYMENT: 'B TC',
      ACCOUNTS_INTERNAL_URL: 'accounts',
    }
    const error = thrownBy(() => readEnv({ ...GIVEN, ...wrong }))
    for (const name of Object.keys(wrong)) expect(error.message).toContain(`  ${name}: `)
    expect(error.message).not.toContain('very-secret')
  })

  it.each([
    [{ CHAIN: 'ltc', NETWORK: 'signet' }, 'NETWORK: ltc has no signet'],
    [{ TRACK: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT, nonsense' }, 'TRACK: nonsense is no address of btc mainnet'],
    [{ NETWORK: 'regtest', TRACK: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }, 'is no address of btc regtest'],
    [
      { NODE_URL: 'http://user:password@127.0.0.1', NODE_COOKIE_FILE: '/x' },
      'NODE_COOKIE_FILE: cannot be combined with a user in NODE_URL',
    ],
  ])('refuses %j', (settings, message) => {
    expect(thrownBy(() => readEnv({ ...GIVEN, ...settings })).message).toContain(message)
  })

  it('accepts addresses of its chain and descriptors, in a list or one per line', () => {
    const TRACK = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT,raw(deadbeef)#89f8spxm'
    const TRACK_FILE = fileOf('# cold\nbc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq\naddr(1BoatSLRHtKNngkdXEeobR76b53LETtpyT)\n')
    expect(readEnv({ ...GIVEN, TRACK }).TRACK).toHaveLength(2)
    expect(readEnv({ ...GIVEN, TRACK, TRACK_FILE }).TRACK).toHaveLength(3)
  })

  it.each([
    [
      'TRACK',
      { TRACK: 'raw(deadbeef)#89f8spxq' },
      'raw(deadbeef)#89f8spxq cannot be tracked on btc mainnet: the checksum after its # is not right',
    ],
    ['TRACK_FILE', { TRACK_FILE: fileOf('nonsense') }, 'nonsense is no address of btc mainnet'],
    ['TRACK_FILE', { TRACK_FILE: fileOf('# nobody') }, 'has no address and no descriptor'],
    ['TRACK_FILE', { TRACK_FILE: '/no/such/file' }, 'cannot be read: ENOENT'],
  ])('says what is wrong with %s: %j', (name, settings, message) => {
    expect(thrownBy(() => readEnv({ ...GIVEN, ...settings })).message).toContain(`  ${name}: ${message}`)
  })
})

describe(readIndexEnv, () => {
  it('needs only the location of the index', () => {
    expect(readIndexEnv({ CHAIN: 'ltc', DATABASE_URL: GIVEN.DATABASE_URL })).toMatchObject({ DEPLOYMENT: 'ltc' })
    expect(readIndexEnv({ CHAIN: 'ltc', DATABASE_URL: GIVEN.DATABASE_URL, DEPLOYMENT: 'ltctest' })).toMatchObject({ DEPLOYMENT: 'ltctest' })
  })
})

function fileOf(text: string): string {
  const path = join(folder, `${files++}.txt`)
  writeFileSync(path, text)
  return path
}

function thrownBy(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}
