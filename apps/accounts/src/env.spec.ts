import { RootKey } from '@trestle/runtime/root-key'
import { readEnv } from './env.js'

const GIVEN = {
  PORT: '0',
  INTERNAL_PORT: '0',
  PUBLIC_URL: 'http://127.0.0.1:8080',
  DATABASE_URL: 'postgres://127.0.0.1/trestle',
  NATS_URL: '127.0.0.1',
}
const TRUST_ROOT_KEY = Buffer.alloc(32, 8).toString('base64')
const TRUST_ROOTS = new RootKey(TRUST_ROOT_KEY).root
const SECRETS = {
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PASSWORD_PEPPER: 'peppered',
  THROTTLE_SECRET: 'throttled',
  TRUST_ROOT_KEY,
  TRUST_ROOTS,
}

describe(readEnv, () => {
  it('needs no secrets outside production', () => {
    expect(readEnv({ ...GIVEN, NODE_ENV: 'development', MAIL_TRANSPORT: 'mailbox' })).toMatchObject({
      REGISTRATION: 'open',
      ADMINISTRATORS: [],
    })
  })

  it('names every secret that production lacks', () => {
    expect(() => readEnv(GIVEN)).toThrow(/KEY_ENCRYPTION_KEY[\s\S]*PASSWORD_PEPPER[\s\S]*THROTTLE_SECRET/)
    for (const name of ['TRUST_ROOTS', 'TRUST_ROOT_KEY']) expect(() => readEnv(GIVEN)).toThrow(`${name}: is required`)
  })

  it('refuses the development mailbox in production', () => {
    expect(readEnv({ ...GIVEN, ...SECRETS })).toMatchObject({ MAIL_TRANSPORT: 'smtp' })
    expect(() => readEnv({ ...GIVEN, ...SECRETS, MAIL_TRANSPORT: 'mailbox' })).toThrow('MAIL_TRANSPORT: must be smtp in production')
  })

  it('refuses a key that is not 32 bytes', () => {
    expect(() => readEnv({ ...GIVEN, ...SECRETS, KEY_ENCRYPTION_KEY: 'c2hvcnQgc2VjcmV0' })).toThrow('KEY_ENCRYPTION_KEY: must be 32 bytes')
  })

  it('refuses a root key of which no service would believe anything', () => {
    const other = new RootKey(Buffer.alloc(32, 9).toString('base64')).root
    expect(() => readEnv({ ...GIVEN, ...SECRETS, TRUST_ROOTS: other })).toThrow('TRUST_ROOTS: must contain the public half')
    expect(() => readEnv({ ...GIVEN, ...SECRETS, TRUST_ROOT_KEY: 'c2hvcnQ=' })).toThrow('TRUST_ROOT_KEY: must be 32 bytes')
    expect(readEnv({ ...GIVEN, ...SECRETS, TRUST_ROOTS: `${other},${TRUST_ROOTS}` }).TRUST_ROOTS).toEqual([other, TRUST_ROOTS])
  })

  it('demands a second factor of administrators in production, unless it is told otherwise', () => {
    const needed = (more: Record<string, string>) => readEnv({ ...GIVEN, ...SECRETS, ...more }).ADMINISTRATORS_NEED_FACTOR
    expect([needed({}), needed({ ADMINISTRATORS_NEED_FACTOR: '' }), needed({ ADMINISTRATORS_NEED_FACTOR: 'false' })]).toEqual([
      true,
      true,
      false,
    ])
    expect([needed({ NODE_ENV: 'development' }), needed({ NODE_ENV: 'test', ADMINISTRATORS_NEED_FACTOR: 'true' })]).toEqual([false, true])
    expect(() => needed({ ADMINISTRATORS_NEED_FACTOR: 'no' })).toThrow('ADMINISTRATORS_NEED_FACTOR')
  })

  it('reads administrators as a list', () => {
    expect(readEnv({ ...GIVEN, NODE_ENV: 'test', ADMINISTRATORS: 'a@b.test, c@d.test' }).ADMINISTRATORS).toEqual(['a@b.test', 'c@d.test'])
  })

  it('refuses a file of identity providers that it cannot use', () => {
    const read = (file: string) => readEnv({ ...GIVEN, NODE_ENV: 'test', IDENTITY_PROVIDERS_FILE: file }).identityProviders
    expect(read('')).toEqual([])
    expect(() => read('/none')).toThrow(/IDENTITY_PROVIDERS_FILE: .*ENOENT/)
    expect(() => read(import.meta.filename)).toThrow('IDENTITY_PROVIDERS_FILE: ')
  })
})
