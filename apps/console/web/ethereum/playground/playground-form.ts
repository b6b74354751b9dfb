import { type PlaygroundMethod, playgroundMethod } from './methods.js'
import { initialValues, parameterMistakes, paramsFromValues, parseParams, type Values, valuesFromParams } from './params.js'

/** A question as it stands on the page: in fields, or as JSON. */
export interface CallDraft {
  readonly method: PlaygroundMethod
  readonly form: 'fields' | 'json'
  readonly values: Values
  readonly json: string
}

export function draftFor(name: string, params?: unknown[]): CallDraft {
  const method = playgroundMethod(name)
  const { parameters } = method
  const values = parameters && (params ? valuesFromParams(parameters, params) : initialValues(parameters))
  return { method, form: values ? 'fields' : 'json', values: values ?? [], json: JSON.stringify(params ?? [], undefined, 2) }
}

/** Reads the address of a page that somebody has shared. */
export function draftFromQuery(query: URLSearchParams): CallDraft {
  const name = query.get('method') ?? 'eth_blockNumber'
  const json = query.get('params')
  if (json === null) return draftFor(name)
  const params = parseParams(json)
  return params ? draftFor(name, params) : { ...draftFor(name), form: 'json', json }
}

/** What would be sent; undefined while there is a mistake in it. */
export function validParams({ method: { parameters = [] }, form, values, json }: CallDraft): unknown[] | undefined {
  if (form === 'json') return parseParams(json)
  return parameterMistakes(parameters, values).some((mistake) => mistake) ? undefined : paramsFromValues(parameters, values)
}

/** The same question in the other form; what has a mistake in it, or does not fit into fields, stays as it is. */
export function switchForm(draft: CallDraft): CallDraft {
  const { method, form } = draft
  if (form === 'fields') {
    const params = validParams(draft) ?? []
    return { ...draft, form: 'json', json: JSON.stringify(params, undefined, 2) }
  }
  const values = method.parameters && valuesFromParams(method.parameters, parseParams(draft.json))
  return values ? { ...draft, form: 'fields', values } : draft
}
