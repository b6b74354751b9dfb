import { OrganizationId } from '@trestle/contracts/accounts/organizations'
import { approvalOf, credentialsOf, type EndpointSpec } from '@trestle/contracts/endpoint'
import { PERMISSIONS } from '@trestle/contracts/permissions'
import { z } from 'zod'
import { SchemaComponents } from './schema-components.js'

/** The endpoints of a service by name, in groups: the shape of a contract's `api.ts`. */
export interface EndpointTree {
  readonly [name: string]: EndpointSpec | EndpointTree
}

interface ApiDescription {
  title: string
  version: string
  basePath: string
  endpoints: EndpointTree
  /** Of raw routes, which no endpoint declares. */
  rawPaths?: Record<string, object>
}

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of a service, from the declarations that its routes are served by. */
export function openApiDocument({ title, version, basePath, endpoints, rawPaths }: ApiDescription): Json {
  const schemas = new SchemaComponents()
  const paths: Record<string, Json> = {}
  const named = endpointsOf(endpoints)
  for (const [name, spec] of named) {
    paths[spec.path] = { ...paths[spec.path], [spec.method.toLowerCase()]: operation(name, spec, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url: basePath || '/' }],
    // In the order of the contract; the order of paths would split the groups.
    tags: [...new Set(named.flatMap(([name]) => groupOf(name) ?? []))].map((name) => ({ name })),
    paths: { ...paths, ...rawPaths },
    components: {
      schemas: { ...schemas.all(), Problem: PROBLEM },
      parameters: PARAMETERS,
      responses: RESPONSES,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** Every endpoint of a tree with its name: `users.me`. */
export function endpointsOf(tree: EndpointTree, prefix = ''): [string, EndpointSpec][] {
  return Object.entries(tree).flatMap(([name, node]): [string, EndpointSpec][] =>
    isEndpoint(node) ? [[prefix + name, node]] : endpointsOf(node, `${prefix}${name}.`),
  )
}

function isEndpoint(node: EndpointSpec | EndpointTree): node is EndpointSpec {
  return typeof node.method === 'string'
}

const PLACES = ['path', 'query', 'header'] as const

function operation(name: string, spec: EndpointSpec, schemas: SchemaComponents): Json {
  const group = groupOf(name)
  const { params, query, headers } = spec
  const places = { path: params, query, header: headers } as const
  const inputs = PLACES.flatMap((where) => parametersOf(where, places[where], schemas))
  const parameters = [
    ...inputs,
    ...(choosesOrganization(spec) ? ORGANIZATION_PARAMETERS : []),
    ...(approvalOf(spec) ? [{ $ref: '#/components/parameters/TrestleApproval' }] : []),
  ]
  return {
    operationId: name,
    // Plain text, unlike descriptions.
    summary: spec.summary.replaceAll('`', ''),
    ...(group && { tags: [group] }),
    ...permissionOf(spec),
    security: SECURITY[credentialsOf(spec.access)],
    ...(parameters.length > 0 && { parameters }),
    ...(spec.body && { requestBody: requestBody(spec.body, spec.form, schemas) }),
    responses: responses(spec, inputs.length > 0 || spec.body !== undefined, schemas),
  }
}

/** Whether a request may say which organization it is about: not where the path does. */
function choosesOrganization({ access }: EndpointSpec): boolean {
  return typeof access === 'object' && !access.organization
}

function permissionOf({ access }: EndpointSpec): Json {
  if (typeof access === 'string') return {}
  const { permission } = access
  return { description: `Needs the permission \`${permission}\`: ${PERMISSIONS[permission]}`, 'x-permission': permission }
}

function groupOf(name: string): string | undefined {
  return name.split('.').at(-2)
}

function parametersOf(where: (typeof PLACES)[number], schema: z.ZodObject | undefined, schemas: SchemaComponents): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.inline(schema, 'input')
  return Object.entries(properties).map(([name, field]) => {
    const { description, ...rest }: z.core.JSONSchema.BaseSchema = typeof field === 'boolean' ? {} : field
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema: rest.type === 'integer' ? withoutPattern(rest) : rest,
    }
  })
}

/** Zod describes a number in a query as a pattern of digits. */
function withoutPattern({ pattern: _, ...schema }: Json): Json {
  return schema
}

function requestBody(body: z.ZodType, form: EndpointSpec['form'], schemas: SchemaComponents): Json {
  const types = [...(form === true ? [] : ['application/json']), ...(form ? ['application/x-www-form-urlencoded'] : [])]
  const schema = schemas.inline(body, 'input')
  return { required: !body.safeParse(undefined).success, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

function responses(spec: EndpointSpec, hasInput: boolean, schemas: SchemaComponents): Json {
  const { status, reply, replyType, problems: own = [], access, stepUp } = spec
  const isApprovable = approvalOf(spec) !== undefined
  const content = {
    ...(reply && { 'application/json': { schema: schemas.inline(reply, 'output') } }),
    ...(replyType && { [replyType]: { schema: { type: 'string' } } }),
  }
  const problems = [...own, ...(stepUp ? ['StepUpRequired'] : []), ...(isApprovable ? APPROVAL_PROBLEMS : [])]
  const codes = problems.length > 0 ? `Also: ${problems.map((code) => `\`${code}\``).join(', ')}.` : 'Any other error.'
  return {
    [status]: { description: 'Success.', ...(Object.keys(content).length > 0 && { content }) },
    ...(hasInput && { 400: { $ref: '#/components/responses/Invalid' } }),
    ...(access !== 'public' && { 401: { $ref: '#/components/responses/Unauthenticated' } }),
    default: { description: codes, content: PROBLEM_CONTENT },
  }
}

const SECURITY: Record<ReturnType<typeof credentialsOf>, Json[]> = {
  public: [],
  basic: [{ basic: [] }],
  account: [{ accountToken: [] }],
  client: [{ accountToken: [] }, { clientToken: [] }],
  manager: [{ accountToken: [] }],
}

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic' },
  accountToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An account access token, from POST /auth of accounts.',
  },
  clientToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A client access token, from POST /auth/token of accounts.',
  },
}

const ORGANIZATION_ID = { type: 'string', pattern: z.toJSONSchema(OrganizationId).pattern }

/** Where the organization demands an approval. */
const APPROVAL_PROBLEMS = ['ApprovalRequired', 'InvalidApproval', 'ApprovalUsed']

const PARAMETERS = {
  TrestleApproval: {
    name: 'Trestle-Approval',
    in: 'header',
    description:
      'The approval of a second person, where the organization demands one: POST /accounts/organizations/{id}/approvals asks for it.',
    schema: { type: 'string' },
  },
  TrestleOrganization: {
    name: 'Trestle-Organization',
    in: 'header',
    description: 'The organization that the request is about; by default that of the client key, or your personal one.',
    schema: ORGANIZATION_ID,
  },
  organization: {
    name: 'organization',
    in: 'query',
    description: 'The same, where a page or a stream cannot set a header.',
    schema: ORGANIZATION_ID,
  },
}

const ORGANIZATION_PARAMETERS = ['TrestleOrganization', 'organization'].map((name) => ({ $ref: `#/components/parameters/${name}` }))

const PROBLEM_CONTENT = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

const RESPONSES = {
  Invalid: { description: 'A value is missing or wrong, or a member is unknown: `errors` says what is right.', content: PROBLEM_CONTENT },
  Unauthenticated: { description: 'No valid token or credentials.', content: PROBLEM_CONTENT },
}

const PROBLEM = {
  type: 'object',
  description: 'RFC 9457',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'A stable code for programs.' },
    message: { type: 'string', description: 'Repeats `detail`.' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } }, required: ['path', 'message'] },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'message'],
}
