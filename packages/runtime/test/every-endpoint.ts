import { accounts } from '@trestle/contracts/accounts/api'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import { chainDiscovery } from '@trestle/contracts/chains/discovery'
import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { nodesArea } from '@trestle/contracts/nodes/api'
import { staking } from '@trestle/contracts/staking/api'
import { type FieldError, Problem } from '@trestle/problem/problem'
import fc from 'fast-check'
import { type Description, describeInput, variantsOf } from '../src/input/description.js'
import { strictSchema } from '../src/input/strict-schema.js'
import { endpointsOf } from '../src/open-api.js'
import { parseInput } from '../src/parse-input.js'

const CONTRACTS = { accounts, staking, nodes: nodesArea, 'btc-connect': btcConnect, 'eth-rpc': ethRpc, console: { chains: chainDiscovery } }

/** Every endpoint of the contracts, with its name. */
export const ENDPOINTS = Object.entries(CONTRACTS).flatMap(([area, tree]) =>
  endpointsOf(tree).map(([name, endpoint]) => [`${area} ${name}`, endpoint] as const),
)

type SentPart = 'params' | 'query' | 'body'

/** A place within a part of a request: the names that lead to it, and what belongs there. */
export interface ObjectPlace {
  readonly part: SentPart
  readonly names: readonly (string | number)[]
  readonly description: Description
  /** A valid request that has something at this place. */
  readonly request: ValidRequest
}

interface ValidRequest {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** What is wrong with a request, as the sender is told by the parser of every service. */
export function faultsIn(endpoint: EndpointSpec, request: Partial<ValidRequest>): readonly FieldError[] {
  try {
    parseInput({
      params: {},
      query: {},
      body: undefined,
      headers: {},
      formProblem: undefined,
      ...request,
      routeOptions: { config: { endpoint } },
    })
  } catch (error) {
    if (error instanceof Problem && error.code === 'InvalidInput') return error.errors ?? []
    throw error
  }
  return []
}

/** Valid requests: one for each branch of its unions. */
export function validRequests(endpoint: EndpointSpec): ValidRequest[] {
  const { params, query, body } = endpoint
  const bodies = body ? unfolded(describeInput(strictSchema(body))).map((description) => sampleOf(description)) : [undefined]
  const rest = { params: params ? sampleOf(described(params)) : {}, query: query ? inQuery(sampleOf(described(query))) : {} }
  return bodies.map((each) => ({ ...rest, body: each }))
}

/** Every object within the query and the body, at any depth and in every branch. */
export function objectsOf(endpoint: EndpointSpec): ObjectPlace[] {
  const requests = validRequests(endpoint)
  const [first] = requests
  if (!first) return []
  const query = endpoint.query ? [{ part: 'query', names: [], description: described(endpoint.query), request: first } as const] : []
  const bodies = endpoint.body ? unfolded(describeInput(strictSchema(endpoint.body))) : []
  return [
    ...query,
    ...bodies.flatMap((description, index) => nested({ part: 'body', names: [], description, request: requests[index] ?? first })),
  ]
}

function nested(place: ObjectPlace): ObjectPlace[] {
  const { properties = {}, items } = place.description
  const members = Object.entries(properties).map(([name, description]): ObjectPlace => within(place, name, description as Description))
  const entries = typeof items === 'object' ? [within(place, 0, items as Description)] : []
  return [...(place.description.properties ? [place] : []), ...[...members, ...entries].flatMap(nested)]
}

function within(place: ObjectPlace, name: string | number, description: Description): ObjectPlace {
  return { ...place, names: [...place.names, name], description }
}

/** The branches of a union of objects; otherwise itself. */
export function unfolded(description: Description): readonly Description[] {
  const variants = variantsOf(description)
  return variants.length > 0 && variants.every(({ properties }) => properties) ? variants : [description]
}

/** The request with another value at a place; without one if that is undefined. */
export function replacedAt(place: ObjectPlace, change: (value: Record<string, unknown>) => unknown): ValidRequest {
  const { part, names, request } = place
  return { ...request, [part]: replaced(request[part], names, change) }
}

function replaced(
  value: unknown,
  [name, ...names]: readonly (string | number)[],
  change: (value: Record<string, unknown>) => unknown,
): unknown {
  if (name === undefined) return change({ ...(value as Record<string, unknown>) })
  if (Array.isArray(value)) return value.map((each, index) => (index === name ? replaced(each, names, change) : each))
  const object = value as Record<string, unknown>
  return { ...object, [name]: replaced(object[name], names, change) }
}

function described(schema: NonNullable<EndpointSpec['query']>): Description {
  return describeInput(strictSchema(schema))
}

/** A valid value, with every optional member. */
export function sampleOf(description: Description): unknown {
  const { examples, const: only, enum: values, type, properties = {}, items, minItems = 1 } = description
  if (Array.isArray(examples)) return examples[0]
  if (only !== undefined) return only
  if (values) return values[0]
  const [variant] = variantsOf(description)
  if (variant) return sampleOf(variant)
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sampleOf(member as Description)]))
  if (type === 'array') return Array.from({ length: Math.max(1, minItems) }, () => sampleOf(items as Description))
  return scalarOf(description)
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.7',
}

function scalarOf({ type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, format, pattern, minLength = 0 }: Description): unknown {
  if (type === 'integer' || type === 'number') return Math.min(Math.max(minimum, 5), maximum)
  if (type === 'boolean') return true
  if (format && FORMATS[format]) return FORMATS[format]
  if (pattern) return fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 })[0]
  return 'a'.repeat(Math.max(minLength, 3))
}

/** As text, as all of a query is. */
function inQuery(values: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]))
}
