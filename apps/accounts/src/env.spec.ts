import { readEnv } from './env.js'

const GIVEN = {
  PORT: '0',
  INTERNAL_PORT: '0',
  PUBLIC_URL: 'http://127.0.0.1:8080',
  DATABASE_URL: 'postgres://127.0.0.1/trestle',
  NATS_URL: '127.0.0.1',
}
const SECRETS = { KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'), PASSWORD_PEPPER: 'peppered', THROTTLE_SECRET: 'throttled' }

describe(readEnv, () => {
  it('needs no secrets outside production', () => {
    expect(readEnv({ ...GIVEN, NODE_ENV: 'development', MAIL_TRANSPORT: 'mailbox' })).toMatchObject({
      REGISTRATION: 'open',
      ADMINISTRATORS: [],
    })
  })

  it('names every secret that production lacks', () => {
    expect(() => readEnv(GIVEN)).toThrow(/KEY_ENCRYPTION_KEY[\s\S]*PASSWORD_PEPPER[\s\S]*THROTTLE_SECRET/)
  })

  it('refuses the development mailbox in production', () => {
    expect(readEnv({ ...GIVEN, ...SECRETS })).toMatchObject({ MAIL_TRANSPORT: 'smtp' })
    expect(() => readEnv({ ...GIVEN, ...SECRETS, MAIL_TRANSPORT: 'mailbox' })).toThrow('MAIL_TRANSPORT: must be smtp in production')
  })

  it('refuses a key that is not 32 bytes', () => {
    expect(() => readEnv({ ...GIVEN, ...SECRETS, KEY_ENCRYPTION_KEY: 'c2hvcnQgc2VjcmV0' })).toThrow('KEY_ENCRYPTION_KEY: must be 32 bytes')
  })

  it('reads administrators as a list', () => {
    expect(readEnv({ ...GIVEN, NODE_ENV: 'test', ADMINISTRATORS: 'a@b.test, c@d.test' }).ADMINISTRATORS).toEqual(['a@b.test', 'c@d.test'])
  })
})
