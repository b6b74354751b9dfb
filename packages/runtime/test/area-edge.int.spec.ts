import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { bootService, type RunningService } from '../src/boot-service.js'
import { compressResponses } from '../src/compression.js'
import { allowAllOrigins } from '../src/cors.js'
import { tagResponses } from '../src/entity-tags.js'
import { bearer, Client } from './client.js'
import { api, sink, TestModule, testEnv, USER } from './test-service.js'

// Options of an area: paths under its own prefix, an alias, a form of its own for Problems, other origins, compression.
const client = new Client()

beforeAll(async () => {
  client.service = await bootService(TestModule, {
    name: 'test',
    version: '1.2.3',
    env: testEnv(),
    endpoints: api,
    ownPrefix: '/area',
    alias: (url) => url.replace(/^\/things/, '/items'),
    prepare: async (app) => {
      const fastify = app.getHttpAdapter().getInstance()
      fastify.decorate('problemForm', ({ detail }, { id }) => ({ type: 'text/plain', body: `${id}: ${detail}` }))
      allowAllOrigins(fastify)
      tagResponses(fastify)
      compressResponses(fastify)
      fastify.addHook('preHandler', (request, reply, done) => {
        if (request.url.includes('keep')) reply.header('cache-control', 'private, no-cache')
        done()
      })
    },
  })
})

afterAll(() => client.service.stop())

it.each(['/things?limit=2', '/base/things?limit=2'])('serves %s under its alias', async (path) => {
  expect(await client.get(path)).toMatchObject({ status: 200, body: [{ name: 'one' }, { name: 'one' }] })
})

it.each([
  ['of a handler', '/conflict', 'It is taken.'],
  ['of a guard', '/items', 'No token.'],
  ['of nobody', '/nowhere', 'There is nothing at this path.'],
  ['of the router', '/items/%zz', 'The path is not well-formed.'],
])('writes Problems %s in the form of the area', async (_, path, detail) => {
  const { headers, text } = await client.send('GET', path)
  expect({ type: headers['content-type'], text }).toEqual({
    type: 'text/plain; charset=utf-8',
    text: `${headers['x-request-id']}: ${detail}`,
  })
})

it('also serves its front page and its documentation under its own prefix', async () => {
  const frontPage = { status: 200, body: { name: 'test', version: '1.2.3', docs: '/area/docs' } }
  for (const path of ['/', '/area', '/area/']) expect(await client.send('GET', path)).toMatchObject(frontPage)
  expect(await client.send('GET', '/area/openapi.json')).toMatchObject({ status: 200, body: { info: { version: '1.2.3' } } })
  const { text } = await client.send('GET', '/area/docs')
  for (const [, link] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const { pathname } = new URL(link ?? '', `${client.service.url}/area/docs`)
    expect([pathname, (await client.send('GET', pathname)).status]).toEqual([expect.stringMatching('^/area/docs/'), 200])
  }
})

it('lets pages of any origin call and read', async () => {
  for (const answer of [await client.send('OPTIONS', '/items'), await client.get('/items'), await client.send('GET', '/conflict')]) {
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('GET'),
    })
  }
  expect(await client.send('OPTIONS', '/items')).toMatchObject({ status: 204, text: '' })
})

describe(tagResponses, () => {
  it('answers 304 to a client that has the response', async () => {
    const { headers } = await client.get('/items?keep')
    const tag = String(headers.etag)
    expect(tag).toMatch(/^"[\w-]{27}"$/)
    for (const named of [tag, `W/${tag}`, `"another", ${tag}`, '*']) {
      const again = await client.send('GET', '/items?keep', { headers: { ...bearer, 'if-none-match': named } })
      expect(again).toMatchObject({ status: 304, text: '', headers: { etag: tag } })
    }
  })

  it('gives different responses different tags', async () => {
    const tag = String((await client.get('/items?keep')).headers.etag)
    expect(await client.send('GET', '/items?keep&limit=2', { headers: { ...bearer, 'if-none-match': tag } })).toMatchObject({ status: 200 })
  })

  it('adds no tag to what may not be cached', async () => {
    expect((await client.get('/items')).headers.etag).toBeUndefined()
    expect((await client.get('/conflict?keep')).headers.etag).toBeUndefined()
    expect((await client.post('/echo?keep', {})).headers.etag).toBeUndefined()
  })
})

describe(compressResponses, () => {
  it('compresses a stream as it is written, and counts the bytes sent', async () => {
    sink.forget()
    const { headers, bytes } = await zipped(client.service, '/report?mb=3')
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(bytes)).toHaveLength(3 * 1024 * 1024)
    expect((await sink.first())?.activity).toMatchObject({ user: USER, output: { bytesOut: bytes.length } })
  })

  it('compresses a long response but not a short one', async () => {
    const long = await zipped(client.service, '/items?limit=100')
    expect(JSON.parse(gunzipSync(long.bytes).toString())).toHaveLength(100)
    expect(Number(long.headers['content-length'])).toBe(long.bytes.length)
    const short = await zipped(client.service, '/items?limit=1')
    expect(short.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(short.bytes.toString())).toHaveLength(1)
  })

  it('adds only Vary to the response to HEAD', async () => {
    const { headers, text } = await client.send('HEAD', '/items?limit=100', { headers: { ...bearer, 'accept-encoding': 'gzip' } })
    expect(text).toBe('')
    expect(headers['content-encoding']).toBeUndefined()
  })
})

async function zipped({ url }: RunningService, path: string) {
  const { headers, body } = await request(url + path, { headers: { ...bearer, 'accept-encoding': 'gzip' } })
  return { headers, bytes: Buffer.from(await body.arrayBuffer()) }
}
