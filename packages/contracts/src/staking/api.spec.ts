import { z } from 'zod'
import { type Access, can, canInBilling, canInPerson, type EndpointSpec } from '../endpoint.js'
import { staking } from './api.js'
import { ExitConfirmation, NewValidator, PublicKey } from './validators.js'

const KEY = 'ab'.repeat(48)
const ACCESS: Readonly<Record<string, Access>> = {
  'validators.create': can('staking:create'),
  'validators.changeFeeAddress': can('staking:update'),
  'validators.remove': can('staking:delete'),
  'validators.exit': can('staking:exit'),
  'validators.restore': can('staking:delete'),
  'validators.transfer': canInPerson('staking:delete'),
  'reports.billing': canInBilling('billing:read'),
  'custody.signers': 'manager',
  'custody.accept': 'manager',
  'custody.lostKeys': 'manager',
  'custody.recover': 'manager',
}
// Every area has these: delivery.spec.ts.
const { delivery: _, ...forCallers } = staking
const endpoints = Object.entries(forCallers).flatMap(([group, tree]) =>
  Object.entries(tree).map(([name, spec]) => [`${group}.${name}`, spec as EndpointSpec] as const),
)

describe('the staking api', () => {
  it('serves every route once, all of them under /staking/ethereum', () => {
    const routes = endpoints.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(routes.length)
    expect(routes.filter((route) => !route.includes(' /staking/ethereum/'))).toEqual([])
  })

  it.each(endpoints)(
    'lets clients and accounts with a permission call %s; what is about bills and owners accounts only',
    (name, { access }) => {
      expect(access).toEqual(ACCESS[name] ?? can('staking:read'))
    },
  )

  it.each(endpoints)('names in %s the parameters of the path, no more and no less', (_, { path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(params?.shape ?? {})).toEqual(inPath)
  })

  it.each(endpoints)('can write %s as JSON Schema, both ways', (_, { params, query, body, reply }) => {
    for (const schema of [params, query, body]) if (schema) z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' })
    if (reply) z.toJSONSchema(reply, { io: 'output', unrepresentable: 'throw' })
  })

  it.each(endpoints)('lists PascalCase problem codes for %s', (_, { problems = [] }) => {
    expect(problems.filter((code) => !/^([A-Z][a-z0-9]+)+$/.test(code))).toEqual([])
  })
})

describe('a public key in a path', () => {
  it.each([KEY, KEY.toUpperCase(), `0x${KEY}`])('may be written %s', (text) => {
    expect(PublicKey.parse(text)).toBe(KEY)
  })

  it.each(['', KEY.slice(1), `${KEY}00`, `0X${KEY}`, KEY.replace('a', 'g'), `${KEY} `])('is not "%s"', (text) => {
    expect(PublicKey.safeParse(text).success).toBe(false)
  })
})

describe('what is sent', () => {
  it('to create a validator names at least who is paid', () => {
    const withdrawalAddress = `0x${'ab'.repeat(20)}`
    expect(NewValidator.parse({ withdrawalAddress })).toEqual({ withdrawalAddress, compounding: false })
    expect(NewValidator.safeParse({}).success).toBe(false)
    expect(NewValidator.safeParse({ withdrawalAddress: 'ab'.repeat(20) }).success).toBe(false)
  })

  it('to confirm an exit is a time and a signature of 65 bytes', () => {
    const confirmationDate = '2026-11-21T12:00:00Z'
    expect(ExitConfirmation.safeParse({ confirmationDate, confirmationSignature: `0x${'ab'.repeat(65)}` }).success).toBe(true)
    expect(ExitConfirmation.safeParse({ confirmationDate: 'today' }).success).toBe(false)
    expect(ExitConfirmation.safeParse({ confirmationSignature: `0x${'ab'.repeat(64)}` }).success).toBe(false)
  })
})
