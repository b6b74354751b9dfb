import { z } from 'zod'
import { activityRecorded } from '../activity.js'
import type { EndpointSpec } from '../endpoint.js'
import { accounts } from './api.js'
import * as messages from './messages.js'

const endpoints = Object.entries(accounts).flatMap(([group, tree]) =>
  Object.entries(tree).map(([name, spec]) => [`${group}.${name}`, spec as EndpointSpec] as const),
)

describe('the accounts api', () => {
  it('serves every route once', () => {
    const routes = endpoints.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
  })

  it.each(endpoints)('names in %s the parameters of the path, no more and no less', (_, { path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(params?.shape ?? {}).sort()).toEqual(inPath.sort())
  })

  it.each(endpoints)('can write %s as JSON Schema, both ways', (_, { params, query, body, reply }) => {
    for (const schema of [params, query, body]) if (schema) z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' })
    if (reply) z.toJSONSchema(reply, { io: 'output', unrepresentable: 'throw' })
  })

  it.each(endpoints)('answers %s with a body unless its status is 204', (_, { status, reply, replyType }) => {
    expect(reply !== undefined || replyType !== undefined).toBe(status !== 204)
  })

  it.each(endpoints)('sends no body with %s when it is a GET', (_, { method, body }) => {
    expect(method === 'GET' && body !== undefined).toBe(false)
  })

  it.each(endpoints)('lists PascalCase problem codes for %s', (_, { problems = [] }) => {
    expect(problems.filter((code) => !/^([A-Z][a-z0-9]+)+$/.test(code))).toEqual([])
  })
})

describe('the messages of accounts', () => {
  const all = [...Object.values(messages), activityRecorded].filter((value): value is typeof messages.listKeys => 'subject' in value)

  it('have subjects of three words', () => {
    expect(all.map(({ subject }) => subject).filter((subject) => !/^(\*|[a-z]+)\.[a-z-]+\.[a-z-]+$/.test(subject))).toEqual([])
  })

  it('have a subject each', () => {
    expect(new Set(all.map(({ subject }) => subject)).size).toBe(all.length)
  })
})
