import { Problem } from '@trestle/problem/problem'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { InvalidForm, parseForm } from './form-body.js'
import { unsupportedMediaType } from './problem.filter.js'
import { InvalidJson, parseStrictJson } from './strict-json.js'

/** Replaces Fastify's body parsers by one for JSON, and for forms where the endpoint declares one. */
export function registerBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parseBody(request, bytes))
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

const FORM = 'application/x-www-form-urlencoded'

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  const { form } = request.routeOptions.config.endpoint ?? {}
  if (form === true) return parseFormBody(request, bytes)
  // Some clients send a content type with an empty body too.
  if (bytes.length === 0) return undefined
  if (form === 'too' && isType(request, FORM)) return parseFormBody(request, bytes)
  if (!isPlain(request)) throw unsupportedMediaType('A body with a Content-Encoding is not accepted: send it uncompressed.')
  if (!isType(request, 'application/json')) throw unsupportedMediaType()
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof InvalidJson) throw new Problem('invalid', 'InvalidJson', error.message)
    throw error
  }
}

/**
 * The handler reports a malformed form, as RFC 6749 section 5.2 defines a form of error of its own:
 * the Problem is kept until the handler reads its input, and is always a 400.
 */
function parseFormBody(request: FastifyRequest, bytes: Buffer): Record<string, string> {
  try {
    if (bytes.length === 0) return {}
    if (!(isPlain(request) && isType(request, FORM))) {
      throw new InvalidForm('Send the body as a form in UTF-8, with the header Content-Type: application/x-www-form-urlencoded.')
    }
    return parseForm(bytes)
  } catch (error) {
    if (!(error instanceof InvalidForm)) throw error
    request.formProblem = new Problem('invalid', 'InvalidForm', error.message)
    return {}
  }
}

function isPlain({ headers }: FastifyRequest): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
}

function isType({ headers }: FastifyRequest, type: string): boolean {
  const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charsets = parameters.map((parameter) => parameter.trim()).filter((parameter) => parameter.startsWith('charset='))
  return mediaType.trim() === type && charsets.every((charset) => charset === 'charset=utf-8' || charset === 'charset="utf-8"')
}
