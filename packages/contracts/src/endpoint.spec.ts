import { z } from 'zod'
import { type Arguments, type EndpointSpec, endpoint, type Input, type Reply, recordingOf } from './endpoint.js'

const renamed = endpoint({
  method: 'PUT',
  path: '/things/{id}',
  summary: 'Rename a thing.',
  access: 'account',
  params: z.object({ id: z.string() }),
  query: z.object({ dry: z.string().transform((text) => text === 'yes') }),
  body: z.object({ name: z.string().default('thing') }),
  status: 200,
  reply: z.object({ id: z.string() }),
})
const pinged = endpoint({ method: 'GET', path: '/ping', summary: 'Ping.', access: 'public', status: 204 })
const optional = endpoint({ ...pinged, method: 'POST', body: z.object({ note: z.string() }).optional() })

describe(endpoint, () => {
  it('gives its handler what the schemas make', () => {
    const input: Input<typeof renamed> = { params: { id: 'a' }, query: { dry: true }, body: { name: 'b' }, headers: undefined }
    // @ts-expect-error: a handler gets the transformed query.
    const untransformed: Input<typeof renamed> = { ...input, query: { dry: 'yes' } }
    const none: Input<typeof pinged> = { params: undefined, query: undefined, body: undefined, headers: undefined }
    expect([input, untransformed, none]).toHaveLength(3)
  })

  it('takes from its caller what the schemas take', () => {
    const given: Arguments<typeof renamed> = { params: { id: 'a' }, query: { dry: 'yes' }, body: {} }
    const withoutQuery: Arguments<typeof renamed> = { params: { id: 'a' }, body: {} }
    // @ts-expect-error: what is in the path must be given.
    const withoutParams: Arguments<typeof renamed> = { body: {} }
    // @ts-expect-error: the body is not optional.
    const withoutBody: Arguments<typeof renamed> = { params: { id: 'a' } }
    const nothing: Arguments<typeof pinged> = {}
    const maybe: Arguments<typeof optional>[] = [{}, { body: { note: 'n' } }]
    expect([given, withoutQuery, withoutParams, withoutBody, nothing, ...maybe]).toHaveLength(7)
  })

  it('answers what its reply is, or nothing', () => {
    const reply: Reply<typeof renamed> = { id: 'a' }
    const none: Reply<typeof pinged> = undefined
    // @ts-expect-error: the reply lacks its id.
    const wrong: Reply<typeof renamed> = {}
    expect([reply, none, wrong]).toHaveLength(3)
  })
})

describe(recordingOf, () => {
  it.each([
    ['GET', undefined, 'batched'],
    ['POST', undefined, 'durable'],
    ['DELETE', undefined, 'durable'],
    ['POST', 'none', 'none'],
    ['GET', 'durable', 'durable'],
  ] as const)('of a %s with %s is %s', (method, recording, expected) => {
    const spec: EndpointSpec = { ...pinged, method, recording }
    expect(recordingOf(spec)).toBe(expected)
  })
})
