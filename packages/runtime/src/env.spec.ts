import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { list, parseEnv, secret, serviceEnv } from './env.js'

const schema = z.object({ ...serviceEnv, PEPPER: secret('pepper for development') })

const production = {
  NODE_ENV: 'production',
  PORT: '4000',
  INTERNAL_PORT: '5000',
  PUBLIC_URL: 'https://trestle.example/',
  DATABASE_URL: 'postgres://accounts:word@127.0.0.1/trestle',
  NATS_URL: 'nats://127.0.0.1:4222',
  PEPPER: 'a pepper for production',
  TRUST_ROOTS: Buffer.alloc(32, 1).toString('base64'),
}

describe(parseEnv, () => {
  it('parses numbers and lists, and applies defaults', () => {
    expect(parseEnv(schema, { ...production, TRUSTED_PROXIES: 'loopback, 10.1.0.0/16,fd00::/8' })).toEqual({
      ...production,
      PORT: 4000,
      INTERNAL_PORT: 5000,
      PUBLIC_URL: 'https://trestle.example',
      HOST: '0.0.0.0',
      BASE_PATH: '',
      LOG_LEVEL: 'info',
      STOP_DELAY_MS: 5000,
      TRUSTED_PROXIES: ['loopback', '10.1.0.0/16', 'fd00::/8'],
      TRUST_ROOTS: [production.TRUST_ROOTS],
    })
  })

  it('trusts no proxy in production that is not named', () => {
    expect(parseEnv(schema, production).TRUSTED_PROXIES).toEqual([])
    expect(parseEnv(schema, { ...production, NODE_ENV: 'test' }).TRUSTED_PROXIES).toEqual(['loopback'])
  })

  it('names every invalid variable at once and quotes no value', () => {
    const broken = {
      ...production,
      PORT: 'eighty-six',
      BASE_PATH: '/accounts/',
      DATABASE_URL: 'mysql://root:hunter2@127.0.0.1/x',
      NATS_URL: undefined,
    }
    const message = messageOf(() => parseEnv(schema, broken))
    for (const name of ['PORT', 'BASE_PATH', 'DATABASE_URL']) expect(message).toContain(`${name}: `)
    expect(message).toContain('NATS_URL: is required')
    expect(message).not.toMatch(/eighty-six|hunter2/)
  })

  it('treats an empty variable as not set', () => {
    expect(parseEnv(schema, { ...production, LOG_LEVEL: '', BASE_PATH: '' })).toMatchObject({ LOG_LEVEL: 'info', BASE_PATH: '' })
    expect(messageOf(() => parseEnv(schema, { ...production, NATS_URL: '' }))).toContain('NATS_URL: is required')
  })

  it('reads a value from a file, as mounted secrets are', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'env-')), 'nats')
    writeFileSync(file, 'nats://nats:4222\n')
    const { NATS_URL: _, ...others } = production
    expect(parseEnv(schema, { ...others, NATS_URL_FILE: file }).NATS_URL).toBe('nats://nats:4222')
    expect(parseEnv(schema, { ...production, NATS_URL_FILE: file }).NATS_URL).toBe(production.NATS_URL)
    expect(messageOf(() => parseEnv(schema, { ...others, NATS_URL_FILE: '/not/there' }))).toContain('NATS_URL_FILE: ')
  })

  it('leaves a variable of its own that ends in _FILE to it', () => {
    const own = z.object({ LIST: z.string().default('none'), LIST_FILE: z.string() })
    expect(parseEnv(own, { LIST_FILE: '/not/there' })).toEqual({ LIST: 'none', LIST_FILE: '/not/there' })
  })

  it('takes the seed of a user for a seed, and shows none', () => {
    const seed = `SU${'A'.repeat(56)}`
    expect(parseEnv(schema, { ...production, NATS_NKEY_SEED: seed }).NATS_NKEY_SEED).toBe(seed)
    expect(messageOf(() => parseEnv(schema, { ...production, NATS_NKEY_SEED: 'SAHUNTER2' }))).not.toContain('HUNTER2')
  })

  it('requires a secret in production', () => {
    expect(messageOf(() => parseEnv(schema, { ...production, PEPPER: undefined }))).toContain('PEPPER: is required')
  })

  it.each([
    ['', 'is required'],
    ['MCowBQYDK2VwAyEA', 'must be 32 bytes in base64 each'],
    [`${production.TRUST_ROOTS},c2hvcnQ=`, 'must be 32 bytes in base64 each'],
  ])('requires trust roots in production: %j', (TRUST_ROOTS, message) => {
    expect(messageOf(() => parseEnv(schema, { ...production, TRUST_ROOTS }))).toContain(`TRUST_ROOTS: ${message}`)
  })

  it('reads trust roots in either alphabet of base64', () => {
    const [one, other] = [Buffer.alloc(32, 0xfb), Buffer.alloc(32, 2)]
    const TRUST_ROOTS = `${one.toString('base64url')}, ${other.toString('base64')}`
    expect(parseEnv(schema, { ...production, TRUST_ROOTS }).TRUST_ROOTS).toEqual([one.toString('base64'), other.toString('base64')])
  })

  it('treats a missing NODE_ENV as production', () => {
    expect(messageOf(() => parseEnv(schema, { ...production, NODE_ENV: undefined, PEPPER: undefined }))).toContain('PEPPER: is required')
  })

  it('applies development defaults to secrets elsewhere, and no stop delay', () => {
    const env = parseEnv(schema, { ...production, NODE_ENV: 'development', PEPPER: undefined })
    expect(env).toMatchObject({ PEPPER: 'pepper for development', STOP_DELAY_MS: 0 })
  })

  it.each(['10.0.0.0/33', '10.0.0', 'everyone', '10.0.0.0/8/8', '::/x', ''])('refuses to trust "%s"', (range) => {
    expect(messageOf(() => parseEnv(schema, { ...production, TRUSTED_PROXIES: `loopback,${range}` }))).toContain('TRUSTED_PROXIES: ')
  })
})

describe('list', () => {
  it('splits at commas', () => {
    expect(list.parse(' a, b,,c ,')).toEqual(['a', 'b', 'c'])
    expect(list.parse(undefined)).toEqual([])
  })
})

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing was thrown'
}
