import { Validator } from '@seriousme/openapi-schema-validator'
import { servedRoutes } from '../src/http-adapter.js'
import { endpointsOf } from '../src/open-api.js'
import { Client } from './client.js'
import { api, bootTestService } from './test-service.js'

const client = new Client()

beforeAll(async () => {
  client.service = await bootTestService()
})

afterAll(() => client.service.stop())

it('serves exactly what it documents', async () => {
  const { body } = await client.send('GET', '/openapi.json')
  const { paths } = body as { paths: Record<string, Record<string, unknown>> }
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = servedRoutes(client.service.app).map(({ method, path }) => `${method} ${path}`)
  expect(served.sort()).toEqual(documented.sort())
  expect(served).toHaveLength(endpointsOf(api).length)
})

it('serves a valid document that names the base path', async () => {
  const { body } = await client.send('GET', '/base/openapi.json')
  expect(await new Validator().validate(body as Record<string, unknown>)).toMatchObject({ valid: true })
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Trestle test', version: '1.2.3' }, servers: [{ url: '/base' }] })
})

it.each(['/docs', '/docs/', '/base/docs', '/base/docs/'])('serves a page at %s with all of its parts beside it', async (path) => {
  const { text, headers } = await client.send('GET', path)
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => new URL(link ?? '', client.service.url + path))
  expect(parts).toHaveLength(4)
  for (const { pathname, origin } of parts) {
    expect(origin).toBe(client.service.url)
    expect((await client.send('GET', pathname)).status).toBe(200)
  }
})
