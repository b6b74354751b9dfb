import type { EndpointSpec } from '@trestle/contracts/endpoint'
import type { FastifyRequest } from 'fastify'
import { INPUT_PARTS, InputParser, type InputPart } from './input/input-parser.js'
import { invalidInput } from './input/invalid-input.js'

type ParsedInput = Record<InputPart, unknown>
type Sent = Pick<FastifyRequest, InputPart | 'formProblem'> & {
  readonly routeOptions: { readonly config: { readonly endpoint?: EndpointSpec } }
}

/** Parses a request by its endpoint's schemas, once; throws one Problem that lists everything wrong with it. */
export function parseInput(request: Sent): ParsedInput {
  if (request.formProblem) throw request.formProblem
  const { endpoint } = request.routeOptions.config
  const input: ParsedInput = { params: undefined, query: undefined, body: undefined, headers: undefined }
  if (!endpoint) return input
  const parser = parserOf(endpoint)
  const errors = parser.unknownParameters(request.query)
  for (const part of INPUT_PARTS) {
    const { value, faults } = parser.parse(part, request[part])
    input[part] = value
    if (faults) errors.push(...faults)
  }
  if (errors.length > 0) throw invalidInput(errors)
  return input
}

const parsers = new WeakMap<EndpointSpec, InputParser>()

function parserOf(endpoint: EndpointSpec): InputParser {
  const known = parsers.get(endpoint)
  if (known) return known
  const parser = new InputParser(endpoint)
  parsers.set(endpoint, parser)
  return parser
}
