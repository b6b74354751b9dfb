import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { apps, read, variablesOf } from './repository.js'

const text = read('docker-compose.yml')
const compose = parse(text, { merge: true }) as Compose
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image.startsWith('trestle/'))
const SECRET = /PASSWORD(?!_RANGE_URL)|SECRET|PEPPER|_KEYS?$|_SEED$|SMTP_URL/
// What must be set before an app can run.
const NODES: Record<string, string> = { 'btc-connect': 'NODE_URL', 'eth-rpc': 'UPSTREAMS', staking: 'CHAINS', nodes: 'SUBNET' }

describe('docker-compose.yml', () => {
  it('is what the Compose Specification says', () => {
    const file = createRequire(import.meta.url)
      .resolve('dclint/package.json')
      .replace('package.json', 'schemas/compose.schema.json')
    // ajv does not know the schema's draft identifier, nor formats such as durations.
    const { $schema: _, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    validate(compose)
    expect(validate.errors).toBeNull()
  })

  it('runs every app', () => {
    expect(new Set(ours.map(([, { build }]) => build?.args.APP))).toEqual(new Set(apps))
  })

  it.each(services)('pins the image of %s', (_, { image }) => {
    expect(image).toMatch(/:(\d+\.\d+[\w.-]*\$\{(\w+_DIGEST):\+@\$\{\2\}\}|\$\{TRESTLE_VERSION:-\d+\.\d+\.\d+\})$/)
  })

  it.each(services)('checks the health of %s', (name, { image, restart, healthcheck }) => {
    if (restart === 'no') expect(healthcheck).toEqual({ disable: true })
    else
      expect([name, healthcheck]).toEqual([
        name,
        expect.objectContaining(image.startsWith('trestle/') ? { interval: '5s' } : { test: expect.any(Array) }),
      ])
  })

  it.each(services)('starts %s after its dependencies are healthy', (_, { depends_on = {} }) => {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      expect([name, condition]).toEqual([
        name,
        compose.services[name]?.restart === 'no' ? 'service_completed_successfully' : 'service_healthy',
      ])
    }
  })

  it.each(ours)('gives %s no unneeded privileges', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(service).not.toHaveProperty('privileged')
  })

  it.each(services.filter(([, { image }]) => !image.startsWith('trestle/')))('bounds %s and takes what it does not need', (_, service) => {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\$\{\w+:-\d+g\}$/),
      pids_limit: expect.any(Number),
    })
  })

  it('builds every image from a base that one variable pins', () => {
    const digests = ours.flatMap(([, { build }]) => (build ? [build.args.NODE_DIGEST] : []))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: compose's own.
    expect(new Set(digests)).toEqual(new Set(['${NODE_DIGEST:-}']))
  })

  it.each(ours.filter(([, { restart }]) => restart !== 'no'))('sets only variables that %s reads', (_, { build, environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !variablesOf(build?.args.APP ?? '').includes(name))).toEqual([])
  })

  it('does not start without its secrets', () => {
    const used = [...text.matchAll(/\$\{([A-Z_]+)(:.)?/g)].map(([, name = '', operator]) => [name, operator] as const)
    const secrets = used.filter(([name]) => SECRET.test(name))
    expect(new Set(secrets.map(([name]) => name)).size).toBe(24)
    expect(secrets.filter(([, operator]) => operator !== ':?')).toEqual([])
  })

  it('names every replica of the ingress by its port', () => {
    const environment = compose.services.ingress?.environment ?? {}
    for (const { name, app, port } of DEPLOYMENTS.filter((deployment) => compose.services[deployment.name])) {
      const url = `http://${name}:${port}`
      const node = NODES[app] && `${name.toUpperCase()}_${NODES[app]}`
      expect(environment[`${name.toUpperCase()}_URL`]).toBe(node ? `\${${node}:+${url}}` : url)
      expect(compose.services[name]?.environment).toMatchObject({ PORT: port, INTERNAL_PORT: port + 1000 })
    }
  })

  it('runs a chain, staking or nodes, and brings its schema up to date, only where its profile is chosen', () => {
    const chosen = DEPLOYMENTS.filter(({ name, app }) => NODES[app] && compose.services[name]).map(({ name }) => name)
    const profiles = services.flatMap(([name, service]) => (service.profiles ? [[name, service.profiles]] : []))
    expect(new Map(profiles as [string, string[]][])).toEqual(
      new Map(
        chosen.flatMap((name): [string, string[]][] => [
          [name, [name]],
          [`migrate-${name}`, [name]],
        ]),
      ),
    )
  })

  it('lets nothing of ours write to a folder of this machine', () => {
    const mounts = ours.flatMap(([, { volumes = [] }]) => volumes)
    expect(mounts.filter((mount) => !mount.endsWith(':ro'))).toEqual([])
  })

  it('opens one port, to this machine only', () => {
    expect(services.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:8080:8080'])
  })

  it('keeps Postgres and NATS where only the services are', () => {
    expect([compose.services.postgres?.networks, compose.services.nats?.networks, compose.networks.data]).toEqual([
      ['data'],
      ['data'],
      { internal: true },
    ])
    expect(Object.keys(compose.services.ingress?.networks ?? {})).toEqual(['default'])
  })

  it('has services trust the ingress and the console about callers, and nobody else', () => {
    const addresses = ['ingress', 'console'].map((name) => {
      const { networks = {} } = compose.services[name] ?? {}
      return Array.isArray(networks) ? undefined : networks.default?.ipv4_address
    })
    const trusted = services.flatMap(([name, { environment = {} }]) =>
      name !== 'ingress' && 'TRUSTED_PROXIES' in environment ? [environment.TRUSTED_PROXIES] : [],
    )
    expect(trusted.length).toBeGreaterThan(7)
    expect(new Set(trusted)).toEqual(new Set([addresses.join(',')]))
  })
})

describe('.env.example', () => {
  const example = read('.env.example')
  const named = new Map([...example.matchAll(/^(# )?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, , name = '', value = '']) => [name, value]))

  it('names everything that compose requires', () => {
    expect([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name).filter((name) => !named.has(name))).toEqual([])
  })

  it.each(apps)('names everything that %s reads', (app) => {
    expect(variablesOf(app).filter((name) => !named.has(name))).toEqual([])
  })

  it('gives no secret a value', () => {
    const given = [...example.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = '']) => name)
    expect(given.filter((name) => SECRET.test(name))).toEqual([])
  })

  it('explains every variable', () => {
    const groups = example.split('\n\n').flatMap((block) => block.split(/\n(?=# [^A-Z]|# [A-Z][a-z])/))
    expect(groups.filter((group) => /^(# )?[A-Z_]+=/m.test(group) && !/^# (?![A-Z_]+=)/m.test(group))).toEqual([])
  })
})

interface Compose {
  services: Record<string, Service>
  networks: Record<string, unknown>
}

interface Service {
  image: string
  build?: { args: { APP: string; NODE_DIGEST: string } }
  restart: string
  profiles?: string[]
  healthcheck?: object
  environment?: Record<string, unknown>
  depends_on?: Record<string, { condition: string }>
  networks?: string[] | Record<string, { ipv4_address?: string }>
  ports?: string[]
  volumes?: string[]
}
