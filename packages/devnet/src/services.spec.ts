import { DEPLOYMENTS } from '@trestle/contracts/areas'
import type { ChainPlan } from './chains/plan.js'
import { consoleEnv, deploymentEnv, ingressEnv, type ServiceContext, schemaOf } from './services.js'

// RFC 8032 section 7.1, test 1.
const ROOT_KEY = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex').toString('base64')
const PUBLIC_ROOT = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString('base64')

describe(deploymentEnv, () => {
  it('tells a service where it stands, and gives it its own role', () => {
    const nodes = { env: () => ({ DATA_DIR: '/data/nodes' }), info: unused }
    expect(deploymentEnv(deployment('nodes'), { ...surroundings(), nodes })).toEqual({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: '4002',
      INTERNAL_PORT: '5002',
      BASE_PATH: '/nodes',
      PUBLIC_URL: 'http://127.0.0.1:8080',
      DATABASE_URL: 'postgresql://trestle_nodes:NODES_DATABASE_PASSWORD%2F%2B@127.0.0.1:5432/postgres',
      NATS_URL: 'nats://127.0.0.1:4222',
      NATS_NKEY_SEED: 'seed of nodes',
      TRUST_ROOTS: PUBLIC_ROOT,
      ACCOUNTS_INTERNAL_URL: 'http://127.0.0.1:5000',
      KEY_ENCRYPTION_KEYS: 'KEY_ENCRYPTION_KEYS/+',
      DATA_DIR: '/data/nodes',
    })
  })

  it('tells accounts alone its secrets', () => {
    const env = deploymentEnv(deployment('accounts'), surroundings())
    expect(env).toMatchObject({
      KEY_ENCRYPTION_KEY: 'KEY_ENCRYPTION_KEY/+',
      MAIL_TRANSPORT: 'mailbox',
      ADMINISTRATORS: 'admin@trestle.local',
      TRUST_ROOT_KEY: ROOT_KEY,
      TRUST_ROOTS: PUBLIC_ROOT,
    })
  })

  it('gives each chain of an app its own role, and the address of its node', () => {
    const env = () => ({ CHAIN: 'ltc', NODE_URL: 'http://127.0.0.1:9332' })
    const chains = new Map([['ltc', { plan: planFor('ltc'), env, info: unused }]])
    const surroundingsOfLtc = { ...surroundings(), chains }
    expect(deploymentEnv(deployment('ltc'), surroundingsOfLtc)).toMatchObject({
      DATABASE_URL: 'postgresql://trestle_ltc:LTC_DATABASE_PASSWORD%2F%2B@127.0.0.1:5432/postgres',
      CHAIN: 'ltc',
      NODE_URL: 'http://127.0.0.1:9332',
    })
    expect(deploymentEnv(deployment('btc'), surroundingsOfLtc)).not.toHaveProperty('CHAIN')
  })

  it('gives a gateway the addresses of its nodes', () => {
    const env = () => ({ CHAIN: 'etc', UPSTREAMS: 'etc-node-1=http://127.0.0.1:8545' })
    const ethereum = new Map([['etc', { env, info: unused }]])
    expect(deploymentEnv(deployment('etc'), { ...surroundings(), ethereum })).toMatchObject({
      DATABASE_URL: 'postgresql://trestle_etc:ETC_DATABASE_PASSWORD%2F%2B@127.0.0.1:5432/postgres',
      CHAIN: 'etc',
      UPSTREAMS: 'etc-node-1=http://127.0.0.1:8545',
    })
  })

  it('leaves out the base path where the paths of the area begin with it already', () => {
    expect(deploymentEnv(deployment('staking'), surroundings()).BASE_PATH).toBe('')
  })
})

describe(schemaOf, () => {
  const { chains } = surroundings()

  it('is named after the app, or the deployment where there are several', () => {
    expect(['accounts', 'btc', 'etc'].map((name) => schemaOf(deployment(name), { chains }))).toEqual(['accounts', 'btc', 'etc'])
  })

  it('is another one for the chain of a node that stands in', () => {
    const standIn = new Map([['btc', { plan: { ...planFor('btc'), standsFor: 'bitcoind' as const }, env: () => ({}), info: unused }]])
    expect(schemaOf(deployment('btc'), { chains: standIn })).toBe('btc-litecoind')
  })
})

describe(ingressEnv, () => {
  it('names the address of each deployment', () => {
    const env = ingressEnv([deployment('accounts'), deployment('nodes')], surroundings().ports)
    expect(env).toMatchObject({ PORT: '8080', ACCOUNTS_URL: 'http://127.0.0.1:4000', NODES_URL: 'http://127.0.0.1:4002' })
    expect(env).not.toHaveProperty('STAKING_URL')
  })
})

describe(consoleEnv, () => {
  it('names the address of each deployment but its own, and no secret', () => {
    expect(consoleEnv([deployment('accounts'), deployment('console')], surroundings().ports)).toEqual({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: '4100',
      INTERNAL_PORT: '5100',
      ACCOUNTS_URL: 'http://127.0.0.1:4000',
    })
  })
})

function planFor(deployment: string): ChainPlan {
  return { deployment, chain: 'ltc', daemon: { name: 'litecoind', command: '/litecoind', version: 'Litecoin Core 0.21.2.1' } }
}

function unused(): never {
  throw new Error('Nobody asks.')
}

function deployment(name: string) {
  const found = DEPLOYMENTS.find((each) => each.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

function surroundings(): ServiceContext {
  const ports = [...DEPLOYMENTS, { name: 'ingress', port: 8080 }].map(
    ({ name, port }) => [name, { public: port, internal: port + 1000 }] as const,
  )
  return {
    ports: new Map(ports),
    natsUrl: 'nats://127.0.0.1:4222',
    natsSeed: (name) => `seed of ${name}`,
    databaseUrl: 'postgresql://postgres:secret@127.0.0.1:5432/postgres',
    secret: (name) => (name === 'TRUST_ROOT_KEY' ? ROOT_KEY : `${name}/+`),
    chains: new Map(),
    ethereum: new Map(),
  }
}
