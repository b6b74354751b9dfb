import type { Parameter, ParameterKind } from '@trestle/contracts/eth-rpc/method-descriptions'

/** What was typed, for each parameter. */
export type Values = readonly string[]

const TAGS = ['latest', 'safe', 'finalized', 'earliest', 'pending']
/** A quantity of the Ethereum JSON-RPC: hexadecimal, without zeros in front. */
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]*)$/i

export function initialValues(parameters: readonly Parameter[]): Values {
  return parameters.map(({ initial = '' }) => initial)
}

/** Why what was typed cannot be sent, for each parameter. */
export function parameterMistakes(parameters: readonly Parameter[], values: Values): (ParameterKind | 'missing' | undefined)[] {
  return parameters.map(({ kind, optional }, index) => {
    const text = (values[index] ?? '').trim()
    if (text === '') return optional && isLast(parameters, values, index) ? undefined : 'missing'
    return isRight(kind, text) ? undefined : kind
  })
}

/** What may be missing may so only where nothing comes after it. */
function isLast(parameters: readonly Parameter[], values: Values, index: number): boolean {
  return parameters.slice(index + 1).every((_, after) => (values[index + 1 + after] ?? '').trim() === '')
}

function isRight(kind: ParameterKind, text: string): boolean {
  if (kind === 'json') return parsed(text) !== undefined
  if (kind === 'flag') return text === 'true' || text === 'false'
  if (kind === 'address') return /^0x[0-9a-f]{40}$/i.test(text)
  if (kind === 'hash') return /^0x[0-9a-f]{64}$/i.test(text)
  if (kind === 'data') return /^0x(?:[0-9a-f]{2})*$/i.test(text)
  if (kind === 'block' && (TAGS.includes(text) || isRight('hash', text))) return true
  return /^\d+$/.test(text) || QUANTITY.test(text)
}

/** What is sent. Only of values without mistakes. */
export function paramsFromValues(parameters: readonly Parameter[], values: Values): unknown[] {
  const given = parameters.map(({ kind }, index) => [kind, (values[index] ?? '').trim()] as const)
  const length = given.findLastIndex(([, text]) => text !== '') + 1
  return given.slice(0, length).map(([kind, text]) => {
    if (kind === 'json') return parsed(text)
    if (kind === 'flag') return text === 'true'
    return /^\d+$/.test(text) ? `0x${BigInt(text).toString(16)}` : text
  })
}

/** The form of what stands in JSON; undefined where it does not fit in. */
export function valuesFromParams(parameters: readonly Parameter[], params: unknown): Values | undefined {
  if (!Array.isArray(params) || params.length > parameters.length) return undefined
  const values = parameters.map(({ kind }, index) => {
    const param: unknown = params[index]
    if (param === undefined) return ''
    return kind === 'json' || typeof param !== 'string' ? JSON.stringify(param) : param
  })
  return parameterMistakes(parameters, values).every((mistake) => mistake === undefined) ? values : undefined
}

/** Params have to be an array or, for some methods of other servers, an object. */
export function parseParams(json: string): unknown[] | undefined {
  const params = parsed(json.trim() || '[]')
  return Array.isArray(params) ? params : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
