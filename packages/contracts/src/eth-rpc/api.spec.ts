import { z } from 'zod'
import { credentialsOf, type EndpointSpec } from '../endpoint.js'
import { ethRpc } from './api.js'
import { MethodPattern } from './method-pattern.js'
import { ContractAddress, IpRange, NewProject, Origin } from './projects.js'

// Every area has these: delivery.spec.ts.
const { delivery: _, ...forCallers } = ethRpc
const endpoints = Object.entries(forCallers).flatMap(([group, tree]) =>
  Object.entries(tree).map(([name, spec]) => [`${group}.${name}`, spec as EndpointSpec] as const),
)

const FORMS = { Origin, MethodPattern, ContractAddress, IpRange }

describe('the eth-rpc api', () => {
  it('serves every route once', () => {
    const routes = endpoints.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  it.each(endpoints)('lets clients and accounts call %s, or administrators what is about others', (_, { access, path }) => {
    expect(credentialsOf(access)).toBe(path.startsWith('/users/{userId}/') ? 'manager' : 'client')
  })

  // What has another name is kept whole in activity records.
  it.each(endpoints)(
    'calls the ids in the path of %s a project id, or that of a user, and leaves what is no secret',
    (_, { path, params }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params?.shape ?? {})).toEqual(inPath)
      const idOf: Record<string, string[]> = { projects: ['projectId'], users: path.startsWith('/users/me/') ? [] : ['userId'] }
      const shown = ['{requestId}', '{keyNumber}'].filter((name) => path.endsWith(name)).map((name) => name.slice(1, -1))
      expect(inPath).toEqual(path === '/projects' ? [] : [...(idOf[path.split('/')[1] ?? ''] ?? ['none']), ...shown])
    },
  )

  it.each(endpoints)('can write %s as JSON Schema, both ways', (_, { params, query, body, reply }) => {
    for (const schema of [params, query, body]) if (schema) z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' })
    if (reply) z.toJSONSchema(reply, { io: 'output', unrepresentable: 'throw' })
  })

  it.each(endpoints)('lists PascalCase problem codes for %s', (_, { problems = [] }) => {
    expect(problems.filter((code) => !/^([A-Z][a-z0-9]+)+$/.test(code))).toEqual([])
  })
})

describe('an entry of a project', () => {
  it.each([
    ['Origin', 'https://app.example'],
    ['Origin', 'http://localhost:3000'],
    ['Origin', 'http://[::1]:3000'],
    ['Origin', 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn'],
    ['MethodPattern', 'eth_call'],
    ['MethodPattern', 'eth_*'],
    ['MethodPattern', 'web3_sha3'],
    ['ContractAddress', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['IpRange', '192.0.2.7'],
    ['IpRange', '192.0.2.0/24'],
    ['IpRange', '2001:db8::/32'],
    ['IpRange', '::1'],
  ] as const)('of the form %s may be %s', (form, text) => {
    expect(FORMS[form].safeParse(text).success).toBe(true)
  })

  it.each([
    ['Origin', 'https://app.example/'],
    ['Origin', 'https://app.example:443'],
    ['Origin', 'https://App.example'],
    ['Origin', 'https://*.example'],
    ['Origin', 'https://user@app.example'],
    ['Origin', 'app.example'],
    ['Origin', 'null'],
    ['Origin', '*'],
    ['MethodPattern', '*'],
    ['MethodPattern', 'eth'],
    ['MethodPattern', 'eth_*Call'],
    ['MethodPattern', 'eth_call '],
    ['ContractAddress', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB4'],
    ['ContractAddress', 'vitalik.eth'],
    ['IpRange', '192.0.2.0/33'],
    ['IpRange', '192.0.2'],
    ['IpRange', '2001:db8::/129'],
    ['IpRange', 'fe80::1%eth0'],
    ['IpRange', 'localhost'],
  ] as const)('of the form %s may not be %s', (form, text) => {
    expect(FORMS[form].safeParse(text).success).toBe(false)
  })

  it('is an address in lower case once it is taken', () => {
    expect(ContractAddress.parse('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')).toBe('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
  })
})

describe('a new project', () => {
  it('has a name, and lists of at most 30 entries', () => {
    const addresses = (count: number) => Array.from({ length: count }, (_, i) => `192.0.2.${i}`)
    expect(NewProject.safeParse({ name: ' mine ', allowedIps: addresses(30) }).data?.name).toBe('mine')
    expect(NewProject.safeParse({ name: 'mine', allowedIps: addresses(31) }).success).toBe(false)
    expect(NewProject.safeParse({}).success).toBe(false)
    expect(NewProject.safeParse({ name: 'x'.repeat(101) }).success).toBe(false)
  })

  it.each([0, -1, 1.5, '5', 1_000_000_001])('has no limit of %j a second', (perSecond) => {
    expect(NewProject.safeParse({ name: 'mine', limits: { perSecond } }).success).toBe(false)
  })

  it.each([
    [2, 2],
    [2, 3],
    [3, 4],
    [3, 5],
    [7, 7],
  ])('may want the same answer of %d of %d nodes', (agreeing, nodes) => {
    const quorum = { agreeing, nodes, methods: ['eth_*'], byHeader: false }
    expect(NewProject.parse({ name: 'mine', quorum: { agreeing, nodes } }).quorum).toEqual(quorum)
  })

  it.each([
    [1, 1],
    [1, 2],
    [2, 4],
    [3, 2],
    [2, 2.5],
    [7, 8],
    ['2', '3'],
  ])('may not want it of %j of %j: half or fewer could be wrong in two ways', (agreeing, nodes) => {
    expect(NewProject.safeParse({ name: 'mine', quorum: { agreeing, nodes } }).success).toBe(false)
  })
})
