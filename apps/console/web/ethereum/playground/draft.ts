import { type Method, methodOf } from './methods.js'
import { initialValues, mistakesIn, paramsIn, paramsOf, type Values, valuesOf } from './params.js'

/** A question as it stands on the page: in fields, or as JSON. */
export interface Draft {
  readonly method: Method
  readonly form: 'fields' | 'json'
  readonly values: Values
  readonly json: string
}

export function draftOf(name: string, params?: unknown[]): Draft {
  const method = methodOf(name)
  const { parameters } = method
  const values = parameters && (params ? valuesOf(parameters, params) : initialValues(parameters))
  return { method, form: values ? 'fields' : 'json', values: values ?? [], json: JSON.stringify(params ?? [], undefined, 2) }
}

/** Reads the address of a page that somebody has shared. */
export function draftIn(query: URLSearchParams): Draft {
  const name = query.get('method') ?? 'eth_blockNumber'
  const json = query.get('params')
  if (json === null) return draftOf(name)
  const params = paramsIn(json)
  return params ? draftOf(name, params) : { ...draftOf(name), form: 'json', json }
}

/** What would be sent; undefined while there is a mistake in it. */
export function paramsIfRight({ method: { parameters = [] }, form, values, json }: Draft): unknown[] | undefined {
  if (form === 'json') return paramsIn(json)
  return mistakesIn(parameters, values).some((mistake) => mistake) ? undefined : paramsOf(parameters, values)
}

/** The same question in the other form; what has a mistake in it, or does not fit into fields, stays as it is. */
export function turned(draft: Draft): Draft {
  const { method, form } = draft
  if (form === 'fields') {
    const params = paramsIfRight(draft) ?? []
    return { ...draft, form: 'json', json: JSON.stringify(params, undefined, 2) }
  }
  const values = method.parameters && valuesOf(method.parameters, paramsIn(draft.json))
  return values ? { ...draft, form: 'fields', values } : draft
}
