import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
      API_BUDGET_FACTOR: 1,
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

  it('takes the seed of a user for a seed, and shows none', () => {
    const seed = `SU${'A'.repeat(56)}`
    expect(parseEnv(schema, { ...production, NATS_NKEY_SEED: seed }).NATS_NKEY_SEED).toBe(seed)
    expect(messageOf(() => parseEnv(schema, { ...production, NATS_NKEY_SEED: 'SAHUNTER2' }))).not.toContain('HUNTER2')
  })

  describe('with a file in place of a value', () => {
    let folder: string
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'env-'))
    })
    afterAll(() => rmSync(folder, { recursive: true }))
    const fileWith = (content: string) => {
      const path = join(folder, randomUUID())
      writeFileSync(path, content)
      return path
    }
    const { DATABASE_URL, PEPPER, ...others } = production

    it('reads any variable from it, without the line break at its end', () => {
      const files = { DATABASE_URL_FILE: fileWith(`${DATABASE_URL}\n`), PEPPER_FILE: fileWith(PEPPER) }
      expect(parseEnv(schema, { ...others, ...files })).toMatchObject({ DATABASE_URL, PEPPER })
      expect(parseEnv(schema, { ...production, PEPPER_FILE: '' })).toMatchObject({ PEPPER })
    })

    it('names every file that cannot be used, along with all else that is invalid', () => {
      const broken = {
        ...others,
        PORT: 'x',
        DATABASE_URL_FILE: join(folder, 'missing'),
        NATS_URL: undefined,
        NATS_URL_FILE: fileWith(' \n'),
        PEPPER: 'a pepper for production',
        PEPPER_FILE: fileWith('another pepper'),
        LOG_LEVEL_FILE: folder,
      }
      const [, ...lines] = messageOf(() => parseEnv(schema, broken)).split('\n')
      expect(lines).toEqual([
        '  LOG_LEVEL_FILE: the file cannot be read (EISDIR)',
        '  DATABASE_URL_FILE: the file cannot be read (ENOENT)',
        '  NATS_URL_FILE: the file is empty',
        '  PEPPER: is set twice, by PEPPER and by PEPPER_FILE',
        expect.stringMatching(/^ {2}PORT: /),
      ])
    })

    it('leaves a variable of the app that ends in _FILE alone', () => {
      const own = z.object({ TRACK: z.string().default('none'), TRACK_FILE: z.string() })
      expect(parseEnv(own, { TRACK_FILE: '/not/there' })).toEqual({ TRACK: 'none', TRACK_FILE: '/not/there' })
    })
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
