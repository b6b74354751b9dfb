import { Validator } from '@seriousme/openapi-schema-validator'
import { accounts } from '@trestle/contracts/accounts/api'
import { can, canInPath, canInPerson, endpoint } from '@trestle/contracts/endpoint'
import { queryInteger } from '@trestle/contracts/fields'
import { z } from 'zod'
import { openApiDocument } from './open-api.js'

const about = { title: 'Test', version: '1.0.0', basePath: '/test' }

describe(openApiDocument, () => {
  it('writes a valid OpenAPI 3.1 document of a whole service', async () => {
    const result = await new Validator().validate(openApiDocument({ ...about, endpoints: accounts }))
    expect(result).toMatchObject({ valid: true })
  })

  it('puts named schemas under the components and refers to them', () => {
    const Inner = z.object({ a: z.string() }).meta({ id: 'Inner' })
    const Outer = z.object({ inner: Inner, list: z.array(Inner) }).meta({ id: 'Outer' })
    const { paths, components } = document({ reply: z.array(Outer) })
    expect(paths['/x'].get.responses[200].content['application/json'].schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Outer' },
    })
    expect(components.schemas.Outer.properties.inner).toEqual({ $ref: '#/components/schemas/Inner' })
    expect(Object.keys(components.schemas)).toEqual(['Inner', 'Outer', 'Problem'])
  })

  it('gives a schema a second name where requests may omit a member', () => {
    const Setting = z.object({ size: z.number().default(1) }).meta({ id: 'Setting' })
    const { components } = openApiDocument({
      ...about,
      endpoints: {
        set: endpoint({ method: 'PUT', path: '/x', summary: '', access: 'public', body: Setting, reply: Setting, status: 200 }),
      },
    }) as unknown as Document
    expect(components.schemas.Setting.required).toEqual(undefined)
    expect(components.schemas.SettingReply.required).toEqual(['size'])
  })

  it('describes each parameter', () => {
    const { paths } = document({
      path: '/x/{id}',
      params: z.object({ id: z.string() }),
      query: z.object({ limit: queryInteger(1, 5).optional() }),
    })
    expect(paths['/x/{id}'].get.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 5 } },
    ])
  })

  it.each([
    ['public', []],
    ['basic', [{ basic: [] }]],
    ['account', [{ accountToken: [] }]],
    ['client', [{ accountToken: [] }, { clientToken: [] }]],
  ] as const)('says what a %s endpoint wants from its caller', (access, security) => {
    expect(document({ access }).paths['/x'].get.security).toEqual(security)
  })

  it('says which permission an endpoint needs, and how to choose the organization', () => {
    const chosen = [{ $ref: '#/components/parameters/TrestleOrganization' }, { $ref: '#/components/parameters/organization' }]
    const read = document({ access: can('nodes:read') }).paths['/x'].get
    expect(read).toMatchObject({ 'x-permission': 'nodes:read', description: 'Needs the permission `nodes:read`: See nodes and clusters.' })
    expect(read.parameters).toEqual(chosen)
    expect(read.security).toEqual([{ accountToken: [] }, { clientToken: [] }])
    const inPerson = document({ access: canInPerson('staking:exit') }).paths['/x'].get
    expect(inPerson.security).toEqual([{ accountToken: [] }])
    expect(inPerson.parameters).toEqual(chosen)
    const inPath = document({ access: canInPath('members:write') }).paths['/x'].get
    expect(inPath).toMatchObject({ 'x-permission': 'members:write' })
    expect(inPath.parameters).toBeUndefined()
    expect(document({ access: 'account' }).paths['/x'].get).not.toHaveProperty('x-permission')
  })

  it('marks an optional body as not required', () => {
    const post = { method: 'POST', status: 204 } as const
    expect(document({ ...post, body: z.object({ a: z.string() }) }).paths['/x'].post.requestBody.required).toBe(true)
    expect(document({ ...post, body: z.object({ a: z.string() }).optional() }).paths['/x'].post.requestBody.required).toBe(false)
  })

  it('has the media types of forms and reports', () => {
    const form = document({ method: 'POST', form: true, body: z.record(z.string(), z.string()) })
    expect(Object.keys(form.paths['/x'].post.requestBody.content)).toEqual(['application/x-www-form-urlencoded'])
    expect(Object.keys(document({ replyType: 'text/csv' }).paths['/x'].get.responses[200].content)).toEqual(['text/csv'])
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the tests walk a JSON document.
type Document = Record<'paths' | 'components', any>

function document(overrides: Partial<Parameters<typeof endpoint>[0]>): Document {
  const one = endpoint({ method: 'GET', path: '/x', summary: 'X', access: 'public', status: 200, ...overrides })
  return openApiDocument({ ...about, endpoints: { group: { one } } }) as Document
}
