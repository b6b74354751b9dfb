import { z } from 'zod'
import { can, type EndpointSpec } from '../endpoint.js'
import { btcConnect } from './api.js'

// Every area has these: delivery.spec.ts.
const { delivery: _, ...forCallers } = btcConnect
const endpoints = Object.entries(forCallers).flatMap(([group, tree]) =>
  Object.entries(tree).map(([name, spec]) => [`${group}.${name}`, spec as EndpointSpec] as const),
)

describe('the btc-connect api', () => {
  it('serves every route once', () => {
    const routes = endpoints.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
  })

  it('has every operation of the interface (4.4)', () => {
    const routes = endpoints.map(([, { method, path }]) => `${method} ${path.replace('/api/v1', '')}`)
    expect(routes).toEqual(expect.arrayContaining(INTERFACE))
  })

  it.each(endpoints)('lets clients and accounts call %s, at /api/v1', (_, { access, path }) => {
    expect({ access, path }).toEqual({
      access: can(path.endsWith('/tx/send') ? 'btc:send' : 'btc:read'),
      path: expect.stringMatching(/^\/api\/v1\//),
    })
  })

  it.each(endpoints)('names in %s the parameters of the path, no more and no less', (_, { path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(params?.shape ?? {}).sort()).toEqual(inPath.sort())
  })

  it.each(endpoints)('can write %s as JSON Schema, both ways', (_, { params, query, body, reply }) => {
    for (const schema of [params, query, body]) if (schema) z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' })
    if (reply) z.toJSONSchema(reply, { io: 'output', unrepresentable: 'throw' })
  })

  it.each(endpoints)('lists PascalCase problem codes for %s', (_, { problems = [] }) => {
    expect(problems.filter((code) => !/^([A-Z][a-z0-9]+)+$/.test(code))).toEqual([])
  })

  it('keeps a record before the answer of what changes something, and of nothing else', () => {
    const durable = endpoints.filter(([, { method, recording }]) => method !== 'GET' && recording !== 'batched').map(([name]) => name)
    expect(durable).toEqual(['sending.send'])
  })
})

const INTERFACE = [
  'GET /addr/{addr}',
  'GET /addr/{addr}/balance',
  'GET /addr/{addr}/totalReceived',
  'GET /addr/{addr}/totalSent',
  'GET /addr/{addr}/unconfirmedBalance',
  'POST /addrs/txs',
  'POST /addrs/utxo',
  'GET /block-index/{height}',
  'GET /blocks',
  'GET /block/{hash}',
  'GET /utils/estimatefee',
  'GET /peer',
  'GET /rawblock/{hash}',
  'GET /rawtx/{hash}',
  'GET /status',
  'GET /sync',
  'GET /tx/{hash}',
  'GET /txs',
  'POST /tx/send',
]
