import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { servedChains } from '@trestle/contracts/chains/configuration'
import { NATS_CONFIGURATION } from '../src/generate.js'
import { natsConfiguration } from '../src/nats.js'
import { read, root } from './repository.js'

// Where Debian has it.
const PATHS = { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }
const SERVER = process.env.NATS_SERVER || 'nats-server'
const withServer = spawnSync(SERVER, ['--version'], { env: PATHS }).error ? it.skip : it

describe('npm run nats:identities', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'identities-'))
    file = join(folder, '.env')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('fills in a copy of .env.example, readable by this user only', () => {
    writeFileSync(file, read('.env.example'))
    generate()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    expect(text.match(/^[A-Z]+_NATS_NKEY_SEED=SU[A-Z2-7]{56}$/gm)).toHaveLength(8)
    expect(text.split('\n')).toHaveLength(read('.env.example').split('\n').length)
  })

  it('keeps the keys that are there', () => {
    generate()
    const first = readFileSync(file, 'utf8')
    generate()
    expect(readFileSync(file, 'utf8')).toBe(first)
  })

  withServer('writes what the NATS server needs to start', () => {
    generate()
    expect(check(environmentOf(readFileSync(file, 'utf8')))).toMatchObject({ status: 0 })
    expect(check({}).status).not.toBe(0)
  })

  function generate(): void {
    execFileSync(process.execPath, [`${root}tools/nats-identities.mjs`, file])
  }
})

describe(natsConfiguration, () => {
  it('has no secret, no user for strangers, and a monitor for its own container only', () => {
    const text = read(NATS_CONFIGURATION)
    expect(text).not.toMatch(/SU[A-Z2-7]{56}|U[A-Z2-7]{55}|password|token|no_auth_user/)
    expect(text.match(/http.*/g)).toEqual(['http: "127.0.0.1:8222"'])
  })

  it('has an identity for each chain', () => {
    const text = natsConfiguration(servedChains({ names: 'doge,base' }))
    expect(text.match(/nkey: .*/g)).toEqual(['ACCOUNTS', 'STAKING', 'NODES', 'DOGE', 'BASE'].map((name) => `nkey: $${name}_NATS_NKEY`))
    expect(text).toContain('"$JS.API.STREAM.CREATE.BASE_FILTERS"')
  })
})

function check(env: NodeJS.ProcessEnv) {
  return spawnSync(SERVER, ['-t', '-c', root + NATS_CONFIGURATION], { env: { ...PATHS, ...env }, encoding: 'utf8' })
}

function environmentOf(text: string): NodeJS.ProcessEnv {
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}
