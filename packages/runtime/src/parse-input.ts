import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { type FieldError, Problem } from '@trestle/problem/problem'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'

const PARTS = ['params', 'query', 'body', 'headers'] as const
type Part = (typeof PARTS)[number]
type ParsedInput = Record<Part, unknown>

/** Parses a request by its endpoint's schemas, once; throws one Problem that lists everything wrong with it. */
export function parseInput(request: FastifyRequest): ParsedInput {
  if (request.formProblem) throw request.formProblem
  const { endpoint } = request.routeOptions.config
  const input: ParsedInput = { params: undefined, query: undefined, body: undefined, headers: undefined }
  if (!endpoint) return input
  const errors: FieldError[] = endpoint.query ? nestedQueryErrors(endpoint.query, request.query) : []
  for (const part of PARTS) parsePart(part, endpoint, request, { input, errors })
  if (errors.length > 0) throw new Problem('invalid', 'InvalidInput', detailOf(errors), { errors })
  return input
}

function parsePart(part: Part, endpoint: EndpointSpec, request: FastifyRequest, into: { input: ParsedInput; errors: FieldError[] }): void {
  const schema: z.ZodType | undefined = endpoint[part]
  if (!schema) return
  const parsed = schema.safeParse(request[part])
  if (parsed.success) {
    into.input[part] = parsed.data
    return
  }
  for (const { path, message } of parsed.error.issues) into.errors.push({ path: [part, ...path].join('.'), message })
}

/** `limit[]=1` and `limit[$gt]=1` are refused, not ignored. */
function nestedQueryErrors(schema: z.ZodObject, query: unknown): FieldError[] {
  return Object.keys(query ?? {})
    .filter((key) => key.includes('[') && key.slice(0, key.indexOf('[')) in schema.shape)
    .map((key) => ({ path: `query.${key.slice(0, key.indexOf('['))}`, message: 'must be one plain value' }))
}

function detailOf([first, ...others]: FieldError[]): string {
  if (!first) return ''
  return `${first.path}: ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`
}
