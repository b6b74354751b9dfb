import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { ingressEnv, type Surroundings, serviceEnv } from './services.js'

describe(serviceEnv, () => {
  it('tells a service where it stands, and gives it its own role', () => {
    expect(serviceEnv(deployment('nodes'), surroundings())).toEqual({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: '4002',
      INTERNAL_PORT: '5002',
      BASE_PATH: '/nodes',
      PUBLIC_URL: 'http://127.0.0.1:8080',
      DATABASE_URL: 'postgresql://trestle_nodes:NODES_DATABASE_PASSWORD%2F%2B@127.0.0.1:5432/postgres',
      NATS_URL: 'nats://127.0.0.1:4222',
      ACCOUNTS_INTERNAL_URL: 'http://127.0.0.1:5000',
    })
  })

  it('tells accounts alone its secrets', () => {
    const env = serviceEnv(deployment('accounts'), surroundings())
    expect(env).toMatchObject({
      KEY_ENCRYPTION_KEY: 'KEY_ENCRYPTION_KEY/+',
      MAIL_TRANSPORT: 'mailbox',
      ADMINISTRATORS: 'admin@trestle.local',
    })
  })

  it('leaves out the base path where the paths of the area begin with it already', () => {
    expect(serviceEnv(deployment('staking'), surroundings()).BASE_PATH).toBe('')
  })
})

describe(ingressEnv, () => {
  it('names the address of each deployment', () => {
    const env = ingressEnv([deployment('accounts'), deployment('nodes')], surroundings().ports)
    expect(env).toMatchObject({ PORT: '8080', ACCOUNTS_URL: 'http://127.0.0.1:4000', NODES_URL: 'http://127.0.0.1:4002' })
    expect(env).not.toHaveProperty('STAKING_URL')
  })
})

function deployment(name: string) {
  const found = DEPLOYMENTS.find((each) => each.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

function surroundings(): Surroundings {
  const ports = [...DEPLOYMENTS, { name: 'ingress', port: 8080 }].map(
    ({ name, port }) => [name, { public: port, internal: port + 1000 }] as const,
  )
  return {
    ports: new Map(ports),
    natsUrl: 'nats://127.0.0.1:4222',
    databaseUrl: 'postgresql://postgres:secret@127.0.0.1:5432/postgres',
    secret: (name) => `${name}/+`,
  }
}
