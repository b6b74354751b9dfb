import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'

/** An error response with its status. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

// Hundreds of keystores in one request.
const MAX_BODY_BYTES = 64 * 2 ** 20

/** A server whose errors are `{code, message}`, like those of the Beacon API. */
export function createServer(): FastifyInstance {
  const server = fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: true, routerOptions: { maxParamLength: 500 } })
  // A POST may have no body, whatever its type.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)))
    } catch {
      done(new ApiError(400, 'The body is not JSON.'))
    }
  })
  server.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ code: 404, message: `There is no ${request.method} ${request.url}.` }),
  )
  server.setErrorHandler((error: Error & { status?: number; statusCode?: number }, _request, reply) => {
    const code = codeOf(error)
    return reply.code(code).send({ code, message: error.message })
  })
  return server
}

export function param(request: FastifyRequest, name: string): string {
  return isObject(request.params) ? String(request.params[name] ?? '') : ''
}

/** A parameter that is repeated, or a list with commas. */
export function queryList(request: FastifyRequest, name: string): string[] {
  const given = isObject(request.query) ? (request.query[name] ?? []) : []
  return [given]
    .flat()
    .flatMap((each) => String(each).split(','))
    .filter((each) => each !== '')
}

export function jsonObjectOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request
  if (!isObject(body)) throw new ApiError(400, 'The body is not an object.')
  return body
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list of strings; empty if missing. */
export function parseStrings(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) throw new ApiError(400, `${name} is not a list of strings.`)
  return value
}

/** An integer that is not negative. */
export function parseWholeNumber(text: string, name: string): number {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) throw new ApiError(400, `${name} is not an integer: ${text}`)
  return Number(text)
}

function codeOf({ name, status, statusCode }: Error & { status?: number; statusCode?: number }): number {
  return status ?? statusCode ?? (name === 'MalformedData' ? 400 : 500)
}
