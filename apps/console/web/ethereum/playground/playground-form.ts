import { METHOD_DESCRIPTIONS, type MethodDescription } from '@trestle/contracts/eth-rpc/method-descriptions'
import { initialValues, parameterMistakes, paramsFromValues, parseParams, type Values, valuesFromParams } from './params.js'

/** A call as it is edited: in fields, or as JSON. */
export interface CallDraft {
  readonly method: MethodDescription
  readonly form: 'fields' | 'json'
  readonly values: Values
  readonly json: string
}

/** Also one that is not described, such as of a granted namespace. */
export function methodFor(name: string): MethodDescription {
  return METHOD_DESCRIPTIONS.find((method) => method.name === name) ?? { name, summary: '' }
}

export function draftFor(name: string, params?: unknown[]): CallDraft {
  const method = methodFor(name)
  const { parameters } = method
  const values = parameters && (params ? valuesFromParams(parameters, params) : initialValues(parameters))
  return { method, form: values ? 'fields' : 'json', values: values ?? [], json: JSON.stringify(params ?? [], undefined, 2) }
}

/** Reads a shared link. */
export function draftFromQuery(query: URLSearchParams): CallDraft {
  const name = query.get('method') ?? 'eth_blockNumber'
  const json = query.get('params')
  if (json === null) return draftFor(name)
  const params = parseParams(json)
  return params ? draftFor(name, params) : { ...draftFor(name), form: 'json', json }
}

/** What would be sent; undefined while a parameter is invalid. */
export function validParams({ method: { parameters = [] }, form, values, json }: CallDraft): unknown[] | undefined {
  if (form === 'json') return parseParams(json)
  return parameterMistakes(parameters, values).some((mistake) => mistake) ? undefined : paramsFromValues(parameters, values)
}

/** The same call in the other format; JSON that does not fit into fields stays JSON. */
export function switchForm(draft: CallDraft): CallDraft {
  const { method, form } = draft
  if (form === 'fields') {
    const params = validParams(draft) ?? []
    return { ...draft, form: 'json', json: JSON.stringify(params, undefined, 2) }
  }
  const values = method.parameters && valuesFromParams(method.parameters, parseParams(draft.json))
  return values ? { ...draft, form: 'fields', values } : draft
}

export interface PlaygroundForm {
  readonly draft: CallDraft
  /** Mistakes are shown once a send was tried. */
  readonly isTried: boolean
}

export type PlaygroundEvent =
  | { readonly type: 'chose method'; readonly name: string }
  | { readonly type: 'switched form' }
  | { readonly type: 'typed JSON'; readonly json: string }
  | { readonly type: 'typed value'; readonly index: number; readonly value: string }
  | { readonly type: 'submitted' }
  | { readonly type: 'recalled'; readonly method: string; readonly params: readonly unknown[] }

export function playgroundForm(query: URLSearchParams): PlaygroundForm {
  return { draft: draftFromQuery(query), isTried: false }
}

export function reducePlayground(form: PlaygroundForm, event: PlaygroundEvent): PlaygroundForm {
  const { draft } = form
  switch (event.type) {
    case 'chose method':
      return { draft: draftFor(event.name), isTried: false }
    case 'switched form':
      return { ...form, draft: switchForm(draft) }
    case 'typed JSON':
      return { ...form, draft: { ...draft, json: event.json } }
    case 'typed value':
      return { ...form, draft: { ...draft, values: draft.values.toSpliced(event.index, 1, event.value) } }
    case 'submitted':
      return { ...form, isTried: validParams(draft) === undefined }
    case 'recalled':
      return { draft: draftFor(event.method, [...event.params]), isTried: false }
  }
}

/** The query that leads back to this call. */
export function queryOf({ method }: CallDraft, params: readonly unknown[]): { method: string; params: string } {
  return { method: method.name, params: JSON.stringify(params) }
}
