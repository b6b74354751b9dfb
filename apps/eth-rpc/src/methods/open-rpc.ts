import {
  METHOD_DESCRIPTIONS,
  type MethodDescription,
  type Parameter,
  type ParameterKind,
} from '@trestle/contracts/eth-rpc/method-descriptions'
import { methodNamed } from './method.js'

type Json = Record<string, unknown>

const QUANTITY = { title: 'quantity', type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' }
const HASH = { title: 'hash', type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' }
const TAG = { title: 'tag', type: 'string', enum: ['earliest', 'finalized', 'safe', 'latest', 'pending'] }
const NAMED_BLOCK = { title: 'EIP-1898', type: 'object', properties: { blockHash: HASH, blockNumber: QUANTITY } }

const SCHEMAS: Readonly<Record<ParameterKind, Json>> = {
  block: { oneOf: [QUANTITY, TAG, HASH, NAMED_BLOCK] },
  address: { title: 'address', type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  hash: HASH,
  data: { title: 'bytes', type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' },
  quantity: QUANTITY,
  flag: { type: 'boolean' },
  json: {},
}

/** What `rpc.discover` answers: every method that is served over HTTP, in the form of OpenRPC 1.3. */
export function openRpcDocument(deployment: string, version: string): Json {
  return {
    openrpc: '1.3.2',
    info: { title: `Trestle ${deployment}: JSON-RPC`, version },
    methods: METHOD_DESCRIPTIONS.map(methodObject),
  }
}

/** An example for each method whose params have one: of what may be called, by name. */
export function exampleCalls(): Record<string, { summary: string; value: Json }> {
  const examples = METHOD_DESCRIPTIONS.flatMap(({ name, summary, parameters }) => {
    const params = parameters?.map(exampleOf)
    if (!params || params.includes(undefined)) return []
    return [[name, { summary: `${name}: ${summary}`, value: { jsonrpc: '2.0', id: 1, method: name, params } }] as const]
  })
  return Object.fromEntries(examples)
}

function methodObject({ name, summary, parameters = [], answers }: MethodDescription): Json {
  const policy = methodNamed(name)
  return {
    name,
    summary,
    paramStructure: 'by-position',
    params: parameters.map((parameter, at) =>
      paramObject(parameter, !parameter.optional && !(policy?.blockOptional && at === policy.blockParam)),
    ),
    result: { name: 'result', schema: answers ? QUANTITY : {} },
    'x-compute-units': policy?.computeUnits,
  }
}

function paramObject(parameter: Parameter, required: boolean): Json {
  const { name, kind } = parameter
  const example = exampleOf(parameter)
  return { name, required, schema: { ...SCHEMAS[kind], ...(example !== undefined && { examples: [example] }) } }
}

function exampleOf({ kind, initial }: Parameter): unknown {
  if (initial === undefined) return undefined
  if (kind === 'json' || kind === 'flag') return JSON.parse(initial)
  return kind === 'quantity' && /^\d+$/.test(initial) ? `0x${BigInt(initial).toString(16)}` : initial
}
